/** Lesson 03: a body in screw motion, from rotation to translation; beside it the pair (exp ω, v). */

import { controlHandle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { identity } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { Box, Frame, positionOf, Way } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const STEP = 5 * DEGREE; // of progress, between two points of the path
const GHOSTS = 6; // number of boxes left behind
const WINDOW = 90 * DEGREE; // of progress: search range of a dragged body, less than one revolution
const SIZE = [0.28, 0.2, 0.12]; // m, of the box
const LEAST = 0.005; // m: shown as 0.00

export function screw(stage: Stage<{ rise: number }>): View {
  const { state, kernels } = stage;
  const space = new Space(stage.root, [0.25, -0.35, 0.28], [3.5, -2.5, 2.2], stage.specification.about, stage.redraw);
  space.layFloor(1.4, 0.2, [0.3, -0.2]);
  const axis = new Way(space, "steel", 2, [0.09, 0.05]);
  const lever = new Way(space, "steel", 2, [0.02, 0.03]);
  const way = new Way(space, "purple", 3.5);
  const straight = new Way(space, "vermilion", 3, [0.02, 0.035]);
  const ghosts = [...Array(GHOSTS).keys()].map(() => new Box(space, SIZE, "sky", 0.22));
  const body = new Box(space, SIZE, "sky");
  const pair = new Box(space, SIZE, "vermilion", 0.55);
  const frame = new Frame(space, 0.24, 0.011);
  const start = new Frame(space, 0.24, 0.006);
  start.place(identity(4));
  const right = addLabel(stage.root, "exp ξ", "purple");
  const wrong = addLabel(stage.root, "(exp ω, v)", "vermilion");

  const unit = (): number[] => {
    const setting = [state.number("distance"), state.number("tilt") * DEGREE, state.number("climb") * DEGREE, 1];
    return kernels.screw_kernel(setting).xi as number[];
  };
  const motionOf = (xi: number[], part: number) => kernels.exp_kernel(xi.map((entry) => part * entry)).T;
  const paired = (xi: number[], part: number) => kernels.pair_kernel(xi.map((entry) => part * entry)).T;

  const hold = controlHandle(stage.root, state, "body, along its path", "purple live-hollow", { angle: 5 }, (place) => {
    const now = state.number("angle") * DEGREE;
    const { low, high } = state.control("angle");
    const xi = unit();
    let [best, least] = [now, Number.POSITIVE_INFINITY];
    for (let s = Math.max(low * DEGREE, now - WINDOW); s <= Math.min(high * DEGREE, now + WINDOW); s += STEP / 2) {
      const [x, y] = space.at(positionOf(motionOf(xi, s)));
      const far = Math.hypot(x - place[0], y - place[1]);
      if (far < least) [best, least] = [s, far];
    }
    return [best / DEGREE];
  });
  const steps = { distance: 0.05 };
  const foot = controlHandle(stage.root, state, "axis, along x", "ink live-hollow", steps, (at) => space.onFloor(at));

  return {
    draw(): Reading {
      const angle = state.number("angle") * DEGREE;
      const xi = unit();
      const whole = xi.map((entry) => angle * entry);
      const count = Math.max(1, Math.ceil(angle / STEP));
      const parts = [...Array(count + 1).keys()].map((k) => (k * angle) / count);
      const T = motionOf(xi, angle);
      const difference = paired(xi, angle);
      const naive = state.on("naive");
      const places = parts.map((part) => positionOf(motionOf(xi, part)));
      way.through(places);
      space.include(naive ? [...places, positionOf(difference)] : places);
      body.place(T);
      frame.place(T);
      ghosts.forEach((ghost, k) => {
        ghost.place(angle > 0 ? motionOf(xi, (k / GHOSTS) * angle) : undefined);
      });
      straight.through(naive ? [[0, 0, 0], positionOf(difference)] : []);
      pair.place(naive ? difference : undefined);
      const above = (pose: Matrix, by: number) => space.at(positionOf(pose).map((x, k) => (k === 2 ? x + by : x)));
      right.place(above(T, 0.32));
      wrong.place(above(difference, -0.25));
      wrong.show(naive);
      const distance = state.number("distance");
      const tilt = state.number("tilt") * DEGREE;
      const along = (far: number) => [distance, far * Math.sin(tilt), far * Math.cos(tilt)];
      axis.through(state.number("climb") < 90 ? [along(-0.15), along(1.1)] : []);
      lever.between([0, 0, 0], [distance, 0, 0]);
      hold.place(space.at(positionOf(T)), `${fixed(state.number("angle"), 0)}° of progress`, state.number("angle"));
      foot.place(space.at(along(0)), `${fixed(distance, 2)} m from the body’s starting position`, distance);
      space.render();
      return read(whole, T, difference, naive, state.number("climb"), stage.data.rise);
    },
    parts: () => [space],
  };
}

function read(xi: number[], T: Matrix, difference: Matrix, naive: boolean, climb: number, rise: number): Reading {
  const p = positionOf(T);
  const q = positionOf(difference);
  const miss = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  const cells = (name: string, values: number[]) => [name, ...values.map((value) => fixed(value, 2))];
  const rows = [cells("ω [rad]", xi.slice(0, 3)), cells("v [m]", xi.slice(3)), cells("p [m]", p)];
  if (naive) rows.push(cells("pair’s p", q));
  const kinds: Record<number, string> = { 0: "A rotation: the pitch is 0.", 90: "A translation: the pitch is ∞." };
  const kind = kinds[climb] ?? `A screw with a pitch of ${amount(rise * Math.tan(climb * DEGREE), 2)} m/rad.`;
  const heads = ["", "x", "y", "z"];
  if (!naive) return { sentence: kind, heads, rows };
  const isRight = miss < LEAST;
  const ends = isRight
    ? "The pair is correct to within 5 mm."
    : `The pair (exp ω, v) ends up ${fixed(miss, 2)} m away.`;
  return { sentence: `${kind} ${ends}`, tone: isRight ? "good" : "bad", heads, rows };
}
