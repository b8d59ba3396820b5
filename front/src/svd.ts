/** Singular value decomposition of a small matrix, by the Jacobi rotations of the library's undamped step. */

import { type Kernels, type Matrix, type PrintedFunction, packMatrix } from "./kernels.ts";
import { dot, length, transposed } from "./matrix.ts";

const GONE = 1e-14; // relative to the largest: a smaller singular value is zero

export interface Svd {
  /** Singular values, one per row, largest first; those beyond the number of columns are zero. */
  sigma: number[];
  /** Left singular vectors u_i; where σ is zero they complete the basis. */
  u: Matrix;
  /** Right singular vectors: J y_i = σ_i u_i. */
  y: Matrix;
}

/** Return the decomposition of a matrix; with fewer columns than rows, the remaining values are zero. */
export function svd(kernels: Kernels, J: Matrix): Svd {
  const { columns, basis } = rotateRows(kernels, J);
  const sigma = columns.map(length);
  const order = sigma.map((_, i) => i).sort((i, j) => sigma[j] - sigma[i]);
  return {
    sigma: order.map((i) => sigma[i]),
    u: order.map((i) => basis[i]),
    y: order.map((i) => columns[i].map((entry) => (sigma[i] > 0 ? entry / sigma[i] : 0))),
  };
}

/** Return an orthonormal basis of the null space of a matrix. */
export function nullSpace(kernels: Kernels, J: Matrix): Matrix {
  const { columns, basis } = rotateRows(kernels, transposed(J));
  const least = GONE * Math.max(...columns.map(length));
  return basis.filter((_, i) => length(columns[i]) <= least);
}

/** Return J times each of some vectors, as columns. */
export function multiplyColumns(J: Matrix, vectors: Matrix): Matrix {
  return J.map((row) => vectors.map((vector) => dot(row, vector)));
}

/** Return the orthogonal columns of Jᵀ U, and those of the rotation U. */
function rotateRows(kernels: Kernels, J: Matrix): { columns: Matrix; basis: Matrix } {
  const [columns, basis] = [packMatrix(transposed(J)), packMatrix(J.map(() => J.map(() => 0)))];
  (kernels.rotate_rows as unknown as PrintedFunction)(packMatrix(J), columns, basis);
  const column = ({ at, columns: count }: typeof basis, i: number) => [...at.filter((_, k) => k % count === i)];
  return { columns: J.map((_, i) => column(columns, i)), basis: J.map((_, i) => column(basis, i)) };
}
