/** A draggable point: by mouse and touch, arrow keys, and with a name for screen readers. */

import { fixed } from "./numbers.ts";
import { element } from "./page.ts";
import type { State } from "./state.ts";

export type Point = [number, number];

export interface Grip {
  /** Name for screen readers. */
  name: string;
  /** Colour of the style sheet, "blue", and "live-hollow" if the element below it stays visible. */
  looks: string;
  /** Called when it is grabbed, in pixels as below. */
  begin?(place: Point): void;
  /** Move to a position of the stage, in pixels from its upper left corner. */
  dragTo(place: Point): void;
  /** Move some steps to the right and up. */
  step(right: number, up: number): void;
}

const BIG_STEP = 10;
const KEYS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class Handle {
  private readonly knob: HTMLElement;

  constructor(root: HTMLElement, grip: Grip) {
    const knob = element("div", `live-handle live-${grip.looks}`, root);
    knob.tabIndex = 0;
    knob.setAttribute("role", "slider");
    knob.setAttribute("aria-label", grip.name);
    knob.setAttribute("aria-valuenow", "0");
    knob.addEventListener("pointerdown", (event) => {
      knob.setPointerCapture(event.pointerId);
      knob.classList.add("live-held");
      grip.begin?.(within(root, event));
    });
    knob.addEventListener("pointermove", (event) => {
      if (!knob.hasPointerCapture(event.pointerId)) return;
      grip.dragTo(within(root, event));
    });
    const release = () => knob.classList.remove("live-held");
    knob.addEventListener("pointerup", release);
    knob.addEventListener("pointercancel", release);
    knob.addEventListener("keydown", (event) => {
      const way = KEYS[event.key];
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const steps = event.shiftKey ? BIG_STEP : 1;
      grip.step(way[0] * steps, way[1] * steps);
    });
    this.knob = knob;
  }

  /** Set the position on the stage, and the value in words and as a number. */
  place([x, y]: Point, words: string, now: number): void {
    this.knob.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    this.knob.setAttribute("aria-valuetext", words);
    this.knob.setAttribute("aria-valuenow", now.toFixed(3));
  }

  /** The same for a point, whose coordinates are its value [m]. */
  placePoint(pixel: Point, [x, y]: number[]): void {
    this.place(pixel, `x ${fixed(x, 2)} m, y ${fixed(y, 2)} m`, x);
  }

  show(visible: boolean): void {
    this.knob.style.display = visible ? "" : "none";
  }
}

/**
 * Return a handle that moves one or two controls.
 *
 * @param steps - Their changes per key: one control by either direction, two to the right and up.
 * @param valuesAt - Their values at a position of the stage [pixels], or nothing.
 */
export function controlHandle(
  root: HTMLElement,
  state: State,
  name: string,
  looks: string,
  steps: Record<string, number>,
  valuesAt: (place: Point) => number[] | undefined,
): Handle {
  const names = Object.keys(steps);
  const set = (values: number[]) => state.setOnGrid(Object.fromEntries(names.map((one, i) => [one, values[i]])));
  return new Handle(root, {
    name,
    looks,
    dragTo: (place) => {
      const values = valuesAt(place);
      if (values) set(values);
    },
    step: (right, up) => {
      const ways = names.length === 1 ? [right + up] : [right, up];
      set(names.map((one, i) => state.after(one, ways[i], steps[one])));
    },
  });
}

/** Return which part of a segment between two pixels is nearest to another, 0 to 1, and its distance [pixels]. */
export function nearestOn([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): { part: number; far: number } {
  const [u, v] = [bx - ax, by - ay];
  const part = Math.min(Math.max(((x - ax) * u + (y - ay) * v) / Math.max(u * u + v * v, 1e-9), 0), 1);
  return { part, far: Math.hypot(x - ax - part * u, y - ay - part * v) };
}

/** Return the position of a pointer, in pixels from the upper left corner of an element. */
function within(root: HTMLElement, event: PointerEvent): Point {
  const corner = root.getBoundingClientRect();
  return [event.clientX - corner.left, event.clientY - corner.top];
}
