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
}

export interface SwitchControl {
  kind: "switch";
  name: string;
  words: string;
  start: boolean;
}

export type Control = NumberControl | SwitchControl;
export type Value = number | boolean;

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
