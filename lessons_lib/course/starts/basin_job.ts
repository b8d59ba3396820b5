/** Results of the starts of a 2R arm: one start, or a grid that is refined pass by pass. */

import { loadKernels, type Matrix } from "../../../front/src/kernels.ts";
import { TURN, wrapped } from "../../../front/src/numbers.ts";
import { type Method, Solver, type Status, type Stop } from "../../../front/src/solver.ts";

/** No solution, the first, the second. */
export const [NOWHERE, FIRST, SECOND] = [0, 1, 2];
/** Mark of a start computed in an earlier pass. */
export const LAST = 255;
const NEAR = 1e-2; // rad: a result this near to a solution has reached it

export interface Request {
  source: string;
  target: Matrix;
  method: Method;
  stop: Stop;
  /** The two solutions [rad]. */
  solutions: number[][];
  /** Starts per side in the end. */
  size: number;
  /** Strides of the passes, the last of them 1. */
  strides: number[];
}

/** A row of starts of a pass: solution and number of steps of each. */
export interface Patch {
  stride: number;
  row: number;
  led: Uint8Array;
  steps: Uint8Array;
}

/** Return the angle at a grid index [rad], from −π up to just below π. */
export function angleAt(place: number, size: number): number {
  return -Math.PI + (TURN / size) * place;
}

/** Return the solution that a solve has reached, by its last iterate. */
export function fateOf({ status, q }: { status: Status; q: number[] }, solutions: number[][]): number {
  if (status !== "converged") return NOWHERE;
  const at = solutions.findIndex((solution) => q.every((angle, i) => Math.abs(wrapped(angle - solution[i])) < NEAR));
  return at === 0 ? FIRST : at === 1 ? SECOND : NOWHERE;
}

/** Compute the grid row by row, each pass finer than the one before. */
export function* patches({ source, target, method, stop, solutions, size, strides }: Request): Generator<Patch> {
  const solver = new Solver(loadKernels(source), "planar", 2);
  let before = 0;
  for (const stride of strides) {
    const count = size / stride;
    for (let row = 0; row < size; row += stride) {
      const [led, steps] = [new Uint8Array(count), new Uint8Array(count)];
      for (let k = 0; k < count; k++) {
        const column = k * stride;
        if (before > 0 && column % before === 0 && row % before === 0) {
          led[k] = LAST;
          continue;
        }
        const end = solver.end(target, [angleAt(column, size), angleAt(row, size)], method, stop);
        led[k] = fateOf(end, solutions);
        steps[k] = end.steps;
      }
      yield { stride, row, led, steps };
    }
    before = stride;
  }
}

/** Compute rows of a grid for some milliseconds; an empty result is the end. */
export function some(grid: Generator<Patch>, ms: number): Patch[] {
  const [donePatches, end] = [[] as Patch[], performance.now() + ms];
  do {
    const next = grid.next();
    if (next.done) break;
    donePatches.push(next.value);
  } while (performance.now() < end);
  return donePatches;
}
