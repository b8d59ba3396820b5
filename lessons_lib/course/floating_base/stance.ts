/** The stance of a robot: trunk moves in small steps, feet are constraints. As `course/floating_base/stance.py`. */

import { type Kernels, logarithm, type Matrix } from "../../../front/src/kernels.ts";
import { product } from "../../../front/src/matrix.ts";
import { integrate, type Task, type TreeData, taskStep } from "../../../front/src/step.ts";

/** Data from Python: `course/floating_base/live.py`. */
export interface StandData {
  tree: TreeData;
  /** Frame of the trunk, and its rest pose. */
  trunk: string;
  begin: Matrix;
  /** The rest configuration. */
  ease: number[];
  /** Frames of the feet, and their places [m]. */
  feet: string[];
  places: number[][];
  /** Height of a lifted foot [m]. */
  lift: number;
  /** Number of parts of the path, of pieces of a part in the bisection, and of steps for each. */
  parts: number;
  fine: number;
  settle: number;
  /** Duration of a step [s]. */
  period: number;
  /** Largest position error of a foot after a part [m]. */
  still: number;
}

export type StanceState = Record<string, Matrix & number[]>;

/** Return the final configuration, or the last one in which the legs keep the feet in place, found by bisection. */
export function stand(kernels: Kernels, data: StandData, target: Matrix, leg: number): number[] {
  const way = logarithm(kernels, kernels.between_kernel(data.begin, target).T_between);
  let q = data.ease;
  const end = data.parts * data.fine;
  let at = 0;
  for (let part = data.fine; at < end && part > 0; ) {
    const share = (at + part) / end;
    const pose = product(data.begin, kernels.exp_se3_kernel(way.map((entry) => share * entry)).T);
    const places = data.places.map(([x, y, z], k) => [x, y, k === leg ? z + share * data.lift : z]);
    const ahead = lead(kernels, data, q, pose, places);
    q = ahead ?? q;
    at += ahead ? part : 0;
    if (!ahead || part < data.fine) part = Math.floor(part / 2);
  }
  return q;
}

/** Return the error twist to a target: V_b, (ω, v) in rad and m. */
export function left(kernels: Kernels, data: StandData, state: StanceState, target: Matrix): number[] {
  return logarithm(kernels, kernels.between_kernel(state[`T_${data.trunk}`], target).T_between);
}

/** Take the steps of a part; nothing if one is infeasible, or a foot is out of place afterwards. */
function lead(
  kernels: Kernels,
  data: StandData,
  start: number[],
  pose: Matrix,
  places: number[][],
): number[] | undefined {
  let q = start;
  for (let k = 0; k < data.settle; k++) {
    const state: StanceState = kernels.stance_kernel(q);
    const e = left(kernels, data, state, pose);
    const slope: Matrix = kernels.left_jacobian_inverse_se3_kernel(e).J;
    const J = product(slope, state[`B_${data.trunk}`]).map((row) => row.map((entry) => -entry));
    const step = taskStep(kernels, data.tree, q, [{ ...PLAIN, J, e }], data.period, feet(data, state, places));
    if (!step) return undefined;
    q = integrate(kernels, data.tree, q, step.x);
  }
  const errors = feet(data, kernels.stance_kernel(q), places).map(({ e }) => Math.hypot(...e));
  return Math.max(...errors) < data.still ? q : undefined;
}

const PLAIN = { cost: 1, gain: 1, damping: 0 };

function feet(data: StandData, state: StanceState, places: number[][]): Task[] {
  return data.feet.map((foot, k) => {
    const T = state[`T_${foot}`];
    return { ...PLAIN, J: state[`J_${foot}`], e: places[k].map((entry, i) => T[i][3] - entry) };
  });
}
