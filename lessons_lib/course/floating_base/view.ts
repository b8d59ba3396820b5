/** Lesson 18: drag the trunk of a quadruped; its feet stay, and its centre of mass is inside their polygon or not. */

import { controlHandle } from "../../../front/src/handle.ts";
import { addJointTable } from "../../../front/src/joint_table.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { amount, DEGREE, decimalsAbove, fixed } from "../../../front/src/numbers.ts";
import { addTwo, element } from "../../../front/src/page.ts";
import { angleOf } from "../../../front/src/solver.ts";
import { addHalo } from "../../../front/src/space/halo.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { addPatch } from "../../../front/src/space/patch.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { Box, positionOf, Way } from "../../../front/src/space/shapes.ts";
import { type PartData, SolidBody } from "../../../front/src/space/solid_body.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";
import { left, type StanceState, type StandData, stand } from "./stance.ts";
import { addSupportPlan } from "./support.ts";

const RATIO = 1.12; // width over height
const EYE = [1.08, -1.42, 0.74];
const CENTRE = [0.02, 0, 0.13];
const SIZE = [0.4, 0.15, 0.105]; // of the pale box at an unreached pose [m]
const OUTLINE = [
  [0.28, 0.04],
  [0.34, 0.04],
  [0.34, -0.04],
  [0.28, -0.04],
  [0.21, -0.075],
  [-0.21, -0.075],
  [-0.21, 0.075],
  [0.21, 0.075],
]; // of the trunk from above, in its own frame [m]
const LIFT = 0.15; // of the handle for the height, above the trunk [m]
const STEP = 0.005; // m per key
const CLOSE = 5; // degrees to its limit at which a joint counts as at the limit
const STRAIGHT = 25; // degrees: below this bend of the knee a leg is outstretched
const ABOVE = 0.002; // m, of the polygon above the floor
const LINKS: Record<string, string> = { hip: "hip", thigh: "thigh", knee: "shank" }; // which each joint moves

interface Data extends StandData {
  tree: StandData["tree"] & { parts: PartData[] };
  /** Names of the legs. */
  legs: string[];
  /** Height of the ground [m]; the feet are balls. */
  ground: number;
}

interface Stood {
  q: number[];
  stanceState: StanceState;
  target: Matrix;
  /** Errors of the trunk that do not print as zero: of its rotation and its position. */
  short: string[];
}

export function stance(stage: Stage<Data>): View {
  const { state, kernels, specification, data } = stage;
  const { tree, ground } = data;
  const [picture, side] = addTwo(stage.root, "live-split", "live-bars");
  const joints = tree.ranges.map(([rate, coordinate, low, high]) => {
    const column = data.legs.findIndex((leg) => tree.rates[rate].startsWith(leg));
    const row = Object.keys(LINKS).find((name) => tree.rates[rate].includes(` ${name}`)) ?? tree.rates[rate];
    return { coordinate, low, high, row, column, seat: `${data.legs[column]} ${LINKS[row]}` };
  });
  const heads = data.legs.map((leg) => leg.replace(/(\w)\w* (\w+)/, "$1. $2"));
  const table = addJointTable(side, "degrees from the nearer limit", heads, joints);

  const plan = addSupportPlan(side, "support polygon from above", data.feet.length);

  const space = new Space(picture, CENTRE, EYE, specification.about, stage.redraw, RATIO);
  space.layFloor(0.5, 0.1, [0, 0], ground);
  const body = new SolidBody(space, tree.parts);
  const halos = joints.map(() => addHalo(space, 0.055, ["purple"]));
  const support = addPatch(space, ["green", "vermilion"]);
  const plumb = new Way(space, "ink", 2.5, [0.012, 0.008]);
  const cross = [0, 1].map(() => new Way(space, "ink", 3));
  const wish = new Box(space, SIZE, "purple", 0.22);
  const gap = new Way(space, "purple", 3.5, [0.014, 0.01]);
  const mast = new Way(space, "steel", 1.5, [0.01, 0.008]);
  const name = addLabel(picture, "height", "ink");

  const place = () => state.numbersOf("forward", "left", "height");
  const handles = [
    controlHandle(picture, state, "trunk", "ink", { forward: STEP, left: STEP }, (at) => space.onFloor(at, place()[2])),
    controlHandle(picture, state, "height of the trunk", "ink", { height: STEP }, ([, y]) => {
      const [forward, aside] = place();
      const [low, high] = [0, 0.5].map((z) => space.at([forward, aside, z + LIFT])[1]);
      return [(0.5 * (y - low)) / (high - low)];
    }),
  ];

  const centreMark = element("div", "live-centre", picture);
  centreMark.setAttribute("aria-hidden", "true");

  const stood = memo<Stood>();
  const find = (): Stood => {
    const turns = ["roll", "pitch", "yaw"].map((name) => state.number(name) * DEGREE);
    const target: Matrix = kernels.pose_kernel([...place(), ...turns]).T;
    const q = stand(kernels, data, target, data.legs.indexOf(state.optionOf("lifted")));
    const stanceState: StanceState = kernels.stance_kernel(q);
    const turn = angleOf(left(kernels, data, stanceState, target)) / DEGREE;
    const trunk = positionOf(stanceState[`T_${data.trunk}`]);
    const gap = Math.hypot(...positionOf(target).map((entry, i) => entry - trunk[i])); // not |v|, which is longer
    const errors = [`${fixed(turn, 1)}°`, `${fixed(1000 * gap, 0)} mm`];
    return { q, stanceState, target, short: errors.filter((text) => Number.parseFloat(text) > 0) };
  };

  return {
    draw(): Reading {
      const { q, stanceState, target, short } = stood(state.all(), find);
      const lifted = data.legs.indexOf(state.optionOf("lifted"));
      const down = data.feet.filter((_, k) => k !== lifted).map((foot) => positionOf(stanceState[`T_${foot}`]));
      const corners = hull(down);
      const [x, y, z] = stanceState.centre;
      const inside = margin(corners, x, y);
      body.place(stanceState);
      const colour = inside < 0 ? "vermilion" : "green";
      const flat = corners.map(([a, b]) => [a, b, ground + ABOVE]);
      support(flat, colour);
      plan(corners, down, outline(stanceState[`T_${data.trunk}`]), [x, y], colour);
      plumb.between([x, y, z], [x, y, ground]);
      cross.forEach((way, k) => {
        const arm = k === 0 ? [0.016, 0.016] : [0.016, -0.016];
        const at = ground + 2 * ABOVE;
        way.between([x - arm[0], y - arm[1], at], [x + arm[0], y + arm[1], at]);
      });
      wish.place(short.length > 0 ? target : undefined);
      const trunk = positionOf(stanceState[`T_${data.trunk}`]);
      gap.through(short.length > 0 ? [trunk, positionOf(target)] : []);
      const room = joints.map(({ coordinate: i, low, high }) => Math.min(q[i] - low, high - q[i]) / DEGREE);
      joints.forEach(({ seat }, i) => {
        const close = room[i] <= CLOSE;
        table(i, fixed(room[i], close ? 0 : decimalsAbove(room[i], CLOSE, 0)), close ? "purple" : "");
        halos[i](close ? positionOf(stanceState[`T_${seat.replaceAll(" ", "_")}`]) : undefined, "purple");
      });
      const [forward, aside, height] = place();
      const top = [forward, aside, height + LIFT];
      mast.through([[forward, aside, height], top]);
      handles[0].place(space.at([forward, aside, height]), `x ${fixed(forward, 3)} m, y ${fixed(aside, 3)} m`, forward);
      handles[1].place(space.at(top), `${fixed(height, 3)} m`, height);
      const [over, up] = space.at(top);
      name.place([over - 46, up]);
      space.render();
      const [cx, cy] = space.at([x, y, z]);
      centreMark.style.transform = `translate(${cx.toFixed(1)}px, ${cy.toFixed(1)}px)`;
      return read(inside, room);
    },
    parts: () => [space],
  };

  function read(inside: number, room: number[]): Reading {
    const { stanceState, short, q } = stood(state.all(), find);
    const trunk = positionOf(stanceState[`T_${data.trunk}`]);
    const heads = ["[mm]", "x", "y", "z"];
    const row = (name: string, point: number[]) => [name, ...point.map((entry) => fixed(1000 * entry, 0))];
    const rows = [row("centre of mass", stanceState.centre), row("trunk", trunk)];
    const depth = amount(1000 * Math.abs(inside), 0);
    const by = `${depth} mm ${inside < 0 ? "outside" : "inside"}`;
    const verdict = `${inside < 0 ? "It falls" : "It stands"}: the centre of mass is ${by} the support polygon.`;
    if (short.length === 0) {
      const tone = inside < 0 ? "bad" : "good";
      return { sentence: `${verdict} The trunk is where it should be.`, tone, heads, rows };
    }
    const close = joints.filter((_, i) => room[i] <= CLOSE).map(({ row, column }) => `${data.legs[column]} ${row}`);
    const knees = joints.filter(({ row, coordinate: i }) => row === "knee" && Math.abs(q[i]) < STRAIGHT * DEGREE);
    const stretched =
      knees.length > 0 ? ` Outstretched legs: ${knees.map(({ column }) => data.legs[column]).join(", ")}.` : "";
    const limits = close.length > 0 ? ` Within ${CLOSE}° of a limit: ${close.join(", ")}.` : "";
    const why = limits + stretched || ` No joint is within ${CLOSE}° of a limit, and no leg is outstretched.`;
    const sentence = `The legs stop ${short.join(" and ")} short of the pose.${why} ${verdict}`;
    return { sentence, tone: inside < 0 ? "bad" : "plain", heads, rows };
  }
}

/** Return the outline of the trunk from above, its head ahead [m]. */
function outline(T: Matrix): number[][] {
  return OUTLINE.map(([x, y]) => [0, 1].map((i) => T[i][0] * x + T[i][1] * y + T[i][3]));
}

/** Return points by direction from the middle, counter-clockwise: the corners of a convex polygon. */
function hull(points: number[][]): number[][] {
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const direction = (point: number[]) => Math.atan2(point[1] - middle[1], point[0] - middle[0]);
  return [...points].sort((one, other) => direction(one) - direction(other));
}

/** Return the distance of a point inside a polygon; negative outside. */
function margin(corners: number[][], x: number, y: number): number {
  const sides = corners.map(([a, b], k) => {
    const [c, d] = corners[(k + 1) % corners.length];
    return ((c - a) * (y - b) - (d - b) * (x - a)) / Math.hypot(c - a, d - b);
  });
  return Math.min(...sides);
}
