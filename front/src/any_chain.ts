/** Any chain of screws: loops over its joints with the kernels of `live/any_chain.py`. */

import { type Kernels, logarithm, type Matrix, type PrintedFunction, packMatrix } from "./kernels.ts";
import { identity, transposed } from "./matrix.ts";

export const TAG = "any";

export interface Chain {
  name: string;
  /** Names of the coordinates, in the order in which they first move a joint. */
  names: string[];
  kinds: string[];
  /** Lower and upper limit of each coordinate [rad or m]. */
  limits: number[][];
  /** The joints, from the base to the tip: (ω, v) at q = 0, in the frame of the base. */
  screws: Matrix;
  /** For each joint: its name, whether it is prismatic, and the coordinate that moves it, times a ratio. */
  moves: { name: string; slides: boolean; by: number; ratio: number }[];
  /** The pose of the tip at q = 0. */
  home: Matrix;
  /** Link frames from base to tip at q = 0 [m], the number of joints that move each, and the frame on each joint. */
  corners: Matrix;
  carriers: number[];
  joints: number[];
}

/** Return whether a coordinate moves several joints, or one at another rate. */
export function isCoupled({ names, moves }: Chain): boolean {
  return moves.length > names.length || moves.some(({ ratio }) => ratio !== 1);
}

/** Collects the link frames from base to tip. */
export class Corners {
  readonly corners: Matrix = [[0, 0, 0]];
  readonly carriers = [0];
  readonly joints: number[] = [];

  /** Add the origin of a frame [m], unless it equals the last one. */
  reach(T: Matrix, always = false): void {
    const at = [0, 1, 2].map((i) => T[i][3]);
    const last = this.corners[this.corners.length - 1];
    if (!always && at.every((entry, i) => Math.abs(entry - last[i]) <= 1e-9)) return;
    this.corners.push(at);
    this.carriers.push(this.joints.length);
  }

  /** Add a joint at the last origin; a prismatic joint moves the next one. */
  addJoint(slides: boolean, T: Matrix): void {
    this.joints.push(this.corners.length - 1);
    if (slides) this.reach(T, true);
  }
}

/** Return the kernels and those of one arm, as the iteration and the pictures call them. */
export function kernelsOf(kernels: Kernels, chain: Chain): Kernels {
  const n = chain.names.length;
  const walk = (q: number[]) => {
    const links = [identity(4)];
    const columns = chain.screws.map((screw, i) => {
      const { slides, by, ratio } = chain.moves[i];
      const pass = slides ? kernels.slide_kernel : kernels.turn_kernel;
      const { T_after, column } = pass(links[i], screw, [ratio * q[by]]);
      links.push(T_after);
      return column as number[];
    });
    return { links, columns, T: kernels.product_kernel(links[chain.moves.length], chain.home).T as Matrix };
  };
  const chainOf = (q: number[]) => {
    const { columns, T } = walk(q);
    const ofJoints: Matrix = columns.map((column) => kernels.seen_kernel(T, column).seen);
    const J_b = chain.names.map(() => [0, 0, 0, 0, 0, 0]);
    for (const [i, { by, ratio }] of chain.moves.entries()) {
      J_b[by] = J_b[by].map((entry, k) => entry + ratio * ofJoints[i][k]);
    }
    return { T, J_b: transposed(J_b) };
  };
  const own = {
    [`chain_${TAG}`]: chainOf,
    [`arm_${TAG}`]: (q: number[]) => {
      const { links, columns, T } = walk(q);
      const points = chain.corners.map((at, k) => kernels.carried_kernel(links[chain.carriers[k]], at).carried);
      return { T, J_s: transposed(columns), points, links: links.flatMap((motion) => motion.slice(0, 3)) };
    },
    [`run_${TAG}_body`]: searchKernels(kernels, n, chainOf, false),
    [`run_${TAG}_exact`]: searchKernels(kernels, n, chainOf, true),
    [`at_${TAG}_body`]: () => places(n),
    [`at_${TAG}_exact`]: () => places(n),
  };
  return { ...kernels, ...(own as unknown as Kernels) };
}

/** Return the proven distance of a point beyond the reach [m], and the bounds of the distance from its centre. */
export function outOfReach(kernels: Kernels, chain: Chain, point: number[]): Reach | undefined {
  const turns = chain.moves.map(({ slides }) => Number(!slides));
  const travel = chain.moves.map(({ slides, by, ratio }) =>
    slides ? Math.max(...chain.limits[by].map((end) => Math.abs(ratio * end))) : 0,
  );
  if (!travel.every(Number.isFinite)) return undefined;
  const center = new Float64Array(3);
  const tip = [0, 1, 2].map((i) => chain.home[i][3]);
  const reachInputs = [turns, travel, tip].map((numbers) => Float64Array.from(numbers));
  const spheres = kernels.bounding_shell as unknown as (...all: unknown[]) => [number, number];
  const [least, most] = spheres(packMatrix(chain.screws), ...reachInputs, center);
  const away = Math.hypot(...point.map((entry, i) => entry - center[i]));
  const miss = Math.max(away - most, least - away) - SLACK * (1 + most);
  return miss > 0 ? { miss, least, most, away, center: [...center] } : undefined;
}

const SLACK = 1e-9; // rounding error, relative to the arm's size

export interface Reach {
  miss: number;
  least: number;
  most: number;
  away: number;
  /** Centre of the reach, on the first axis [m]. */
  center: number[];
}

/** Return the offsets of the search's rows: see AT_… in `pose_ik/layout.py`. */
function places(n: number): number[] {
  const sizes = [n, 12, 6, 6 * n, 6, n, n, Math.max(n, 6), 1, 8, 1, 1]; // q … margins, damping, given, begins, accepted
  const at = [0];
  for (const [k, size] of sizes.entries()) at.push(at[k] + size);
  return [...at, n];
}

/** Return the kernels of a search by its codes: evaluate, model, accept, damp, two steps, promise. */
function searchKernels(kernels: Kernels, n: number, chainOf: (q: number[]) => Record<string, Matrix>, exact: boolean) {
  const [Q, TARGET, ERROR, MODEL, RESIDUAL, ACTIVE, STEP, MARGINS, DAMPING, PARAMETERS] = places(n);
  const part = (w: Float64Array, at: number, size: number) => [...w.subarray(at, at + size)];
  const rows = (w: Float64Array, at: number, count: number, size: number) =>
    [...Array(count).keys()].map((i) => part(w, at + i * size, size));
  let J: Matrix = [];
  const evaluate = (w: Float64Array) => {
    const state = chainOf(part(w, Q, n));
    const target = [...rows(w, TARGET, 3, 4), [0, 0, 0, 1]];
    J = state.J_b;
    w.set(logarithm(kernels, kernels.between_kernel(state.T, target).T_between), ERROR);
  };
  const model = (w: Float64Array) => {
    const V = part(w, ERROR, 6);
    const slope: Matrix = exact ? kernels.left_jacobian_inverse_se3_kernel(V).J : identity(6);
    const single = transposed(J).map((column) => kernels.model_kernel(part(w, PARAMETERS, 6), slope, column, V));
    w.set(transposed(single.map(({ a }) => a as number[])).flat(), MODEL);
    w.set(single[0].e, RESIDUAL);
  };
  const damp = (w: Float64Array) => {
    const E = (kernels.half_square as unknown as PrintedFunction)(part(w, RESIDUAL, 6)) as number;
    w[DAMPING] = w[PARAMETERS + 6] + w[PARAMETERS + 7] * E;
  };
  const step = (w: Float64Array) => {
    const active = part(w, ACTIVE, n);
    const A = rows(w, MODEL, 6, n).map((row) => row.map((entry, i) => entry * (1 - active[i])));
    const columns = transposed(A);
    const start = identity(6).map((row) => row.map((entry) => w[DAMPING] * entry));
    const M = columns.reduce((sum, column) => kernels.gram_kernel(sum, column).sum, start);
    const { y, margins } = kernels.rows_kernel(M, part(w, RESIDUAL, 6));
    const d = columns.map((column) => kernels.joint_step_kernel(column, y).d[0]);
    w.set(d, STEP);
    w.fill(1, MARGINS, DAMPING).set(margins, MARGINS);
  };
  const always = () => {}; // initially the accepted iterate
  const functions: ((w: Float64Array) => unknown)[] = [evaluate, model, always, damp, step, step];
  return (w: Float64Array, which: number) => functions[which]?.(w);
}
