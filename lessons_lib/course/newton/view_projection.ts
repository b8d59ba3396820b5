/** Lesson 08: the error twist of the 2R and its projection onto the plane of twists that its joints produce. */

import { drawArm } from "../../../front/src/flat/arm.ts";
import { drawFrame } from "../../../front/src/flat/frame.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import { aboutZ, dot } from "../../../front/src/matrix.ts";
import { DEGREE, degreesTurned, fixed, wrapped } from "../../../front/src/numbers.ts";
import { addTwo } from "../../../front/src/page.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { addPatch } from "../../../front/src/space/patch.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { Ball, SpaceArrow, Way } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const BOUNDS = { left: -2.3, right: 2.3, bottom: -2.05, top: 2.35 }; // m
const EYE = [-5.8, -2.1, 3];
const SCALE = 0.6; // drawn length of a radian and of a metre, in the space of twists
const NAME = 0.16; // from the head of an arrow to its name, on that scale
const HALF = 1.1; // half width of the patch, on that scale

interface Parts {
  error: number[];
  columns: number[][];
  step: number[];
  foot: number[];
  carried: number[];
}

export function projection(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const [left, right] = addTwo(stage.root, "live-pair");
  const plane = new Plane(left, BOUNDS, "The arm and its target frame.", stage.redraw);
  const grid = drawGrid(plane, BOUNDS.right);
  const goal = drawFrame(plane, "live-goal");
  const arm = drawArm(plane, "live-ink");
  const space = new Space(right, [0, 0, 0.25], EYE, specification.about, stage.redraw, 1.05);
  space.layFloor(1.8, 0.6);
  const up = new Way(space, "steel", 1.8, [0.05, 0.03]);
  const patch = addPatch(space, ["sky"]);
  const columns = [1, 2].map(() => new SpaceArrow(space, "steel", 0.014));
  const error = new SpaceArrow(space, "vermilion", 0.03);
  const foot = new SpaceArrow(space, "blue", 0.028);
  const rest = new Way(space, "purple", 4);
  const leaning = new Way(space, "ink", 2.5, [0.03, 0.03]);
  const ball = new Ball(space, 0.055, "ink");
  const names = [
    { label: addLabel(right, "V", "vermilion"), of: (parts: Parts) => parts.error },
    { label: addLabel(right, "J δ", "blue"), of: (parts: Parts) => parts.foot },
  ];
  const omega = addLabel(right, "ω", "ink");

  const angles = (letter: string) => [1, 2].map((i) => state.number(`${letter}${i}`) * DEGREE);
  const turnTo = (q: number[]) => {
    const near = q.map((angle) => wrapped(angle) / DEGREE);
    state.setOnGrid({ q1: near[0], q2: near[1] });
  };
  const joints = ["elbow of the arm", "tip of the arm"].map((name, k) => {
    const dragTo = (place: Point) => {
      const [x, y] = plane.from(place);
      const q = angles("q");
      const [ex, ey] = [Math.cos(q[0]), Math.sin(q[0])];
      turnTo(k === 0 ? [Math.atan2(y, x), q[1]] : [q[0], Math.atan2(y - ey, x - ex) - q[0]]);
    };
    const step = (over: number, high: number) =>
      turnTo(angles("q").map((angle, i) => angle + (i === k ? (over + high) * DEGREE : 0)));
    return new Handle(left, { name, looks: "ink live-hollow", dragTo, step });
  });

  /** Return the position in the picture of (ω, v_x, v_y). */
  const at = ([turn, x, y]: number[]) => [SCALE * x, SCALE * y, SCALE * turn];

  function partsAt(q: number[]): Parts & { corners: number[] } {
    const t = angles("t");
    const far = t[0] + t[1] - q[0] - q[1];
    const missing = kernels.missing_kernel(q, t, [wrapped(far)]);
    const [V, J] = [missing.V as number[], missing.J as number[]];
    const inFrame = (twist: number[], flat: number[]) => kernels.seen_kernel(q, [state.number("frame")], twist, flat);
    const here = inFrame(V, J);
    const [e, A] = [here.e as number[], here.A as number[]];
    const own = kernels.foot_kernel(e, A);
    const body = kernels.foot_kernel(V, J).foot as number[];
    return {
      corners: missing.corners as number[],
      error: e,
      columns: [0, 1].map((k) => [0, 1, 2].map((row) => A[2 * row + k])),
      step: own.step as number[],
      foot: own.foot as number[],
      carried: inFrame(body, J).e as number[],
    };
  }

  return {
    draw(): Reading {
      const q = angles("q");
      const parts = partsAt(q);
      const [elbow, tip, target] = [0, 2, 4].map((k) => parts.corners.slice(k, k + 2));
      grid();
      arm.draw([[0, 0], elbow, tip], q[0] + q[1]);
      const [t1, t2] = angles("t");
      goal(aboutZ(t1 + t2, [...target, 0]));
      joints.forEach((joint, k) => {
        joint.place(plane.at(k === 0 ? elbow : tip), `joint ${k + 1}, ${fixed(q[k] / DEGREE, 0)}°`, q[k] / DEGREE);
      });
      up.between([0, 0, -0.6], [0, 0, 1.7]);
      omega.place(space.at([0, 0, 1.8]));
      const [u, w] = square(parts.columns.map(at));
      const corner = (a: number, b: number) => u.map((entry, i) => HALF * (a * entry + b * w[i]));
      patch([corner(1, 1), corner(1, -1), corner(-1, -1), corner(-1, 1)], "sky");
      columns.forEach((arrow, k) => {
        arrow.draw([0, 0, 0], at(parts.columns[k]));
      });
      error.draw([0, 0, 0], at(parts.error));
      foot.draw([0, 0, 0], at(parts.foot));
      rest.through([at(parts.foot), at(parts.error)]);
      leaning.through([at(parts.carried), at(parts.error)]);
      ball.place(at(parts.carried));
      for (const { label, of } of names) {
        const end = at(of(parts));
        const beyond = 1 + NAME / Math.max(Math.hypot(...end), NAME);
        label.place(space.at(end.map((entry) => beyond * entry)));
      }
      space.render();
      return read(parts);
    },
    parts: () => [plane, space],
  };
}

/** Return two orthonormal vectors in the plane of two others. */
function square([a, b]: number[][]): number[][] {
  const unit = (vector: number[]) => vector.map((entry) => entry / Math.hypot(...vector));
  const u = unit(a);
  const along = dot(u, b);
  return [u, unit(b.map((entry, i) => entry - along * u[i]))];
}

/** Return the angle between the residual at a point of the plane and the plane, degrees. */
function lean(parts: Parts, place: number[]): number {
  const left = parts.error.map((entry, i) => entry - place[i]);
  const within = square(parts.columns).map((side) => dot(side, left));
  const across = Math.sqrt(Math.max(dot(left, left) - dot(within, within), 0));
  return Math.atan2(across, Math.hypot(...within)) / DEGREE;
}

function read(parts: Parts): Reading {
  const cells = (name: string, twist: number[]) => [name, ...twist.map((entry) => fixed(entry, 3))];
  const left = parts.error.map((entry, i) => entry - parts.foot[i]);
  const [one, two] = parts.step.map(degreesTurned);
  const leaves = `. The dotted line makes an angle of ${fixed(lean(parts, parts.carried), 1)}° with the patch.`;
  const rest = Math.hypot(...left) < 5e-4 ? ", and to three decimals, the linear model leaves no residual." : leaves;
  const rows = [cells("V", parts.error), cells("J δ", parts.foot), cells("residual", left)];
  const heads = ["", "ω [rad]", "v: x [m]", "y"];
  return { sentence: `The step turns the joints by ${one} and ${two}${rest}`, heads, rows };
}
