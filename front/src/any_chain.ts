/** Any chain of screws: loops over its joints, in which every formula is a kernel of `live/any_chain.py`. */

import type { Kernels, Matrix } from "./kernels.ts";

export const TAG = "any";

export interface Chain {
  name: string;
  /** Of the joints, from the base to the tip. */
  names: string[];
  kinds: string[];
  /** (ω, v) of each joint at q = 0, in the frame of the base. */
  screws: Matrix;
  /** The pose of the tip at q = 0. */
  home: Matrix;
  /** Lower and upper end of each joint [rad or m]. */
  limits: number[][];
  /** The frames of the links on the way, at q = 0 [m], by how many joints each is moved, and the one on each joint. */
  corners: Matrix;
  carriers: number[];
  joints: number[];
}

/** The frames of the links on the way from base to tip, noted one after the other. */
export class Corners {
  readonly corners: Matrix = [[0, 0, 0]];
  readonly carriers = [0];
  readonly joints: number[] = [];

  /** Note the place of a frame [m], unless the last one is there. */
  reach(T: Matrix, always = false): void {
    const at = [0, 1, 2].map((i) => T[i][3]);
    const last = this.corners[this.corners.length - 1];
    if (!always && at.every((entry, i) => Math.abs(entry - last[i]) <= 1e-9)) return;
    this.corners.push(at);
    this.carriers.push(this.joints.length);
  }

  /** Note a joint at the last place; one that slides carries the next. */
  addJoint(slides: boolean, T: Matrix): void {
    this.joints.push(this.corners.length - 1);
    if (slides) this.reach(T, true);
  }
}

/** Return the kernels with those of one arm, as the iteration and the pictures call them. */
export function kernelsOf(kernels: Kernels, chain: Chain): Kernels {
  const n = chain.screws.length;
  const walk = (q: number[]) => {
    const links = [identity(4)];
    const columns = chain.screws.map((screw, i) => {
      const pass = chain.kinds[i] === "prismatic" ? kernels.slide_kernel : kernels.turn_kernel;
      const { T_after, column } = pass(links[i], screw, [q[i]]);
      links.push(T_after);
      return column as number[];
    });
    return { links, columns, T: kernels.product_kernel(links[n], chain.home).T as Matrix };
  };
  const step = (A: Matrix, e: number[], [damping]: number[]) => {
    const columns = transposed(A);
    const start = identity(6).map((row) => row.map((entry) => damping * entry));
    const M = columns.reduce((sum, column) => kernels.gram_kernel(sum, column).sum, start);
    const { y, margins } = kernels.rows_kernel(M, e);
    return { d: columns.map((column) => kernels.joint_step_kernel(column, y).d[0]), margins };
  };
  const own = {
    [`chain_${TAG}`]: (q: number[]) => {
      const { columns, T } = walk(q);
      return { T, J_b: transposed(columns.map((column) => kernels.seen_kernel(T, column).seen)) };
    },
    [`arm_${TAG}`]: (q: number[]) => {
      const { links, columns, T } = walk(q);
      const points = chain.corners.map((at, k) => kernels.carried_kernel(links[chain.carriers[k]], at).carried);
      return { T, J_s: transposed(columns), points, links: links.flatMap((moved) => moved.slice(0, 3)) };
    },
    [`model_${n}`]: (roots: number[], J: Matrix, V: number[]) => {
      const single = transposed(J).map((column) => kernels.model_1(roots, transposed([column]), V));
      return { A: transposed(single.map(({ A }) => transposed(A)[0])), e: single[0].e, E: single[0].E };
    },
    [`damped_step_${n}_by_rows`]: step,
    [`damped_step_${n}_by_columns`]: step, // the same step, and the system of the rows is as large for every chain
  };
  return { ...kernels, ...(own as unknown as Kernels) };
}

export function identity(size: number): Matrix {
  return [...Array(size).keys()].map((i) => [...Array(size).keys()].map((j) => Number(i === j)));
}

function transposed(A: Matrix): Matrix {
  return A[0].map((_, j) => A.map((row) => row[j]));
}
