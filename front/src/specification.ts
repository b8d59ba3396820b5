/** Data of a figure from Python: `LiveFigure.specification`. */

export interface NumberControl {
  kind: "number";
  name: string;
  words: string;
  symbol: string;
  unit: string;
  low: number;
  high: number;
  step: number;
  start: number;
  /** Places of its slider, increasing; by default every multiple of the step. */
  places?: number[];
  /** Name of its square, if the label also shows it. */
  square?: string;
  /** A choice, and the options for which this number matters. */
  only: string[] | null;
}

export interface SwitchControl {
  kind: "switch";
  name: string;
  words: string;
  start: boolean;
}

export interface ChoiceControl {
  kind: "choice";
  name: string;
  words: string;
  options: string[];
  start: string;
  /** Values that an option assigns to other controls; one option assigns none. */
  sets?: Record<string, Record<string, number>>;
}

/** Names of folded controls, below the visible ones. */
export type Control = (NumberControl | SwitchControl | ChoiceControl) & { folded?: boolean };
export type Value = number | boolean | string;

export interface Specification {
  view: string;
  title: string;
  about: string;
  question: string;
  answer: string;
  /** Published shapes of its arms. */
  shapes: string[];
  controls: Control[];
  source: string;
  data: Record<string, unknown>;
}
