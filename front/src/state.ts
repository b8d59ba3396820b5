/** Values of a figure's controls, with listeners. */

import { entryOf, nearestOf, nearestPlace } from "./numbers.ts";
import type { ChoiceControl, Control, NumberControl, Value } from "./specification.ts";

export type Values = Record<string, Value>;

/** Storage of values besides the page: the traits of a widget. */
export interface Channel {
  read(name: string): Value | undefined;
  write(values: Values): void;
  listen(name: string, heard: () => void): void;
}

export class State {
  controls: Control[];
  private values: Values = {};
  private readonly listeners: (() => void)[] = [];
  private channel: Channel | undefined;
  private readonly rebuilders: (() => void)[] = [];

  constructor(controls: Control[], channel?: Channel) {
    this.controls = controls;
    this.channel = channel;
    for (const control of controls) {
      this.values[control.name] = channel?.read(control.name) ?? control.start;
      channel?.listen(control.name, () => this.take(control.name, channel.read(control.name)));
    }
  }

  number(name: string): number {
    return Number(this.values[name]);
  }

  numbersOf(...names: string[]): number[] {
    return names.map((name) => this.number(name));
  }

  optionOf(name: string): string {
    return String(this.values[name]);
  }

  on(name: string): boolean {
    return Boolean(this.values[name]);
  }

  all(): Values {
    return { ...this.values };
  }

  numbers(): Record<string, number> {
    const numeric = this.controls.filter(({ kind }) => kind === "number");
    return Object.fromEntries(numeric.map(({ name }) => [name, this.number(name)]));
  }

  /** Set some values unrounded, clamped to the ranges of their controls; NaN is ignored. */
  set(desired: Values): void {
    const changes: Values = {};
    const presets = this.controls.filter((control) => control.kind === "choice");
    const assigned = presets.map(({ name, sets }) =>
      desired[name] === this.values[name] ? {} : sets?.[`${desired[name]}`],
    );
    const requested: Values = Object.assign({}, ...assigned, desired);
    for (const control of this.controls) {
      const value = requested[control.name];
      if (value === undefined) continue;
      const allowed = allowedValue(control, value);
      if (allowed !== undefined && allowed !== this.values[control.name]) changes[control.name] = allowed;
    }
    for (const control of presets) {
      const option = fitting(control, { ...this.values, ...changes });
      if (option !== this.values[control.name]) changes[control.name] = option;
      else delete changes[control.name];
    }
    if (Object.keys(changes).length === 0) return;
    Object.assign(this.values, changes);
    this.channel?.write(changes);
    this.tell();
  }

  /** Set some numbers to the nearest places of their grids, as a slider or a dragged handle does. */
  setOnGrid(desired: Record<string, number>): void {
    const placed: Values = {};
    for (const control of this.controls.filter(({ name }) => name in desired)) {
      if (control.kind === "number") placed[control.name] = placeOf(control, desired[control.name]);
    }
    this.set(placed);
  }

  reset(): void {
    this.set(Object.fromEntries(this.controls.map((control) => [control.name, control.start])));
  }

  /** Return the changed controls as a link's text; empty if all have their start. */
  asLink(): string {
    const changed = this.controls.filter((control) => this.values[control.name] !== control.start);
    return changed.map((control) => `${control.name}=${linkText(this.values[control.name])}`).join("&");
  }

  /** Apply a link's text; unknown names and invalid numbers are ignored. */
  fromLink(text: string): void {
    const linkValues: Values = {};
    for (const [name, value] of new URLSearchParams(text)) {
      linkValues[name] =
        this.controls.find((control) => control.name === name)?.kind === "choice" ? value : Number(value);
    }
    this.set(linkValues);
  }

  /** Replace the controls, each at its start. They exist only in the page, without traits. */
  replace(controls: Control[]): void {
    this.channel = undefined;
    this.controls = controls;
    this.values = Object.fromEntries(controls.map((control) => [control.name, control.start]));
    for (const rebuild of this.rebuilders) rebuild();
    this.tell();
  }

  /** Listen for replaced controls. */
  onReplaced(heard: () => void): void {
    this.rebuilders.push(heard);
  }

  listen(heard: () => void): void {
    this.listeners.push(heard);
  }

  control(name: string): NumberControl {
    const found = this.controls.find((control) => control.name === name);
    if (found?.kind !== "number") throw new Error(`no number is called ${name}`);
    return found;
  }

  /** Return the value that a number would have after some steps of a slider, or steps of another size. */
  after(name: string, steps: number, size?: number): number {
    const { places, step } = this.control(name);
    const value = this.number(name);
    if (!places) return value + steps * (size ?? step);
    return entryOf(places, nearestOf(places, value) + steps * (size ?? 1));
  }

  private take(name: string, value: Value | undefined): void {
    if (!this.channel || value === undefined || value === this.values[name]) return;
    this.values[name] = value;
    this.tell();
  }

  private tell(): void {
    for (const heard of this.listeners) heard();
  }
}

/** Return the value of the place nearest to a desired one. */
export function placeOf(control: NumberControl, desired: number): number {
  return control.places ? control.places[nearestOf(control.places, desired)] : nearestPlace(desired, control.step);
}

/** Return the option that matches the other controls, or the one that assigns none. */
function fitting({ name, options, sets = {} }: ChoiceControl, values: Values): Value {
  if (Object.keys(sets).length === 0) return values[name];
  const match = Object.keys(sets).find((option) => Object.entries(sets[option]).every(([k, v]) => values[k] === v));
  return match ?? options.find((option) => !(option in sets)) ?? values[name];
}

function linkText(value: Value): string {
  return typeof value === "string" ? encodeURIComponent(value) : String(Number(value));
}

function allowedValue(control: Control, value: Value): Value | undefined {
  if (control.kind === "switch") return Boolean(value);
  if (control.kind === "choice") return control.options.includes(String(value)) ? value : undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return Math.min(Math.max(number, control.low), control.high) + 0;
}
