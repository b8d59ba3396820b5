/** The singular value decomposition of a small matrix, by Jacobi's rotations of its columns: linear algebra, no kinematics. */

import type { Matrix } from "./kernels.ts";
import { dot, identity, length, transposed } from "./matrix.ts";

const SWEEPS = 60;
const PERPENDICULAR = 1e-15; // cosine of the angle between two columns that count as perpendicular
const GONE = 1e-12; // of the largest: a smaller singular value is zero

export interface Svd {
  /** The singular values, one a row, the largest first; those beyond the number of columns are zero. */
  sigma: number[];
  /** Their directions u_i, each of length one; where σ is zero they complete the basis. */
  u: Matrix;
  /** Combinations of the columns: J y_i = σ_i u_i. */
  y: Matrix;
}

/** Return the decomposition of a matrix; one with fewer columns than rows has as many zeros. */
export function svd(J: Matrix): Svd {
  const turned = perpendicular(J); // Jᵀ U, row by row: what is left of each row after the rotations
  const sigma = turned.columns.map(length);
  const order = sigma.map((_, i) => i).sort((i, j) => sigma[j] - sigma[i]);
  return {
    sigma: order.map((i) => sigma[i]),
    u: order.map((i) => turned.basis[i]),
    y: order.map((i) => turned.columns[i].map((entry) => (sigma[i] > 0 ? entry / sigma[i] : 0))),
  };
}

/** Return a basis of the combinations that a matrix makes nothing of, each of length one. */
export function nullSpace(J: Matrix): Matrix {
  const { columns, basis } = perpendicular(transposed(J));
  const least = GONE * Math.max(...columns.map(length));
  return basis.filter((_, i) => length(columns[i]) <= least);
}

/** Return J times each of some vectors, as columns. */
export function applied(J: Matrix, vectors: Matrix): Matrix {
  return J.map((row) => vectors.map((vector) => dot(row, vector)));
}

/** Turn the rows of a matrix among each other until they are perpendicular (Hestenes 1958); `basis` says how. */
function perpendicular(J: Matrix): { columns: Matrix; basis: Matrix } {
  const columns = J.map((row) => [...row]);
  const basis = identity(J.length);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let still = true;
    for (let i = 0; i < J.length; i++) {
      for (let j = i + 1; j < J.length; j++) {
        const [a, b, c] = [dot(columns[i], columns[i]), dot(columns[j], columns[j]), dot(columns[i], columns[j])];
        if (Math.abs(c) <= PERPENDICULAR * Math.sqrt(a * b)) continue;
        still = false;
        const half = (b - a) / (2 * c);
        const tangent = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.hypot(1, half));
        const cosine = 1 / Math.hypot(1, tangent);
        for (const rows of [columns, basis]) turn(rows, i, j, cosine, cosine * tangent);
      }
    }
    if (still) break;
  }
  return { columns, basis };
}

function turn(rows: Matrix, i: number, j: number, cosine: number, sine: number): void {
  const [one, other] = [rows[i], rows[j]];
  rows[i] = one.map((entry, k) => cosine * entry - sine * other[k]);
  rows[j] = one.map((entry, k) => sine * entry + cosine * other[k]);
}
