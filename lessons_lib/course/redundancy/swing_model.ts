/** The self-motion of a 7R arm: postures with one pose of the tip, one for each arm angle. */

import { type Kernels, logarithm, type Matrix, type PrintedFunction, packMatrix } from "../../../front/src/kernels.ts";
import { DEGREE, wrapped } from "../../../front/src/numbers.ts";

const TURNS = 30; // largest number of Newton steps to a posture; four are usual
const CLOSE = 1e-13; // rad and m

export interface Posture {
  q: number[];
  /** Error twist of the tip, rad and m. */
  twist: number[];
  J: Matrix;
  /** J⁺. */
  P: Matrix;
  /** Shoulder, elbow and wrist in {s} [m]. */
  points: Matrix;
  /** ∂ψ/∂q, one row. */
  row: Matrix;
}

/** An objective at a posture, and the rate of the arm angle by its secondary rates N z [1/s]. */
export interface Judgement {
  value: number;
  turn: number;
}

export class Swing {
  private readonly kernels: Kernels;
  private readonly tag: string;
  private readonly pose: Matrix;

  constructor(kernels: Kernels, tag: string, ready: number[]) {
    this.kernels = kernels;
    this.tag = tag;
    this.pose = kernels[`chain_${tag}`](ready).T;
  }

  /** Return the posture with the tip's pose and an arm angle [°], from a nearby one: the pose first, ψ second. */
  find(near: number[], degrees: number): Posture {
    let q = near;
    for (let turn = 0; ; turn++) {
      const { twist, J, P, points, row, psi } = this.look(q);
      const left = wrapped(degrees * DEGREE - psi);
      if (Math.max(Math.abs(left), ...twist.map(Math.abs)) < CLOSE || turn === TURNS) {
        return { q, twist, J, P, points, row };
      }
      const { d } = this.kernels.swing_kernel(J, P, row, twist, [left]);
      q = q.map((angle, i) => angle + d[i]);
    }
  }

  /** Return postures at multiples of a step [°], from −ends to ends, each solved from its neighbour. */
  follow(ready: number[], ends: number, step: number): Posture[] {
    const first = this.find(ready, 0);
    const side = (sign: number) => {
      const postures: Posture[] = [];
      for (let k = 1; k * step <= ends; k++) {
        postures.push(this.find(postures[k - 2]?.q ?? first.q, sign * k * step));
      }
      return postures;
    };
    return [...side(-1).reverse(), first, ...side(1)];
  }

  /** Return H, the squared distance of the joints from mid-range, and the effect of z = −k ∇H. */
  middle({ q, J, P, row }: Posture, gain: number): Judgement {
    const { value, gradient } = this.kernels.middle_kernel(q);
    return { value: value[0], turn: this.turn(J, P, row, gradient, -gain) };
  }

  /** Return w, the manipulability, and the effect of z = k ∇w. */
  measure({ J, P, row }: Posture, gain: number): Judgement {
    const { value, gradient } = this.kernels.measure_kernel(J, P);
    return { value: value[0], turn: this.turn(J, P, row, gradient, gain) };
  }

  private turn(J: Matrix, P: Matrix, row: Matrix, gradient: number[], gain: number): number {
    const z = gradient.map((entry) => gain * entry);
    return Number(this.kernels.descent_kernel(J, P, row, z).turn[0]);
  }

  private look(q: number[]) {
    const { T, J_b: J } = this.kernels[`chain_${this.tag}`](q);
    const twist = logarithm(this.kernels, this.kernels.between_kernel(T, this.pose).T_between);
    const { points, pair, row } = this.kernels.elbow_kernel(q);
    const columns = twist.map((_, k) => this.step(J, k));
    const P = q.map((_, i) => columns.map((column) => column[i]));
    return { q, twist, J, P, points, row: row as Matrix, psi: Math.atan2(Number(pair[0]), Number(pair[1])) };
  }

  /** Return a column of J⁺: the shortest joint step for one component of a twist. */
  private step(J: Matrix, component: number): number[] {
    const [rows, columns] = [J.length, J[0].length];
    const square = J.map((row) => row.slice(0, rows));
    const [d, free] = [0, 0].map(() => Array<number>(columns).fill(0));
    const unit = J.map((_, i) => Number(i === component));
    const scratch = [packMatrix(J[0].map(() => unit)), packMatrix(square)];
    (this.kernels.least_squares_step as unknown as PrintedFunction)(packMatrix(J), unit, free, ...scratch, d);
    return d;
  }
}
