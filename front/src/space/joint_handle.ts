/** A joint dragged by a corner of the body: it moves to where the corner appears nearest to the pointer. */

import { Handle, type Point } from "../handle.ts";
import { DEGREE, fixed } from "../numbers.ts";
import type { State } from "../state.ts";

const WINDOW = 60; // degrees: search range of a dragged joint
const STEP = 2; // degrees: search step
const LAZY = 0.02; // pixels per degree: penalty that prefers the nearer of equal angles

/**
 * Return handles of the joints whose angles some controls set [degrees], for those that move a corner of the body.
 *
 * @param words - Name for screen readers, before the number.
 * @param gripOf - The corner that a joint moves in the displayed arm, if any.
 * @param pixelOf - Position of a corner at a configuration [rad].
 */
export function jointHandles(
  root: HTMLElement,
  state: State,
  names: string[],
  words: string,
  gripOf: (joint: number) => number | null | undefined,
  pixelOf: (q: number[], corner: number) => Point,
): { place(): void }[] {
  return names.map((name, i) => {
    const cornerAt = (angle: number) => {
      const corner = gripOf(i) ?? undefined;
      const q = names.map((one, k) => DEGREE * (k === i ? angle : state.number(one)));
      return corner === undefined ? undefined : pixelOf(q, corner);
    };
    const handle = new Handle(root, {
      name: `${words} ${i + 1}`,
      looks: "ink live-hollow",
      dragTo: ([x, y]) => {
        const now = state.number(name);
        let [best, least] = [now, Number.POSITIVE_INFINITY];
        for (let angle = now - WINDOW; angle <= now + WINDOW; angle += STEP) {
          const at = cornerAt(angle);
          if (!at) return;
          const far = Math.hypot(at[0] - x, at[1] - y) + LAZY * Math.abs(angle - now);
          if (far < least) [best, least] = [angle, far];
        }
        const { low, high } = state.control(name); // modulo whole revolutions
        state.setOnGrid({ [name]: best > high ? best - 360 : best < low ? best + 360 : best });
      },
      step: (right, up) => state.setOnGrid({ [name]: state.number(name) + right + up }),
    });
    return {
      place: () => {
        const now = state.number(name);
        const at = cornerAt(now);
        handle.show(at !== undefined);
        if (at) handle.place(at, `${fixed(now, 0)}°`, now);
      },
    };
  });
}
