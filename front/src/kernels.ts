/** The generated kernels: text that Python printed from the derivation becomes functions here. */

export type Matrix = number[][];
export type Kernel = (...inputs: (number[] | Matrix)[]) => Record<string, number[] & Matrix>;
export type Kernels = Record<string, Kernel>;

/** A function printed from plain Python, which takes rows of numbers and packed matrices. */
export type Printed = (...given: unknown[]) => unknown;

/** A matrix as printed functions take it, row by row. */
export interface Packed {
  at: Float64Array;
  rows: number;
  columns: number;
}

/** Return the functions that a script declares, by name. The text comes from our own printer, never from a reader. */
export function loadKernels(source: string): Kernels {
  const names = [...source.matchAll(/^function (\w+)\(/gm)].map((found) => found[1]);
  return new Function(`${source}\nreturn {${names.join(", ")}};`)() as Kernels;
}

export function packed(A: Matrix): Packed {
  return { at: Float64Array.from(A.flat()), rows: A.length, columns: A[0].length };
}

/** Return the twist whose exponential is a pose, rad and m. */
export function logarithm(kernels: Kernels, T: Matrix): number[] {
  const xi = [0, 0, 0, 0, 0, 0];
  (kernels.log_se3_kernel as unknown as Printed)(packed(T), xi);
  return xi;
}
