/** Lesson 05: an arm and its wrong model at the same joint angles, and the gap between their tips. */

import type { Matrix } from "../../../front/src/kernels.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { type BodyData, SpaceArm } from "../../../front/src/space/arm.ts";
import { jointHandles } from "../../../front/src/space/joint_handle.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { positionOf, Way } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const LEAST = 5e-4; // m: shown as 0.000

interface Pair {
  name: string;
  arm: BodyData;
  model: BodyData;
}

export function model(stage: Stage<{ pairs: Pair[] }>): View {
  const { state, kernels } = stage;
  const { pairs } = stage.data;
  const space = new Space(stage.root, [-0.18, -0.12, 0.4], [0.9, -3.5, 1.6], stage.specification.about, stage.redraw);
  space.layFloor(1.25, 0.25);
  const arms = pairs.map((pair) => ({
    arm: new SpaceArm(space, pair.arm, { shell: "shell", joint: "steel" }),
    model: new SpaceArm(space, pair.model, { shell: "vermilion", joint: "vermilion", slim: 0.45 }),
  }));
  const gap = new Way(space, "purple", 4, [0.035, 0.025]);
  const labels = { arm: addLabel(stage.root, "arm", "ink"), model: addLabel(stage.root, "model", "vermilion") };

  const chosenPair = () => pairs.findIndex(({ name }) => name === state.optionOf("pair"));
  const longest = Math.max(...pairs.map((pair) => pair.arm.joints.length));
  const names = [...Array(longest).keys()].map((i) => `q${i + 1}`);
  const gripOf = (i: number) => pairs[chosenPair()].arm.grips[i];
  const pixelOf = (q: number[], corner: number) => space.at(kernels[`arm_${chosenPair()}`](q).points[corner]);
  const handles = jointHandles(stage.root, state, names, "joint", gripOf, pixelOf);

  return {
    draw(): Reading {
      const k = chosenPair();
      const q = state.numbersOf(...names.slice(0, pairs[k].arm.joints.length)).map((angle) => angle * DEGREE);
      const [arm, wrong] = ["arm", "model"].map((role) => kernels[`${role}_${k}`](q));
      arms.forEach((pair, other) => {
        pair.arm.show(other === k);
        pair.model.show(other === k);
      });
      arms[k].arm.place(arm);
      arms[k].model.place(wrong);
      const tips = [arm.T, wrong.T].map(positionOf);
      gap.through(tips);
      const beside = ([x, y, z]: number[], up: number) => space.at([x, y, z + up]);
      labels.arm.place(beside(tips[0], 0.22));
      labels.model.place(beside(tips[1], -0.14));
      for (const handle of handles) handle.place();
      space.render();
      return read(kernels.gap_kernel(arm.T, wrong.T).gap as number[], arm.T, wrong.T);
    },
    parts: () => [space],
  };
}

function read([apart, turned]: number[], arm: Matrix, wrong: Matrix): Reading {
  const row = (name: string, T: Matrix) => [name, ...positionOf(T).map((entry) => fixed(entry, 3))];
  const rows = [row("arm", arm), row("model", wrong)];
  const meet = apart < LEAST;
  const tips = meet ? "The two tips meet to within 1 mm;" : `The tips are ${fixed(apart, 3)} m apart, and`;
  const sentence = `${tips} their orientations differ by ${amount(turned / DEGREE, 0)}°.`;
  const heads = ["tip [m]", "x", "y", "z"];
  return { sentence, tone: meet ? "good" : "plain", heads, rows, colours: ["ink", "vermilion"] };
}
