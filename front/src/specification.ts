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
  /** A choice, and what must be chosen there for this number to matter. */
  only: [string, string] | null;
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
}

export type Control = NumberControl | SwitchControl | ChoiceControl;
export type Value = number | boolean | string;

export interface Specification {
  view: string;
  title: string;
  about: string;
  question: string;
  answer: string;
  controls: Control[];
  source: string;
  data: Record<string, unknown>;
}
