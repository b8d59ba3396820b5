/** Lesson 19: all solutions of a pose, the nearest one solid, by the library's printed code. */

import { allSolutions, type ClosedForm, type Solution } from "../../../front/src/closed_form.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import type { Kernels, Matrix } from "../../../front/src/kernels.ts";
import { DEGREE, fixed, wrapped } from "../../../front/src/numbers.ts";
import { element } from "../../../front/src/page.ts";
import { paleArms, SpaceArm } from "../../../front/src/space/arm.ts";
import type { ArmData } from "../../../front/src/space/arm_scene.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { Frame, positionOf } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const RATIO = 1.5; // width over height
const [SHOULDER, ELBOW, WRIST] = [1, 2, 4]; // bits of a code; times 64 two solutions that are one
const LEVEL = 1e-9; // m³: an elbow that is neither above nor below
const TELLING = [2, 4]; // joints that distinguish elbows and wrists
const COLOURS = ["blue", "vermilion", "green", "purple"]; // of a shoulder and an elbow

interface Data extends ArmData {
  begin: number[];
  locked: Matrix;
  closed: ClosedForm;
}

export interface Answer {
  q: number[];
  free: boolean;
  name: string;
  colour: string;
}

export function branches(stage: Stage<Data>): View {
  const { state, kernels, data } = stage;
  const picture = element("div", "live-panel-picture", stage.root);
  const space = new Space(picture, data.centre, data.eye, stage.specification.about, stage.redraw, RATIO);
  space.layFloor(1.25, 0.25);
  const solid = new SpaceArm(space, data, { shell: "shell", joint: "ink" });
  const ghosts = COLOURS.map((colour) => paleArms(space, data, colour, 2));
  const goal = new Frame(space, 0.17 * data.reach, 0.011 * data.reach);
  let standing = data.begin;

  const target = (): Matrix => {
    if (state.all().locked) return data.locked;
    const angles = ["tilt", "turn"].map((name) => state.number(name) * DEGREE);
    return kernels.target_kernel(state.numbersOf("x", "y", "z"), angles).T;
  };
  const go = (place: Point | undefined) => {
    if (place && !state.all().locked) state.setOnGrid({ x: place[0], y: place[1] });
  };
  const handle = new Handle(picture, {
    name: "target",
    looks: "ink live-hollow",
    dragTo: (pixel) => go(space.onFloor(pixel, target()[2][3])),
    step: (right, up) => go([state.number("x") + 0.01 * right, state.number("y") + 0.01 * up]),
  });

  return {
    draw(): Reading {
      const T = target();
      const { solutions, singular } = allSolutions(kernels, data.closed, T, state.number("free") * DEGREE);
      const answers = solutions.map((solution) => named(kernels, solution));
      const families = answers.some(({ free }) => free);
      const far = answers.map(({ q, free }) => (families && !free ? Number.POSITIVE_INFINITY : apart(q, standing)));
      const nearest = far.indexOf(Math.min(...far));
      if (nearest >= 0) standing = answers[nearest].q;
      solid.show(nearest >= 0);
      if (nearest >= 0) solid.place(kernels.arm_ur10(standing));
      ghosts.forEach((show, k) => {
        const others = answers.filter(({ colour }, i) => colour === COLOURS[k] && i !== nearest);
        show(others.map(({ q }) => kernels.arm_ur10(q)));
      });
      goal.place(T);
      space.render();
      handle.placePoint(space.at(positionOf(T)), positionOf(T));
      return read(answers, nearest, singular);
    },
    reset: () => {
      standing = data.begin;
    },
    parts: () => [space],
  };
}

/** Return all solutions, with a free joint at some angle [rad]. */
export function answersTo(kernels: Kernels, closed: ClosedForm, T: Matrix, free: number): Answer[] {
  return allSolutions(kernels, closed, T, free).solutions.map((solution) => named(kernels, solution));
}

function named(kernels: Kernels, { q, code, free }: Solution): Answer {
  const up = kernels.elbow_kernel(q).up[0] as unknown as number;
  const side = (bit: number) => (code & (64 * bit) ? "straight" : code & bit ? "right" : "left");
  const shoulder = code & (64 * SHOULDER) ? "shoulder straight" : side(SHOULDER);
  const level = Math.abs(up) < LEVEL;
  const down = level ? (code & ELBOW) !== 0 : up < 0;
  const elbow = level ? `elbow ${side(ELBOW)}` : down ? "down" : "up";
  const wrist = code & (8 * WRIST) ? ["free"] : code & WRIST ? ["flipped"] : [];
  const colour = COLOURS[(code & SHOULDER ? 2 : 0) + (down ? 1 : 0)];
  return { q, free, name: [shoulder, elbow, ...wrist].join(", "), colour };
}

/** Return the distance of two configurations modulo whole revolutions [rad]. */
export function apart(one: number[], other: number[]): number {
  return Math.hypot(...one.map((angle, i) => wrapped(angle - other[i])));
}

function read(answers: Answer[], nearest: number, singular: boolean): Reading {
  const members = answers.filter(({ free }) => free);
  const families = members.length;
  const count = answers.length - families;
  const facts = { count, families };
  const here = " at this angle of the free rotation"; // the family has other intervals, if any
  const none = singular ? `No solution${here}.` : "No solution: the pose is out of reach.";
  if (answers.length === 0) return { sentence: none, tone: "bad", facts };
  const many = `${count} ${count === 1 ? "solution" : "solutions"}`;
  const wrist = fixed((members[0]?.q[4] ?? 0) / DEGREE, 0);
  const curves = families === 1 ? "1 family" : `${families} families`;
  const free = `${many} and ${curves}: at q₅ = ${wrist}°, joint 6 is free, and joints 2, 3 and 4 follow.`;
  const which = families > 0 ? "the nearest member of a family" : "the nearest solution";
  const { name, q } = answers[nearest];
  const angles = q.map((angle) => fixed(angle / DEGREE, 0)).join(", ");
  const solid = `The solid arm shows ${which}: ${name}, with its joints at ${angles}°.`;
  return {
    sentence: families > 0 ? `${free} ${solid}` : `${many}${singular ? here : ""}. ${solid}`,
    heads: ["angles in °", ...TELLING.map((i) => `q${"₁₂₃₄₅₆"[i]}`)],
    rows: answers.map((one) => [one.name, ...TELLING.map((i) => fixed(one.q[i] / DEGREE, 0))]),
    colours: answers.map(({ colour }) => colour),
    facts,
  };
}
