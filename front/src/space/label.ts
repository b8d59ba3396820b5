/** A name beside a point in space that always faces the reader. */

import type { Point } from "../handle.ts";
import { element, say, show } from "../page.ts";

const HIGH = 12; // pixels: half the height of its text
/** Pixels between an arrow and the text beside it. */
export const CLEAR = 10;

/** Return the centre of a text box that is beside an arrow's middle, above it, without touching it; in pixels. */
export function besideOf([x, y]: Point, [u, v]: Point, [halfWide, halfHigh]: Point): Point {
  const length = Math.max(Math.hypot(u - x, v - y), 1);
  const side = u >= x ? 1 : -1;
  const [right, down] = [(side * (v - y)) / length, (-side * (u - x)) / length]; // perpendicular to the arrow, upwards
  const far = CLEAR + Math.abs(right) * halfWide + Math.abs(down) * halfHigh;
  return [(x + u) / 2 + far * right, (y + v) / 2 + far * down];
}

export function addLabel(root: HTMLElement, name: string, colour: string) {
  const text = element("span", `live-label3d live-${colour}`, root);
  text.setAttribute("aria-hidden", "true");
  say(text, name);
  let half = 0; // pixels of its width, known once it is on the page
  const measure = () => {
    if (half === 0) half = text.offsetWidth / 2;
  };
  /** Set the position on the stage in pixels, clamped to the stage. */
  const place = ([desired, high]: Point) => {
    measure();
    const x = Math.min(Math.max(desired, half), root.clientWidth - half);
    const y = Math.min(Math.max(high, HIGH), root.clientHeight - HIGH);
    text.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
  };
  return {
    show: (visible: boolean) => show(text, visible),
    rename: (name: string) => {
      if (text.textContent === name) return;
      say(text, name);
      half = 0;
    },
    place,
    /** Set the position beside the middle of an arrow, given by both ends in pixels. */
    placeBeside: (from: Point, to: Point) => {
      measure();
      place(besideOf(from, to, [half, HIGH]));
    },
  };
}
