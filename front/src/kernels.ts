/** The generated kernels: text that Python printed from the derivation becomes functions here. */

export type Matrix = number[][];
export type Kernel = (...inputs: (number[] | Matrix)[]) => Record<string, number[] & Matrix>; // of a plain file, what it says
export type Kernels = Record<string, Kernel>;

/** Return the functions that a script declares, by name. The text comes from our own printer, never from a reader. */
export function loadKernels(source: string): Kernels {
  const names = [...source.matchAll(/^function (\w+)\(/gm)].map((found) => found[1]);
  return new Function(`${source}\nreturn {${names.join(", ")}};`)() as Kernels;
}
