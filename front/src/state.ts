/** Values of a figure's controls, with listeners. */

import { nearestOf, nearestPlace } from "./numbers.ts";
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

  chosen(name: string): string {
    return String(this.values[name]);
  }

  on(name: string): boolean {
    return Boolean(this.values[name]);
  }

  all(): Values {
    return { ...this.values };
  }

  numbers(): Record<string, number> {
    const held = this.controls.filter(({ kind }) => kind === "number");
    return Object.fromEntries(held.map(({ name }) => [name, this.number(name)]));
  }

  /** Set some values unrounded, clamped to the ranges of their controls; NaN is ignored. */
  set(wanted: Values): void {
    const taken: Values = {};
    const presets = this.controls.filter((control) => control.kind === "choice");
    const given = presets.map(({ name, sets }) =>
      wanted[name] === this.values[name] ? {} : sets?.[`${wanted[name]}`],
    );
    const asked: Values = Object.assign({}, ...given, wanted);
    for (const control of this.controls) {
      const value = asked[control.name];
      if (value === undefined) continue;
      const held = admitted(control, value);
      if (held !== undefined && held !== this.values[control.name]) taken[control.name] = held;
    }
    for (const control of presets) {
      const option = fitting(control, { ...this.values, ...taken });
      if (option !== this.values[control.name]) taken[control.name] = option;
      else delete taken[control.name];
    }
    if (Object.keys(taken).length === 0) return;
    Object.assign(this.values, taken);
    this.channel?.write(taken);
    this.tell();
  }

  /** Set some numbers to the nearest places of their grids, as a slider or a dragged handle does. */
  setOnGrid(wanted: Record<string, number>): void {
    const placed: Values = {};
    for (const control of this.controls) {
      if (control.kind === "number" && control.name in wanted) {
        placed[control.name] = placeOf(control, wanted[control.name]);
      }
    }
    this.set(placed);
  }

  reset(): void {
    this.set(Object.fromEntries(this.controls.map((control) => [control.name, control.start])));
  }

  /** Return the changed controls as a link's text; empty if all have their start. */
  asLink(): string {
    const moved = this.controls.filter((control) => this.values[control.name] !== control.start);
    return moved.map((control) => `${control.name}=${linked(this.values[control.name])}`).join("&");
  }

  /** Apply a link's text; unknown names and invalid numbers are ignored. */
  fromLink(text: string): void {
    const told: Values = {};
    for (const [name, value] of new URLSearchParams(text)) {
      told[name] = this.controls.find((control) => control.name === name)?.kind === "choice" ? value : Number(value);
    }
    this.set(told);
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
export function placeOf(control: NumberControl, wanted: number): number {
  return control.places ? control.places[nearestOf(control.places, wanted)] : nearestPlace(wanted, control.step);
}

/** Return the option that matches the other controls, or the one that assigns none. */
function fitting({ name, options, sets = {} }: ChoiceControl, held: Values): Value {
  if (Object.keys(sets).length === 0) return held[name];
  const found = Object.keys(sets).find((option) => Object.entries(sets[option]).every(([k, v]) => held[k] === v));
  return found ?? options.find((option) => !(option in sets)) ?? held[name];
}

function linked(value: Value): string {
  return typeof value === "string" ? encodeURIComponent(value) : String(Number(value));
}

function admitted(control: Control, value: Value): Value | undefined {
  if (control.kind === "switch") return Boolean(value);
  if (control.kind === "choice") return control.options.includes(String(value)) ? value : undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return Math.min(Math.max(number, control.low), control.high) + 0;
}
