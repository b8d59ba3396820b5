/** Lesson 06: the axes of six joints, fans of the axes that a joint moves, and the lever arm of each entry. */

import { nearestOn, type Point } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { dot } from "../../../front/src/matrix.ts";
import { DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addTwo, element, say } from "../../../front/src/page.ts";
import { SpaceArm } from "../../../front/src/space/arm.ts";
import type { ArmData } from "../../../front/src/space/arm_scene.ts";
import { jointHandles } from "../../../front/src/space/joint_handle.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { SpaceArrow, Way } from "../../../front/src/space/shapes.ts";
import { addStrands } from "../../../front/src/space/strands.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { addMatrix, type Entry } from "./matrix_grid.ts";

const RATIO = 1; // width over height
const FAN = 12; // lines of a fan
const NEAR = 9; // pixels, within which an axis is hit
const BEYOND = 0.25; // m, by which the highlighted axes extend beyond the lever arm
const LIT = 0.6; // m, half of the highlighted axis
const UNIT = 0.42; // m, drawn length of ω
const MEETS = 5e-4; // m or a sine: too small to be drawn
const ROUNDING = 1e-9; // an entry that is zero except for rounding
const AXES = ["x", "y", "z"];
const ROWS = ["ω", "v"].flatMap((half) => AXES.map((axis) => `${half}_{${axis}}`));

interface Data extends ArmData {
  /** Half of a drawn joint axis [m]. */
  half: number;
  /** Initial previous angle of a joint [degrees], and initial selection: a row and a column. */
  from: number[];
  picked: [number, number];
}

export function columns(stage: Stage<Data>): View {
  const { state, kernels, specification, data } = stage;
  const [picture, side] = addTwo(stage.root, "live-split", "live-bars");
  say(element("p", "live-bars-head", side), "J_{s}: one column per joint, in rad/rad and m/rad");
  const names = data.joints.map((_, i) => String(i + 1));
  const grid = addMatrix(side, "space Jacobian", ROWS, names, (one) => {
    selected = one;
    stage.redraw();
  });
  say(element("p", "live-note", side), "Blue: columns changed by the joint that turned last.");

  const space = new Space(picture, data.centre, data.eye, specification.about, stage.redraw, RATIO);
  space.layFloor(1.25, 0.25, [0, 0], data.floor);
  const arm = new SpaceArm(space, data, { shell: "shell", joint: "blue" });
  const fans = addStrands(space, "sky", 2, 0.45);
  const lines = data.joints.map(() => new Way(space, "ink", 2));
  const lit = new Way(space, "vermilion", 4.5);
  const axis = new Way(space, "green", 3, [0.04, 0.025]);
  const leverWay = new Way(space, "purple", 5);
  const closing = new Way(space, "purple", 2, [0.02, 0.02]);
  const arrows = ["vermilion", "purple"].map((colour) => new SpaceArrow(space, colour, 0.012));
  const labels = names.map((name) => addLabel(picture, name, "ink"));
  const letter = addLabel(picture, "", "green");
  const leverName = addLabel(picture, "lever", "purple");

  const controls = names.map((name) => `q${name}`);
  const configuration = () => state.numbersOf(...controls).map((angle) => angle * DEGREE);
  const stateAt = (q: number[]) => kernels.arm_ur10(q);
  const gripOf = (i: number) => data.grips[i];
  const handles = jointHandles(picture, state, controls, "joint", gripOf, (q, corner) =>
    space.at(stateAt(q).points[corner]),
  );
  const opening: Entry = { row: data.picked[0], column: data.picked[1] };
  let selected = opening;
  const openingAngles = () => data.from.map((angle) => angle * DEGREE);
  let [before, now] = [openingAngles(), configuration()]; // previous and current angle of the last moved joint

  picture.addEventListener("pointermove", (event) => point(event));
  picture.addEventListener("pointerdown", (event) => point(event));

  /** Select the column whose axis is hit. */
  function point(event: PointerEvent): void {
    if (event.buttons > 0 && event.type === "pointermove") return; // a drag is in progress
    const corner = picture.getBoundingClientRect();
    const at: Point = [event.clientX - corner.left, event.clientY - corner.top];
    const shape = stateAt(configuration());
    const far = names.map((_, i) => {
      const [from, to] = endsOf(shape, i).map((end) => space.at(end));
      return nearestOn(from, to, at).far;
    });
    const least = Math.min(...far);
    const column = far.indexOf(least);
    if (least > NEAR || (selected.column === column && selected.row === undefined)) return;
    selected = { row: undefined, column };
    stage.redraw();
  }

  /** Return a joint's axis: direction, and position in the body. */
  function lineOf(shape: ReturnType<typeof stateAt>, i: number): { omega: number[]; middle: number[] } {
    return { omega: [0, 1, 2].map((row) => shape.J_s[row][i]), middle: shape.points[data.joints[i]] };
  }

  function endsOf(shape: ReturnType<typeof stateAt>, i: number): number[][] {
    const { omega, middle } = lineOf(shape, i);
    return [-data.half, data.half].map((far) => along(middle, omega, far));
  }

  /** Record which joint moved last, and from where. */
  function hear(q: number[]): void {
    const moved = q.flatMap((angle, i) => (angle === now[i] ? [] : [i]));
    if (moved.length === 0) return;
    const turns = before.flatMap((angle, i) => (angle === now[i] ? [] : [i]));
    if (moved.length > 1) before = q;
    else if (turns.length !== 1 || turns[0] !== moved[0]) before = now;
    now = q;
  }

  /** Draw what the last joint to turn has swept, and return which columns it has changed. */
  function drawFans(q: number[], J: Matrix): boolean[] {
    const parts = [...Array(FAN).keys()].map((k) => k / FAN);
    const places = parts.map((part) => stateAt(q.map((angle, i) => before[i] + part * (angle - before[i]))));
    const turning = q.findIndex((angle, i) => angle !== before[i]);
    const swept = names.map((_, i) => turning >= 0 && i > turning);
    fans(places.flatMap((shape) => names.flatMap((_, i) => (swept[i] ? [endsOf(shape, i)] : []))));
    const isOther = (i: number) =>
      places[0].J_s.some((row: number[], k: number) => Math.abs(row[i] - J[k][i]) > ROUNDING);
    return swept.map((moved, i) => moved && isOther(i)); // a whole revolution changes no column
  }

  return {
    draw(): Reading {
      const q = configuration();
      hear(q);
      const shape = stateAt(q);
      arm.place(shape);
      const changed = drawFans(q, shape.J_s);
      lines.forEach((line, i) => {
        const ends = endsOf(shape, i);
        line.through(i === selected.column ? [] : ends);
        labels[i].place(space.at(along(ends[1], lineOf(shape, i).omega, 0.05)));
      });
      const J: Matrix = shape.J_s;
      const column = J.map((row) => row[selected.column]);
      const sentence = drawPicked(shape, column);
      for (const handle of handles) handle.place();
      const entries = J.map((row) => row.map((entry) => (Math.abs(entry) < ROUNDING ? "0" : fixed(entry, 2))));
      grid(entries, changed, selected);
      space.render();
      return { sentence };
    },
    reset: () => {
      selected = opening;
      [before, now] = [openingAngles(), configuration()];
    },
    parts: () => [space],
  };

  /** Highlight the selected axis and the lever arm of its entry, and describe it. */
  function drawPicked(shape: ReturnType<typeof stateAt>, column: number[]): string {
    const { omega, middle } = lineOf(shape, selected.column);
    const { row } = selected;
    const isLever = row !== undefined && row > 2;
    const e = AXES.map((_, k) => Number(row !== undefined && k === row % 3));
    const { feet, lever: sizes } = kernels.lever_kernel(e, column) as Record<string, number[]>;
    const [far, sine] = sizes;
    const hasLever = isLever && sine > MEETS;
    const [onAxis, onLine] = [feet.slice(0, 3), feet.slice(3)];
    const reach = hasLever ? dot(onLine, omega) - dot(middle, omega) : 0;
    const ends = [Math.min(-LIT, reach - BEYOND), Math.max(LIT, reach + BEYOND)];
    lit.through(ends.map((end) => along(middle, omega, end)));
    const high = hasLever ? dot(onAxis, e) : 0;
    const bounds = [Math.min(0, high) - BEYOND, Math.max(0, high) + BEYOND + UNIT];
    axis.through(row === undefined ? [] : bounds.map((end) => along([0, 0, 0], e, end)));
    letter.show(row !== undefined);
    letter.rename(AXES[(row ?? 0) % 3]);
    letter.place(space.at(along([0, 0, 0], e, bounds[1] + 0.06)));
    const isLong = hasLever && Math.abs(far) > MEETS;
    leverWay.through(isLong ? [onAxis, onLine] : []);
    leverName.show(isLong);
    leverName.placeBeside(space.at(onAxis), space.at(onAxis.map((entry, i) => (entry + onLine[i]) / 2)));
    const isCosine = row !== undefined && row < 3;
    const way = omega.map((entry) => UNIT * entry);
    const part = e.map((entry) => UNIT * entry * dot(e, omega));
    arrows[0].draw(middle, isCosine ? way : [0, 0, 0]);
    arrows[1].draw(middle, isCosine ? part : [0, 0, 0]);
    closing.through(isCosine ? [along(middle, way, 1), along(middle, part, 1)] : []);
    return tell(selected, column, far, sine);
  }
}

function tell({ row, column }: Entry, entries: number[], far: number, sine: number): string {
  const name = column + 1;
  if (row === undefined) {
    const others = [...Array(Math.max(column - 1, 0)).keys()].map((i) => i + 1).join(", ");
    const by = others ? `joints ${others} and ${column} carry` : `joint ${column} carries`;
    return column === 0 ? "No joint carries line 1, so column 1 never changes." : `Only ${by} line ${name}.`;
  }
  const axis = `the ${AXES[row % 3]} axis`;
  const entry = `${ROWS[row]} of joint ${name} is`;
  if (row < 3) return `${entry} ${short(entries[row], 2)}: the cosine of the angle between line ${name} and ${axis}.`;
  if (sine <= ROUNDING) return `${entry} 0: line ${name} is parallel to ${axis}.`;
  if (Math.abs(far) <= ROUNDING) return `${entry} 0: line ${name} intersects ${axis}.`;
  const product = `${short(Math.abs(far), 2)} m · sin ${short(Math.asin(Math.min(sine, 1)) / DEGREE, 0)}°`;
  return `${entry} ${short(entries[row], 2)}. Its magnitude is the lever arm times the sine of the angle between the line and the axis: ${product}.`;
}

/** Return a number with fixed decimals; if these are zero, with its first digit, and 0 for rounding. */
function short(value: number, decimals: number): string {
  const size = Math.abs(value);
  if (size < ROUNDING) return "0";
  return fixed(value, Math.max(decimals, 2 * size < 10 ** -decimals ? Math.ceil(-Math.log10(size)) : 0));
}

function along(from: number[], way: number[], far: number): number[] {
  return from.map((entry, i) => entry + far * way[i]);
}
