/** Matrices and vectors as arrays of numbers. */

import type { Matrix } from "./kernels.ts";

export function identity(size: number): Matrix {
  return [...Array(size).keys()].map((i) => [...Array(size).keys()].map((j) => Number(i === j)));
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
