/**
 * The least of ½ xᵀHx + cᵀx in a box and on equations, by the dual method of Goldfarb and Idnani (1983).
 *
 * It starts from the least on the equations alone. A bound that is broken joins those that hold, and one whose
 * multiplier would turn negative on the way leaves them; each time a linear system says where to go.
 */

import type { Matrix } from "./kernels.ts";

const BROKEN = 1e-12; // of a bound or a coordinate: what is less beyond a bound is rounding
const DEPENDENT = 1e-11; // squared part of a bound's normal: with less of its own it follows from those that hold
const NOTHING = 1e-14; // of the largest entry: a smaller pivot is rounding
const MOST = 40; // changes of the set for each coordinate: usually there are fewer changes than coordinates

export interface Step {
  x: number[];
  /** Which coordinates are at a bound that holds them back: 1 at the upper, −1 at the lower, 0 at none. */
  active: number[];
}

interface Held {
  coordinate: number;
  side: number;
}

/** Return the least x, or nothing where the bounds and the equations Ax = b leave none, or no single one is least. */
export function leastStep(
  H: Matrix,
  c: number[],
  lower: number[],
  upper: number[],
  A: Matrix = [],
  b: number[] = [],
): Step | undefined {
  const n = c.length;
  const size = H.reduce((sum, row, i) => sum + row[i], 0);
  const held: Held[] = [];
  const bound = ({ coordinate, side }: Held) => (side > 0 ? upper[coordinate] : -lower[coordinate]);
  const on = (right: number[], values: number[]) => {
    const rows = [...A, ...held.map(({ coordinate, side }) => unit(n, coordinate, side))];
    return solveOn(H, rows, right, values);
  };
  const minus = c.map((entry) => -entry);
  const least = () => on(minus, [...b, ...held.map(bound)]);

  let found = least();
  if (!found) return undefined;
  let x = found.x;
  let multipliers: number[] = []; // of the bounds that hold
  for (let changes = 0; changes < MOST * n; changes++) {
    const broken = mostBroken(x, lower, upper);
    if (!broken) {
      const active = new Array<number>(n).fill(0);
      for (const { coordinate, side } of held) active[coordinate] = side;
      return { x, active };
    }
    let own = 0; // multiplier of the broken bound
    for (;;) {
      const zeros = new Array<number>(A.length + held.length).fill(0);
      const way = on(unit(n, broken.coordinate, -broken.side), zeros);
      if (!way) return undefined;
      const slope = broken.side * way.x[broken.coordinate]; // of the bound’s excess, per unit of its multiplier
      const excess = broken.side * x[broken.coordinate] - bound(broken);
      const free = A.length + held.length < n && -slope * size > DEPENDENT;
      const whole = free ? excess / -slope : Number.POSITIVE_INFINITY;
      const rates = way.multipliers.slice(A.length);
      const ends = rates.map((rate, k) => (rate < 0 ? multipliers[k] / -rate : Number.POSITIVE_INFINITY));
      const first = ends.reduce((best, end, k) => (end < ends[best] ? k : best), 0);
      const part = Math.min(whole, ends[first] ?? Number.POSITIVE_INFINITY);
      if (part === Number.POSITIVE_INFINITY) return undefined;
      multipliers = multipliers.map((multiplier, k) => multiplier + part * rates[k]);
      own += part;
      if (part === whole) break;
      x = x.map((entry, i) => entry + part * way.x[i]);
      held.splice(first, 1);
      multipliers.splice(first, 1);
    }
    held.push(broken);
    multipliers.push(own);
    found = least(); // afresh, so that no rounding adds up
    if (!found) return undefined;
    x = found.x;
    for (const one of held) x[one.coordinate] = one.side * bound(one);
    multipliers = found.multipliers.slice(A.length);
  }
  return undefined;
}

function mostBroken(x: number[], lower: number[], upper: number[]): Held | undefined {
  let worst: Held | undefined;
  let most = 0;
  x.forEach((entry, coordinate) => {
    for (const [side, end] of [
      [1, upper[coordinate]],
      [-1, lower[coordinate]],
    ]) {
      const excess = side * (entry - end) - BROKEN * (Math.abs(entry) + Math.abs(end));
      if (excess > most) [worst, most] = [{ coordinate, side }, excess];
    }
  });
  return worst;
}

function unit(n: number, place: number, entry: number): number[] {
  const column = new Array<number>(n).fill(0);
  column[place] = entry;
  return column;
}

/** Return x and the multipliers y of Hx + Nᵀy = right, Nx = values. */
function solveOn(
  H: Matrix,
  N: Matrix,
  right: number[],
  values: number[],
): { x: number[]; multipliers: number[] } | undefined {
  const n = H.length;
  const system = [
    ...H.map((row, i) => [...row, ...N.map((normal) => normal[i]), right[i]]),
    ...N.map((normal, k) => [...normal, ...new Array<number>(N.length).fill(0), values[k]]),
  ];
  const solved = solve(system);
  return solved && { x: solved.slice(0, n), multipliers: solved.slice(n) };
}

/** Solve a linear system, whose right-hand side is its last column, by elimination with pivots; it is overwritten. */
function solve(rows: Matrix): number[] | undefined {
  const n = rows.length;
  const least = NOTHING * rows.reduce((most, row) => Math.max(most, ...row.slice(0, n).map(Math.abs)), 0);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (!(Math.abs(rows[k][k]) > least)) return undefined;
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      if (factor !== 0) for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let rest = rows[i][n];
    for (let j = i + 1; j < n; j++) rest -= rows[i][j] * x[j];
    x[i] = rest / rows[i][i];
  }
  return x;
}
