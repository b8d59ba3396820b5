/** An exact quadratic program of two unknowns: every set of at most two active rows is tried, by derived formulas. */

import type { Kernels, Matrix } from "../../../front/src/kernels.ts";

export interface Program {
  /** Objective ½ xᵀHx + cᵀx, H positive definite. */
  H: Matrix;
  c: number[];
  /** Rows Gx ≤ h. */
  G: Matrix;
  h: number[];
}

export interface Answer {
  x: number[];
  /** The active rows and their multipliers. */
  active: number[];
  mu: number[];
}

const SLACK = 1e-9; // rounding error of a violated row, or of a negative multiplier

/** Return the point that satisfies the four Karush-Kuhn-Tucker conditions, or nothing if infeasible. */
export function solve(kernels: Kernels, { H, c, G, h }: Program): Answer | undefined {
  const rows = [...h.keys()];
  const sets = [[], ...rows.map((i) => [i]), ...rows.flatMap((i) => rows.slice(i + 1).map((j) => [i, j]))];
  for (const active of sets) {
    const activeRows = active.map((i) => G[i]);
    const bounds = active.map((i) => h[i]);
    const kernel = kernels[`walls_${active.length}_kernel`];
    const { x, mu = [] as number[] } = active.length > 0 ? kernel(H, c, activeRows, bounds) : kernel(H, c);
    const allowed = rows.every((i) => excess(G[i], x, h[i]) <= SLACK);
    if (allowed && mu.every((price) => price >= -SLACK)) return { x: [...x], active, mu: [...mu] };
  }
  return undefined;
}

/** Return the violation of a row by a point; infinite for NaN. */
export function excess(row: number[], x: number[], bound: number): number {
  const over = row[0] * x[0] + row[1] * x[1] - bound;
  return Number.isNaN(over) ? Number.POSITIVE_INFINITY : over;
}

/** Clip a convex polygon by rows, with corners in order: Sutherland-Hodgman. */
export function cut(corners: number[][], { G, h }: Program): number[][] {
  return G.reduce((left, row, i) => {
    const independent: number[][] = [];
    left.forEach((here, k) => {
      const there = left[(k + 1) % left.length];
      const [room, beyond] = [-excess(row, here, h[i]), -excess(row, there, h[i])];
      if (room >= 0) independent.push(here);
      if (room * beyond < 0) {
        const part = room / (room - beyond);
        independent.push(here.map((value, axis) => value + part * (there[axis] - value)));
      }
    });
    return independent;
  }, corners);
}
