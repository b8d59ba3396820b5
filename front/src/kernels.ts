/** Generated kernels: JavaScript printed from the derivation by Python, loaded as functions. */

export type Matrix = number[][];
export type Kernel = (...inputs: (number[] | Matrix)[]) => Record<string, number[] & Matrix>;
export type Kernels = Record<string, Kernel>;

/** A function printed from plain Python; it takes arrays and packed matrices. */
export type PrintedFunction = (...values: unknown[]) => unknown;

/** A matrix row by row, as printed functions take it. */
export interface PackedMatrix {
  at: Float64Array;
  rows: number;
  columns: number;
}

/** Return the functions that a script declares, by name. The text comes from our own printer, never from a reader. */
export function loadKernels(source: string): Kernels {
  const names = [...source.matchAll(/^function (\w+)\(/gm)].map((match) => match[1]);
  return new Function(`${source}\nreturn {${names.join(", ")}};`)() as Kernels;
}

export function packMatrix(A: Matrix): PackedMatrix {
  return { at: Float64Array.from(A.flat()), rows: A.length, columns: A[0].length };
}

/** Return the twist whose exponential is a pose, rad and m. */
export function logarithm(kernels: Kernels, T: Matrix): number[] {
  const xi = [0, 0, 0, 0, 0, 0];
  (kernels.log_se3_kernel as unknown as PrintedFunction)(packMatrix(T), xi);
  return xi;
}
