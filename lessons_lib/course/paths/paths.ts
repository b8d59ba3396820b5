/** Paths of an arm between two poses: interpolated by the printed kernels, and solved pose by pose. */

import { type Kernels, logarithm, type Matrix } from "../../../front/src/kernels.ts";
import { TURN, wrapped } from "../../../front/src/numbers.ts";
import type { Method, Solver, Stop } from "../../../front/src/solver.ts";

export interface Walk {
  /** Configurations up to the last reached pose [rad]. */
  q: number[][];
  /** Mean number of solver steps; none if nothing is solved. */
  steps: number;
}

/** Solver of each pose, and number of segments of a path. */
export interface Manner {
  method: Method;
  stop: Stop;
  parts: number;
}

/** Return the four paths: screw, straight line, joint space, and straight line with each pose from home. */
export function pathsBetween(
  kernels: Kernels,
  solver: Solver,
  begin: number[],
  [T_0, T_1]: [Matrix, Matrix],
  manner: Manner,
): Walk[] {
  const places = [...Array(manner.parts + 1).keys()].map((k) => k / manner.parts);
  const xi = logarithm(kernels, kernels.between_kernel(T_0, T_1).T_between);
  const shift = [0, 1, 2].map((i) => T_1[i][3] - T_0[i][3]);
  const screws = places.map((s) => kernels.screw_kernel(T_0, xi, [s]).T);
  const straight = places.map((s) => kernels.straight_kernel(T_0, xi, shift, [s]).T);
  const screw = follow(solver, screws, begin, manner, true);
  const last = screw.q[screw.q.length - 1];
  const whole = screw.q.length === places.length;
  const joints = (whole ? places : places.slice(0, 1)).map((s) => kernels.joints_kernel(begin, last ?? begin, [s]).at);
  const home = begin.map(() => 0);
  return [
    screw,
    follow(solver, straight, begin, manner, true),
    { q: joints as number[][], steps: Number.NaN },
    follow(solver, straight, home, manner, false),
  ];
}

/** Solve pose after pose until one is not reached; each from the last configuration, or from a common start. */
function follow(solver: Solver, poses: Matrix[], start: number[], { method, stop }: Manner, warm: boolean): Walk {
  const q: number[][] = [];
  let steps = 0;
  for (const pose of poses) {
    const from = warm && q.length > 0 ? q[q.length - 1] : start;
    const end = solver.end(pose, from, method, stop);
    if (end.status !== "converged") break;
    const near = end.q.map((angle, i) => from[i] + wrapped(angle - from[i])); // the revolution nearest to the start
    q.push(near.map((angle) => (Math.abs(angle) > TURN ? wrapped(angle) : angle))); // each limit is a revolution
    steps += end.steps;
  }
  return { q, steps: steps / q.length };
}
