/** A draggable point: by mouse and touch, arrow keys, and with a name for screen readers. */

import { element } from "./page.ts";

export type Point = [number, number];

export interface Grip {
  /** Name for screen readers. */
  name: string;
  /** Colour of the style sheet, "blue". */
  colour: string;
  /** Whether the element below it stays visible. */
  hollow?: boolean;
  /** Whether it covers the area around it, as wide as the style sheet says. */
  wide?: boolean;
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
    const looks = `${grip.hollow ? " live-hollow" : ""}${grip.wide ? " live-around" : ""}`;
    const knob = element("div", `live-handle live-${grip.colour}${looks}`, root);
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

  show(visible: boolean): void {
    this.knob.style.display = visible ? "" : "none";
  }
}

/** Return the position of a pointer, in pixels from the upper left corner of an element. */
function within(root: HTMLElement, event: PointerEvent): Point {
  const corner = root.getBoundingClientRect();
  return [event.clientX - corner.left, event.clientY - corner.top];
}
