/** A solve from one start: the search of `pose_ik`, printed by `live/search.py`, and its iterates. */

import { type Kernels, type Matrix, type PackedMatrix, type PrintedFunction, packMatrix } from "./kernels.ts";

export interface Method {
  /** Damping policy, a name of `studies.METHODS`. */
  name: string;
  /** Kind of the kernels: see `kind_of` in `live/method_data.py`. */
  kind: string;
  /** Damping parameter λ, w or τ. */
  parameter: number;
  /** Six weights, (ω, v). */
  weights: number[];
}

export interface Stop {
  orientation: number; // rad
  position: number; // m
  steps: number;
  /** Words for the statuses by the search's codes. */
  statuses: Record<string, Status>;
}

export interface Iterate {
  q: number[];
  /** V_b, (ω, v) in rad and m, or the split error. */
  twist: number[];
}

export type Status = "converged" | "stalled" | "out of steps" | "not finite";

export interface Run {
  /** After a rejected step the iterate repeats. */
  iterates: Iterate[];
  /** Number of attempted steps. */
  steps: number;
  status: Status;
}

export const EQUAL = [1, 1, 1, 1, 1, 1];

/** An arm and its kernels. */
export class Solver {
  private readonly kernels: Kernels;
  private readonly tag: string;
  private readonly dof: number;
  private trace: PackedMatrix;

  constructor(kernels: Kernels, tag: string, dof: number) {
    this.kernels = kernels;
    this.tag = tag;
    this.dof = dof;
    this.trace = { at: new Float64Array(0), rows: 0, columns: dof + 8 };
  }

  pose(q: number[]): Matrix {
    return this.kernels[`chain_${this.tag}`](q).T;
  }

  /** Solve; `joints` are rows of lower limit, upper limit and 0, which no step exceeds. */
  solve(target: Matrix, start: number[], method: Method, stop: Stop, joints?: Matrix): Run {
    const { status, steps } = this.end(target, start, method, stop, joints);
    const iterates = [...Array(steps + 1).keys()].map((k) => this.iterate(k));
    return { status, steps, iterates: iterates.filter(({ twist }) => twist.every(Number.isFinite)) };
  }

  /** Solve, and return only the last iterate. */
  end(target: Matrix, start: number[], method: Method, stop: Stop, joints?: Matrix): Omit<Run, "iterates"> & Iterate {
    const { kernels, tag, dof } = this;
    const rows = stop.steps + 1;
    if (this.trace.rows !== rows) this.trace = { ...this.trace, at: new Float64Array(rows * (dof + 8)), rows };
    const policy = kernels[`${method.name.replace(/-/g, "_")}_numbers`];
    const numbers = policy ? policy([method.parameter]).numbers : [0, 0];
    const stopping = [Number(policy !== undefined), stop.orientation, stop.position, stop.steps, ...method.weights];
    const limits = joints ?? start.map(() => [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0]);
    const own = [this.trace, kernels[`run_${tag}_${method.kind}`], kernels[`at_${tag}_${method.kind}`]()];
    const problem = [packMatrix(target), start, packMatrix(limits), joints !== undefined];
    const inputs = [...problem, [...stopping, ...numbers], ...own];
    const [code, steps] = (kernels.run_once as unknown as PrintedFunction)(...inputs) as number[];
    return { status: stop.statuses[code], steps, ...this.iterate(steps) };
  }

  private iterate(k: number): Iterate {
    const { at, columns } = this.trace;
    const row = [...at.subarray(k * columns, (k + 1) * columns)];
    return { q: row.slice(0, this.dof), twist: row.slice(this.dof, this.dof + 6) };
  }
}

/** Return |ω| of a twist [rad]. */
export function angleOf(twist: number[]): number {
  return Math.hypot(twist[0], twist[1], twist[2]);
}

/** Return |v| of a twist [m]. */
export function distanceOf(twist: number[]): number {
  return Math.hypot(twist[3], twist[4], twist[5]);
}

/** Return the largest change of a joint between consecutive iterates [rad]. */
export function largestStep(iterates: Iterate[]): number {
  const steps = iterates.slice(1).map(({ q }, k) => q.map((angle, i) => Math.abs(angle - iterates[k].q[i])));
  return Math.max(0, ...steps.flat());
}
