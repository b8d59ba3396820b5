/** Lesson 05: an arm and its wrong model at the same joint angles, and the gap between their tips. */

import { Handle } from "../handle.ts";
import type { Matrix } from "../kernels.ts";
import { DEGREE, degrees, fixed } from "../numbers.ts";
import type { Reading, Stage, View } from "../view.ts";
import { type BodyData, SpaceArm } from "./arm.ts";
import { Label } from "./label.ts";
import { Space } from "./scene.ts";
import { positionOf, Way } from "./shapes.ts";

const WINDOW = 60; // degrees, in which a dragged joint looks for the pointer
const STEP = 2; // degrees, between two places that it looks at
const LEAST = 5e-4; // m: a gap that is shown as 0.000 is none

interface Pair {
  name: string;
  arm: BodyData;
  model: BodyData;
}

export function model(stage: Stage): View {
  const { state, kernels } = stage;
  const pairs = stage.specification.data.pairs as Pair[];
  const space = new Space(stage.root, [-0.18, -0.12, 0.4], [0.9, -3.5, 1.6], stage.specification.about, stage.redraw);
  space.layFloor(1.25, 0.25);
  const drawn = pairs.map((pair) => ({
    arm: new SpaceArm(space, pair.arm, { shell: "shell", hinge: "blue" }),
    model: new SpaceArm(space, pair.model, { shell: "vermilion", hinge: "vermilion", slim: 0.45 }),
  }));
  const gap = new Way(space, "purple", 4, [0.035, 0.025]);
  const named = { arm: new Label(stage.root, "arm", "blue"), model: new Label(stage.root, "model", "vermilion") };

  const chosen = () =>
    Math.max(
      0,
      pairs.findIndex((pair) => pair.name === state.chosen("pair")),
    );
  const joints = () => pairs[chosen()].arm.joints.map((_, i) => `q${i + 1}`);
  const configuration = () => joints().map((name) => state.number(name) * DEGREE);
  const gripped = (i: number, q: number[]) => {
    const corner = pairs[chosen()].arm.grips[i];
    return corner === null || corner === undefined ? undefined : kernels[`arm_${chosen()}`](q).points[corner];
  };

  const longest = Math.max(...pairs.map((pair) => pair.arm.joints.length));
  const handles = [...Array(longest).keys()].map((i) => {
    const name = `q${i + 1}`;
    return new Handle(stage.root, {
      name: `joint ${i + 1}`,
      colour: "ink",
      hollow: true,
      dragTo: (place) => {
        const q = configuration();
        const now = state.number(name);
        let best = now;
        let least = Number.POSITIVE_INFINITY;
        for (let turn = -WINDOW; turn <= WINDOW; turn += STEP) {
          q[i] = (now + turn) * DEGREE;
          const point = gripped(i, q);
          if (!point) return;
          const [x, y] = space.at(point);
          const far = Math.hypot(x - place[0], y - place[1]) + 0.02 * Math.abs(turn);
          if (far < least) [best, least] = [now + turn, far];
        }
        state.setOnGrid({ [name]: best });
      },
      step: (right, up) => state.setOnGrid({ [name]: state.number(name) + right + up }),
    });
  });

  return {
    draw(): Reading {
      const k = chosen();
      const q = configuration();
      const [arm, wrong] = ["arm", "model"].map((role) => kernels[`${role}_${k}`](q));
      drawn.forEach((pair, other) => {
        pair.arm.show(other === k);
        pair.model.show(other === k);
      });
      drawn[k].arm.place(arm.points, arm.J_s, arm.T);
      drawn[k].model.place(wrong.points, wrong.J_s, wrong.T);
      const tips = [arm.T, wrong.T].map(positionOf);
      gap.through(tips);
      const beside = ([x, y, z]: number[], up: number) => space.at([x, y, z + up]);
      named.arm.place(beside(tips[0], 0.22));
      named.model.place(beside(tips[1], -0.14));
      handles.forEach((handle, i) => {
        const point = i < q.length ? gripped(i, q) : undefined;
        handle.show(point !== undefined);
        if (point) handle.place(space.at(point), `${fixed(state.number(`q${i + 1}`), 0)}°`, state.number(`q${i + 1}`));
      });
      space.render();
      return read(kernels.gap_kernel(arm.T, wrong.T).gap as number[], arm.T, wrong.T);
    },
    dispose: () => space.dispose(),
  };
}

function read([apart, turned]: number[], arm: Matrix, wrong: Matrix): Reading {
  const row = (name: string, T: Matrix) => [name, ...positionOf(T).map((entry) => fixed(entry, 3))];
  const rows = [row("arm", arm), row("model", wrong)];
  const colours = ["blue", "vermilion"];
  const heads = ["tip [m]", "x", "y", "z"];
  if (apart < LEAST) {
    const sentence = `Both tips are in one place, turned by ${degrees(turned, 0)} against each other.`;
    return { sentence, tone: "good", heads, rows, colours };
  }
  const sentence = `The tips are ${fixed(apart, 3)} m apart and turned by ${degrees(turned, 0)}.`;
  return { sentence, tone: "plain", heads, rows, colours };
}
