/** A solve, step by step: evaluate, test, step, accept. The counterpart of the readable loop in `pose_ik/loop.py`. */

import type { Kernels, Matrix } from "./kernels.ts";

export interface Method {
  /** A name of `studies.MENU`. */
  name: string;
  /** λ, w or τ. */
  parameter: number;
  /** Six, (ω, v). */
  weights: number[];
  /** Whether the derivative is J_l(V)⁻¹ J and not J itself. */
  exact: boolean;
  /** Whether the error is (ω, p_d − p) along the axes of {s}, and the derivative its own. */
  split?: boolean;
}

export interface Stop {
  orientation: number; // rad
  position: number; // m
  steps: number;
  stall: number; // rad or m, relative above 1
  /** Of a trust region: the least gain of a step that is taken. */
  accept: number;
}

export interface Iterate {
  q: number[];
  /** V_b, (ω, v) in rad and m, or the split error. */
  twist: number[];
  /** The Jacobian and the error in the method's frame. */
  J: Matrix;
  error: number[];
}

export type Status = "converged" | "stalled" | "out of steps" | "not finite";

export interface Run {
  iterates: Iterate[];
  /** D of each step. */
  damping: number[];
  /** Whether each step was taken; where it was not, the iterate after it repeats. */
  accepted: boolean[];
  status: Status;
}

export const PLAIN = { weights: [1, 1, 1, 1, 1, 1], exact: false };

interface Model {
  A: Matrix;
  e: number[];
  E: number;
}

/** An arm and the kernels that move it. */
export class Solver {
  private readonly kernels: Kernels;
  private readonly name: string;
  private readonly dof: number;

  constructor(kernels: Kernels, name: string, dof: number) {
    this.kernels = kernels;
    this.name = name;
    this.dof = dof;
  }

  pose(q: number[]): Matrix {
    return this.kernels[`chain_${this.name}`](q).T;
  }

  /** Solve; with `joints`, rows of lower and upper end and 0, no step leads past an end. */
  solve(target: Matrix, start: number[], method: Method, stop: Stop, joints?: Matrix): Run {
    const frame = method.split ? "split" : method.name === "newton-space" ? "space" : "body";
    const first = this.evaluate(target, start, frame);
    const run: Run = { iterates: [], damping: [], accepted: [], status: "not finite" };
    if (!first) return run;
    run.iterates.push(first);
    let here = first;
    let resting = false;
    let memory: number[] | undefined; // of a trust region: D and the growth of the next refusal
    while (!this.reached(here.twist, method.weights, stop)) {
      if (resting || run.accepted.length === stop.steps) {
        run.status = resting ? "stalled" : "out of steps";
        return run;
      }
      let model = this.model(here, method);
      const held = zeros(this.dof);
      const free = () =>
        this.model({ ...here, J: here.J.map((row) => row.map((entry, i) => (held[i] ? 0 : entry))) }, method);
      if (joints) {
        if (this.kernels.hold(model.A, model.e, here.q, joints, held)) {
          run.status = "stalled";
          return run;
        }
        model = free();
      }
      if (method.name === "trust-region") memory ??= [this.firstDamping(model, method.parameter), 2];
      const D = memory ? memory[0] : this.damping(model, method);
      let d = this.step(model, D);
      while (joints && this.kernels.hold_more(here.q, d, joints, held)) d = this.step(free(), D);
      const there = here.q.map((angle, i) => angle + d[i]);
      if (joints) this.kernels.stop_at_limits(here.q, d, joints, there);
      const ahead = this.evaluate(target, there, frame);
      run.damping.push(D);
      if (!ahead) {
        run.iterates.push(here);
        run.accepted.push(false);
        return run;
      }
      resting = largest(d) <= stop.stall * Math.max(1, largest(here.q));
      let taken = true;
      if (memory) {
        const promise = this.kernels[`promise_${this.dof}`](model.A, model.e, d, [D]).promise;
        const gain = this.kernels.gain_kernel([model.E, this.model(ahead, method).E], promise).gain;
        taken = gain[0] > stop.accept;
        memory = this.kernels.learn_kernel(memory, gain, [stop.accept]).next;
      }
      if (taken) here = ahead;
      run.iterates.push(here);
      run.accepted.push(taken);
    }
    run.status = "converged";
    return run;
  }

  /** Return what the loop sees at q, or nothing where that is no longer finite. */
  evaluate(target: Matrix, q: number[], frame = "body"): Iterate | undefined {
    if (!q.every(Number.isFinite)) return undefined;
    const { T, J_b } = this.kernels[`chain_${this.name}`](q);
    const missing = this.kernels.between_kernel(T, target).T_between;
    const twist = logarithm(this.kernels, missing);
    const seen = { q, twist, J: J_b as Matrix, error: twist };
    if (frame === "split") {
      const { e, L } = this.kernels.split_along_axes_kernel(twist, missing, target);
      Object.assign(seen, { twist: e, J: times(L, J_b), error: e });
    }
    if (frame === "space") {
      const { Ad } = this.kernels.adjoint_kernel(T);
      Object.assign(seen, { J: times(Ad, J_b), error: Ad.map((row: number[]) => dot(row, twist)) });
    }
    return Number.isFinite(dot(seen.J.flat(), seen.J.flat()) + dot(seen.error, seen.error)) ? seen : undefined;
  }

  /** Return the weighted linear model at an iterate, and E. */
  model({ J, error }: Iterate, { name, weights, exact, split = false }: Method): Model {
    const slope = !split && (exact || name === "gauss-newton") ? times(this.slope(error), J) : J;
    const { A, e, E } = this.kernels[`model_${this.dof}`](weights.map(Math.sqrt), slope, error);
    return { A, e, E: E[0] };
  }

  damping({ E }: Model, { name, parameter }: Method): number {
    const policy = this.kernels[`${name.replace(/-/g, "_")}_damping`];
    return policy ? Number(policy([E], [parameter]).damping[0]) : 0;
  }

  /** Return the step for a damping D; where rounding hides a pivot, or there is no damping, by the pseudoinverse. */
  step({ A, e }: Model, D: number): number[] {
    if (D > 0) {
      const columns = A[0].filter((_, j) => A.some((row) => row[j] !== 0)).length;
      const rows = A.filter((row) => row.some((entry) => entry !== 0)).length;
      const system = columns > rows ? "rows" : "columns";
      const { d, margins } = this.kernels[`damped_step_${this.dof}_by_${system}`](A, e, [D]);
      if (margins.every((margin) => margin > 0)) return d;
    }
    const n = this.dof;
    const d = zeros(n);
    const size = Math.min(n, 6);
    const scratch = [
      Array.from({ length: Math.max(n, 6) }, () => zeros(size)),
      Array.from({ length: size }, () => zeros(size)),
    ];
    this.kernels.least_squares_step(A, e, zeros(n), ...scratch, d);
    return d;
  }

  private firstDamping({ A }: Model, initial: number): number {
    return this.kernels[`first_damping_${this.dof}`](A, [initial]).damping[0];
  }

  private slope(error: number[]): Matrix {
    return this.kernels.left_jacobian_inverse_se3_kernel(error).J;
  }

  private reached(twist: number[], weights: number[], stop: Stop): boolean {
    const judged = twist.map((entry, i) => (weights[i] > 0 ? entry : 0));
    return angleOf(judged) <= stop.orientation && distanceOf(judged) <= stop.position;
  }
}

export function logarithm(kernels: Kernels, T: Matrix): number[] {
  const xi = zeros(6);
  kernels.log_se3_kernel(T, xi);
  return xi;
}

/** Return |ω| of a twist [rad]. */
export function angleOf(twist: number[]): number {
  return Math.hypot(twist[0], twist[1], twist[2]);
}

/** Return |v| of a twist [m]. */
export function distanceOf(twist: number[]): number {
  return Math.hypot(twist[3], twist[4], twist[5]);
}

/** Return the largest step of a joint in a run [rad]. */
export function largestStep({ iterates }: Run): number {
  return iterates
    .slice(1)
    .reduce((most, { q }, k) => Math.max(most, largest(q.map((angle, i) => angle - iterates[k].q[i]))), 0);
}

function largest(values: number[]): number {
  return Math.max(...values.map(Math.abs));
}

function dot(one: number[], other: number[]): number {
  return one.reduce((sum, entry, i) => sum + entry * other[i], 0);
}

function times(A: Matrix, B: Matrix): Matrix {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, entry, k) => sum + entry * B[k][j], 0)));
}

function zeros(count: number): number[] {
  return Array<number>(count).fill(0);
}
