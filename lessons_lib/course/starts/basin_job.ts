/** Where the starts of an arm with two joints lead: one start, or a grid of them that grows finer pass by pass. */

import { loadKernels, type Matrix } from "../../../front/src/kernels.ts";
import { TURN, wrapped } from "../../../front/src/numbers.ts";
import { type Method, Solver, type Status, type Stop } from "../../../front/src/solver.ts";

/** To no solution, to the first, to the second. */
export const [NOWHERE, FIRST, SECOND] = [0, 1, 2];
/** Of a start that an earlier pass has computed. */
export const KNOWN = 255;
const NEAR = 1e-2; // rad: what ends so near to a solution has reached it

export interface Asked {
  source: string;
  target: Matrix;
  method: Method;
  stop: Stop;
  /** The two configurations that reach the target [rad]. */
  solutions: number[][];
  /** Starts a side in the end. */
  size: number;
  /** Every so manieth start is computed, pass after pass, the last of them 1. */
  strides: number[];
}

/** A row of starts of a pass: where each leads, and after how many steps. */
export interface Patch {
  stride: number;
  row: number;
  led: Uint8Array;
  steps: Uint8Array;
}

/** Return the angle of a place on a side of the grid [rad], from −π up to just below π. */
export function angleAt(place: number, size: number): number {
  return -Math.PI + (TURN / size) * place;
}

/** Return which solution a solve has come to, by its last iterate. */
export function fateOf({ status, q }: { status: Status; q: number[] }, solutions: number[][]): number {
  if (status !== "converged") return NOWHERE;
  const at = solutions.findIndex((solution) => q.every((angle, i) => Math.abs(wrapped(angle - solution[i])) < NEAR));
  return at === 0 ? FIRST : at === 1 ? SECOND : NOWHERE;
}

/** Compute the grid, a row at a time, each pass finer than the one before. */
export function* patches({ source, target, method, stop, solutions, size, strides }: Asked): Generator<Patch> {
  const solver = new Solver(loadKernels(source), "planar", 2);
  let before = 0;
  for (const stride of strides) {
    const count = size / stride;
    for (let row = 0; row < size; row += stride) {
      const [led, steps] = [new Uint8Array(count), new Uint8Array(count)];
      for (let k = 0; k < count; k++) {
        const column = k * stride;
        if (before > 0 && column % before === 0 && row % before === 0) {
          led[k] = KNOWN;
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

/** Take rows of a grid for some milliseconds; fewer than any are its end. */
export function some(grid: Generator<Patch>, ms: number): Patch[] {
  const [taken, end] = [[] as Patch[], performance.now() + ms];
  do {
    const next = grid.next();
    if (next.done) break;
    taken.push(next.value);
  } while (performance.now() < end);
  return taken;
}
