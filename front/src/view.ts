/** Interface of a view: it draws the values of the controls, and describes them in a sentence and in numbers. */

import type { Kernels } from "./kernels.ts";
import type { Specification } from "./specification.ts";
import type { State } from "./state.ts";

export interface Reading {
  sentence: string;
  /** "bad" without a solution, or with another one than requested. */
  tone?: "plain" | "good" | "bad";
  /** A table below the sentence: its headings, and rows that begin with their name. */
  heads?: string[];
  rows?: string[][];
  /** Colour of each row's name, if the row is drawn in one. */
  colours?: string[];
  /** Facts that a question checks, by the names of Python's `facts`. */
  facts?: Record<string, number>;
}

export interface Stage<Data = Record<string, never>> {
  root: HTMLElement;
  specification: Specification;
  /** The figure's own data. */
  data: Data;
  kernels: Kernels;
  state: State;
  /** Request a redraw at the next frame. */
  redraw(): void;
  /** Whether a question is open and its answer hidden. */
  isVeiled(): boolean;
}

export interface View {
  draw(): Reading;
  /** Restore what the next drawing depends on besides the controls. */
  reset?(): void;
  /** Disposal when the figure is removed, and what Reset restores: the camera, the step of a solve. */
  parts(): { dispose(): void; reset?(): void }[];
}

export type MakeView = (stage: Stage<never>) => View;

/** Return a function that computes a value again if its inputs have changed, and then calls `changed`. */
export function memo<T>(changed = () => {}): (inputs: unknown, compute: () => T) => T {
  let known: { key: string; value: T } | undefined;
  return (inputs, compute) => {
    const key = JSON.stringify(inputs);
    if (known?.key === key) return known.value;
    known = { key, value: compute() };
    changed();
    return known.value;
  };
}

const makers = new Map<string, MakeView>();

export function register(name: string, make: MakeView): void {
  makers.set(name, make);
}

export function maker(name: string): MakeView | undefined {
  return makers.get(name);
}
