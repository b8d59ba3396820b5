/** A joint dragged by a corner of the body: it moves to where the corner appears nearest to the pointer. */

import { Handle, type Point } from "../handle.ts";
import { DEGREE, fixed } from "../numbers.ts";
import type { NumberControl } from "../specification.ts";
import type { State } from "../state.ts";

const WINDOW = 60; // degrees: search range of a dragged joint
const STEP = 2; // degrees: search step
const LAZY = 0.02; // pixels per degree: penalty that prefers the nearer of equal angles

export class JointHandle {
  private readonly handle: Handle;
  private readonly state: State;
  private readonly name: string;
  private readonly cornerAt: (angle: number) => Point | undefined;

  /**
   * Create the handle of the joint whose angle a control sets [degrees].
   *
   * @param words - Name for screen readers.
   * @param cornerAt - Position of its corner at an angle [degrees], or nothing if it is not visible.
   */
  constructor(root: HTMLElement, state: State, name: string, words: string, cornerAt: JointHandle["cornerAt"]) {
    this.state = state;
    this.name = name;
    this.cornerAt = cornerAt;
    this.handle = new Handle(root, {
      name: words,
      colour: "ink",
      hollow: true,
      dragTo: (place) => this.drag(place),
      step: (right, up) => state.setOnGrid({ [name]: state.number(name) + right + up }),
    });
  }

  /** Move the handle to the corner. */
  place(): void {
    const now = this.state.number(this.name);
    const at = this.cornerAt(now);
    this.handle.show(at !== undefined);
    if (at) this.handle.place(at, `${fixed(now, 0)}°`, now);
  }

  private drag([x, y]: Point): void {
    const now = this.state.number(this.name);
    let [best, least] = [now, Number.POSITIVE_INFINITY];
    for (let turn = -WINDOW; turn <= WINDOW; turn += STEP) {
      const at = this.cornerAt(now + turn);
      if (!at) return;
      const far = Math.hypot(at[0] - x, at[1] - y) + LAZY * Math.abs(turn);
      if (far < least) [best, least] = [now + turn, far];
    }
    this.state.setOnGrid({ [this.name]: within(this.state.control(this.name), best) });
  }
}

/** Return a configuration with another angle of one joint [degrees], in rad. */
export function withAngle(q: number[], joint: number, angle: number): number[] {
  return q.map((value, i) => (i === joint ? angle * DEGREE : value));
}

/** Return an angle modulo whole revolutions, within the range of its control. */
function within({ low, high }: NumberControl, angle: number): number {
  return angle > high ? angle - 360 : angle < low ? angle + 360 : angle;
}
