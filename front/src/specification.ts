/** What Python tells the front end about a figure: `LiveFigure.specification`. */

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
  /** Where its slider goes, from the least to the largest; without them to every multiple of the step. */
  places?: number[];
  /** What its square is called, where the label tells that, too. */
  square?: string;
  /** A choice, and what may be chosen there for this number to matter. */
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
  /** The numbers that an option gives to other controls; one option gives none. */
  sets?: Record<string, Record<string, number>>;
}

/** What is folded away stands behind the controls that are always seen. */
export type Control = (NumberControl | SwitchControl | ChoiceControl) & { folded?: boolean };
export type Value = number | boolean | string;

export interface Specification {
  view: string;
  title: string;
  about: string;
  question: string;
  answer: string;
  /** The published shapes that arms wear in it. */
  shapes: string[];
  controls: Control[];
  source: string;
  data: Record<string, unknown>;
}
