/** What a view is: it draws what the controls hold, and says it in a sentence and in numbers. */

import type { Kernels } from "./kernels.ts";
import type { Specification } from "./specification.ts";
import type { State } from "./state.ts";

export interface Reading {
  sentence: string;
  /** "bad" where there is no answer, or not the one that was asked for. */
  tone: "plain" | "good" | "bad";
  /** A table below the sentence: its heads, and rows that begin with their name. */
  heads: string[];
  rows: string[][];
  /** The style sheet's colour of each row's name, where it is drawn in one. */
  colours?: string[];
  /** What a question for a place judges, by the names of Python's `facts`. */
  facts?: Record<string, number>;
}

export interface Stage {
  root: HTMLElement;
  specification: Specification;
  kernels: Kernels;
  state: State;
  /** Ask for a new drawing, at the next frame. */
  redraw(): void;
  /** Whether a question is open, and what would answer it stays hidden. */
  isVeiled(): boolean;
}

export interface View {
  draw(): Reading;
  /** What is to be given back when the figure goes. */
  parts(): { dispose(): void }[];
}

export type MakeView = (stage: Stage) => View;

const makers = new Map<string, MakeView>();

export function register(name: string, make: MakeView): void {
  makers.set(name, make);
}

export function maker(name: string): MakeView | undefined {
  return makers.get(name);
}
