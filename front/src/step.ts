/** A step of differential inverse kinematics: weighted tasks within bounds. As `lessons_lib.differential_ik`. */

import { type Kernels, type Matrix, type PrintedFunction, packMatrix } from "./kernels.ts";

export const DAMPING = 1e-12; // of `solve_ik`, [cost]² per squared unit of the step

/** Data of a robot from Python: `live/tree_kernel.py`. */
export interface TreeData {
  nv: number;
  /** The coordinate of each rate; −1 − k for the six rates of a free joint whose seven coordinates begin at k. */
  q_of_v: number[];
  /** Names of the rates. */
  rates: string[];
  /** Rate, coordinate, lower and upper end of each joint with a range [rad]. */
  ranges: number[][];
  /** Rate and velocity limit [rad/s]. */
  speeds: number[][];
  /** Fraction of the distance to a limit that a step may use. */
  gain: number;
}

export interface Task {
  J: Matrix;
  e: number[];
  cost: number;
  gain: number;
  /** λ₀² of the damping λ₀²α²eᵀWe. */
  damping: number;
}

export interface Step {
  x: number[];
  /** Active bounds of the coordinates: 1 upper, −1 lower, 0 none. */
  active: number[];
}

/** Return Δq and the active bounds; nothing if infeasible. */
export function taskStep(
  kernels: Kernels,
  tree: TreeData,
  q: number[],
  tasks: Task[],
  dt: number,
  constraints: Task[] = [],
): Step | undefined {
  const { H, c } = objective(tasks, tree.nv);
  const { lower, upper } = box(tree, q, dt);
  const A = constraints.flatMap(({ J }) => J);
  const b = constraints.flatMap(({ e, gain }) => e.map((entry) => -gain * entry));
  const rows = { at: Float64Array.from(A.flat()), rows: A.length, columns: tree.nv };
  const [x, multipliers] = [new Float64Array(tree.nv), new Float64Array(tree.nv + A.length)];
  const solve = kernels.bounded_least_squares as unknown as PrintedFunction;
  if (!solve(packMatrix(H), c, lower, [...upper, ...b], rows, A.length, x, multipliers)) return undefined;
  return { x: [...x], active: [...multipliers.subarray(0, tree.nv)].map(Math.sign) };
}

/** Return H and c of ½ ΔqᵀHΔq + cᵀΔq, the sum over all tasks: H = JᵀWJ + λ²I and c = α JᵀWe with W = κ²I. */
function objective(tasks: Task[], nv: number): { H: Matrix; c: number[] } {
  const H = zeros(nv, nv);
  const c = zeros(1, nv)[0];
  let diagonal = DAMPING;
  for (const { J, e, cost, gain, damping } of tasks) {
    const weight = cost * cost;
    diagonal += damping * weight * gain * gain * e.reduce((sum, entry) => sum + entry * entry, 0);
    J.forEach((row, k) => {
      const moving = row.flatMap((entry, i) => (entry === 0 ? [] : [i]));
      for (const i of moving) {
        c[i] += gain * weight * row[i] * e[k];
        for (const j of moving) H[i][j] += weight * row[i] * row[j];
      }
    });
  }
  for (let i = 0; i < nv; i++) H[i][i] += diagonal;
  return { H, c };
}

/** Return the bounds of each rate in dt, from velocity and joint limits. */
function box(tree: TreeData, q: number[], dt: number): { lower: number[]; upper: number[] } {
  const upper = new Array<number>(tree.nv).fill(Number.POSITIVE_INFINITY);
  for (const [rate, speed] of tree.speeds) upper[rate] = dt * speed;
  const lower = upper.map((end) => -end);
  for (const [rate, coordinate, low, high] of tree.ranges) {
    lower[rate] = Math.max(lower[rate], tree.gain * (low - q[coordinate]));
    upper[rate] = Math.min(upper[rate], tree.gain * (high - q[coordinate]));
  }
  return { lower, upper };
}

/** Return the configuration after a step; for a free joint T exp [Δq]. */
export function integrate(kernels: Kernels, tree: TreeData, q: number[], step: number[]): number[] {
  const ahead = [...q];
  for (let k = 0; k < tree.nv; k++) {
    const at = tree.q_of_v[k];
    if (at >= 0) ahead[at] = q[at] + step[k];
    else {
      const start = -1 - at;
      const base = q.slice(start, start + 7);
      const next: number[] = kernels.free_integral_kernel(base, step.slice(k, k + 6)).ahead;
      const along = [3, 4, 5, 6].reduce((sum, j) => sum + base[j] * next[j], 0);
      next.forEach((entry, j) => {
        ahead[start + j] = along < 0 && j > 2 ? -entry : entry; // of the two quaternions of a rotation, the nearer one
      });
      k += 5;
    }
  }
  return ahead;
}

function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
}
