/** Lesson 04: one motion in two frames. The second frame can be dragged over the floor and rotated. */

import { controlHandle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { dot, identity, length } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { Frame, positionOf, SpaceArrow, Way } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const NAMES = ["ω_{x}", "ω_{y}", "ω_{z}", "v_{x}", "v_{y}", "v_{z}"];
const AXIS_LENGTH = 0.32; // m
const SECONDS = 1; // of the drawn paths of the body's points
const STEPS = 24;
const LEAST = 1e-9; // m/s: more than the rounding error of the lever arm

export function twoFrames(stage: Stage<{ distance: number }>): View {
  const { state, kernels } = stage;
  const { distance } = stage.data;
  const space = new Space(stage.root, [0.42, 0.05, 0.16], [1.6, -3.0, 1.75], stage.specification.about, stage.redraw);
  space.layFloor(1.2, 0.2, [0.4, 0]);
  const axis = new Way(space, "steel", 2.2, [0.09, 0.05]);
  const parts = ["s", "b"].map((name) => ({
    frame: new Frame(space, AXIS_LENGTH, 0.011),
    arrow: new SpaceArrow(space, "purple", 0.014),
    lever: new Way(space, "steel", 2, [0.02, 0.03]),
    arc: new Way(space, "purple", 2),
    name: addLabel(stage.root, `{${name}}`, "ink"),
    speed: addLabel(stage.root, `v_{${name}}`, "purple"),
  }));
  const copy = new SpaceArrow(space, "steel", 0.009);

  const twist = () => kernels.twist_kernel([state.number("tilt") * DEGREE, state.number("pitch")]).V_s as number[];
  const pose = () => {
    const angles = ["turn", "lean"].map((name) => state.number(name) * DEGREE);
    return kernels.frame_kernel([state.number("x"), state.number("y"), ...angles]).T;
  };

  const steps = { x: 0.05, y: 0.05 };
  const origin = controlHandle(stage.root, state, "frame {b}", "ink live-hollow", steps, (place) =>
    space.onFloor(place),
  );
  const turn = controlHandle(stage.root, state, "turn of {b}", "vermilion live-hollow", { turn: 5 }, (place) => {
    const hit = space.onFloor(place);
    return hit && [Math.atan2(hit[1] - state.number("y"), hit[0] - state.number("x")) / DEGREE];
  });

  return {
    draw(): Reading {
      const V_s = twist();
      const T = pose();
      const V_b = kernels.seen_kernel(T, V_s).V_b as number[];
      const at = positionOf(T);
      const nose = [0, 1, 2].map((i) => at[i] + 1.35 * AXIS_LENGTH * T[i][0]);
      space.include([at, nose]);
      const frames = [identity(4), T];
      const along = (far: number) => [distance, far * V_s[1], far * V_s[2]];
      axis.through([along(-0.1), along(0.95)]);
      parts.forEach(({ frame, arrow, lever, arc, name, speed }, k) => {
        const root = positionOf(frames[k]);
        const linear = rotate(frames[k], (k === 0 ? V_s : V_b).slice(3));
        const drawn = linear.map((entry) => 0.6 * entry);
        frame.place(frames[k]);
        arrow.draw(root, drawn);
        lever.through([root, nearestOf(distance, V_s, root)]);
        arc.through(wayOf(V_s, root));
        name.place(space.at([root[0] - 0.09, root[1] + 0.05, root[2] + 0.05]));
        speed.place(space.at([0, 1, 2].map((i) => root[i] + 0.72 * linear[i])));
      });
      copy.draw(positionOf(T), state.on("no_lever") ? V_s.slice(3).map((entry) => 0.6 * entry) : [0, 0, 0]);
      origin.placePoint(space.at(at), at);
      turn.place(space.at(nose), `${fixed(state.number("turn"), 0)}°`, state.number("turn"));
      space.render();
      return read(V_s, V_b);
    },
    parts: () => [space],
  };

  /** Return the position of a body point after some time within a second [m]. */
  function wayOf(V_s: number[], point: number[]): number[][] {
    return [...Array(STEPS + 1).keys()].map((k) => {
      const { T } = kernels.exp_kernel(V_s.map((entry) => (SECONDS * k * entry) / STEPS));
      return rotate(T, point).map((entry, i) => entry + T[i][3]);
    });
  }
}

/** Return a direction of a frame, expressed in {s}. */
function rotate(T: Matrix, way: number[]): number[] {
  return [0, 1, 2].map((i) => dot(T[i].slice(0, 3), way));
}

/** Return the point on the axis nearest to another; ω is a unit vector. */
function nearestOf(distance: number, V_s: number[], point: number[]): number[] {
  const far = V_s[0] * (point[0] - distance) + V_s[1] * point[1] + V_s[2] * point[2];
  return [distance + far * V_s[0], far * V_s[1], far * V_s[2]];
}

function read(V_s: number[], V_b: number[]): Reading {
  const pitch = (V: number[]) => dot(V.slice(0, 3), V.slice(3)) / length(V.slice(0, 3)) ** 2;
  const row = (name: string, s: number, b: number) => [name, fixed(s, 2), fixed(b, 2)];
  const rows = NAMES.map((name, i) => row(name, V_s[i], V_b[i]));
  rows.push(row("|ω|", length(V_s.slice(0, 3)), length(V_b.slice(0, 3))), row("h", pitch(V_s), pitch(V_b)));
  const speed = length(V_b.slice(3));
  const lever = length([0, 1, 2].map((i) => V_b[i + 3] - pitch(V_b) * V_b[i])); // |ω| is 1
  const sentence =
    lever < LEAST
      ? `{b} is on the axis, so there is no lever arm, and v_{b} is only the sliding velocity, ${amount(speed, 2)} m/s.`
      : `{b} is ${amount(lever, 2)} m from the axis, and the point of the body there moves at ${amount(speed, 2)} m/s. The length of ω and the pitch h are the same in both frames.`;
  return { sentence, tone: lever < LEAST ? "good" : "plain", heads: ["", "in {s}", "in {b}"], rows };
}
