/** A quadratic program of two unknowns, exactly: every set of at most two active rows is tried, by derived formulas. */

import type { Kernels, Matrix } from "../../../front/src/kernels.ts";

export interface Program {
  /** Of the objective ½ xᵀHx + cᵀx, H positive definite. */
  H: Matrix;
  c: number[];
  /** Of the rows Gx ≤ h. */
  G: Matrix;
  h: number[];
}

export interface Answer {
  x: number[];
  /** The rows that hold it, and their multipliers. */
  active: number[];
  mu: number[];
}

const SLACK = 1e-9; // by which rounding may break a row, or make a multiplier negative

/** Return the point at which the four conditions of Karush, Kuhn and Tucker hold, or nothing where no x is allowed. */
export function solve(kernels: Kernels, { H, c, G, h }: Program): Answer | undefined {
  const rows = [...h.keys()];
  const sets = [[], ...rows.map((i) => [i]), ...rows.flatMap((i) => rows.slice(i + 1).map((j) => [i, j]))];
  for (const active of sets) {
    const held = active.map((i) => G[i]);
    const bounds = active.map((i) => h[i]);
    const kernel = kernels[`walls_${active.length}_kernel`];
    const { x, mu = [] as number[] } = active.length > 0 ? kernel(H, c, held, bounds) : kernel(H, c);
    const allowed = rows.every((i) => excess(G[i], x, h[i]) <= SLACK);
    if (allowed && mu.every((price) => price >= -SLACK)) return { x: [...x], active, mu: [...mu] };
  }
  return undefined;
}

/** Return by how much a point breaks a row; what is no number breaks it. */
export function excess(row: number[], x: number[], bound: number): number {
  const over = row[0] * x[0] + row[1] * x[1] - bound;
  return Number.isNaN(over) ? Number.POSITIVE_INFINITY : over;
}

/** Return what rows leave of a convex polygon, its corners in order: Sutherland and Hodgman's clipping. */
export function cut(corners: number[][], { G, h }: Program): number[][] {
  return G.reduce((left, row, i) => {
    const kept: number[][] = [];
    left.forEach((here, k) => {
      const there = left[(k + 1) % left.length];
      const [room, beyond] = [-excess(row, here, h[i]), -excess(row, there, h[i])];
      if (room >= 0) kept.push(here);
      if (room * beyond < 0) {
        const part = room / (room - beyond);
        kept.push(here.map((value, axis) => value + part * (there[axis] - value)));
      }
    });
    return kept;
  }, corners);
}
