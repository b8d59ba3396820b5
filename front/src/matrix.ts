/** Matrices and vectors as arrays of numbers. */

import type { Matrix } from "./kernels.ts";

export function identity(size: number): Matrix {
  return [...Array(size).keys()].map((i) => [...Array(size).keys()].map((j) => Number(i === j)));
}

/** Return a rotation as a pose at a point. */
export function poseAt(R: Matrix, p = [0, 0, 0]): Matrix {
  return [...R.map((row, i) => [...row, p[i]]), [0, 0, 0, 1]];
}

/** Return the pose of a translation. */
export function translation(p: number[]): Matrix {
  return poseAt(identity(3), p);
}

/** Return the pose of a rotation about z at a point. */
export function aboutZ(angle: number, [x, y, z]: number[]): Matrix {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const rows = [c, -s, 0, x, s, c, 0, y, 0, 0, 1, z, 0, 0, 0, 1];
  return [0, 4, 8, 12].map((k) => rows.slice(k, k + 4));
}

export function transposed(A: Matrix): Matrix {
  return A[0].map((_, j) => A.map((row) => row[j]));
}

export function product(A: Matrix, B: Matrix): Matrix {
  return A.map((row) => B[0].map((_, j) => row.reduce((sum, entry, k) => sum + entry * B[k][j], 0)));
}

export function length(vector: number[]): number {
  return Math.hypot(...vector);
}

export function dot(one: number[], other: number[]): number {
  return one.reduce((sum, entry, i) => sum + entry * other[i], 0);
}
