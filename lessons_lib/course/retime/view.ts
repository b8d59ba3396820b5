/** Lesson 22: a hand on a line past the base, its speed against its position, and the joint that limits it. */

import { drawArm } from "../../../front/src/flat/arm.ts";
import { Chart, even } from "../../../front/src/flat/chart.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { decimalsAbove, fixed } from "../../../front/src/numbers.ts";
import { addKey, drawCurves, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const BOUNDS = { left: -1.65, right: 1.65, bottom: -1.15, top: 1.35 }; // m
const HEIGHT = 330; // pixels of the chart
const BORDER = 240; // samples of the limit curves
const COLOURS = ["vermilion", "green"]; // of both joints
const OVER = 1 + 1e-9; // relative tolerance of a limit: rounding

interface Data {
  span: number;
  points: number;
  speed: number;
  acceleration: number;
  top: number;
  fine: number;
}

/** State of a joint at one position of the line. */
interface Moment {
  s: number;
  speed: number;
  rates: number[];
  accelerations: number[];
  corners: Matrix;
  q: number[];
}

export function timing(stage: Stage<Data>): View {
  const { state, kernels } = stage;
  const { span, points, speed, acceleration, top, fine } = stage.data;
  const pair = element("div", "live-pair", stage.root);
  const left = element("div", "live-panel-picture", pair);
  const plane = new Plane(left, BOUNDS, "The arm and the line that its hand follows.", stage.redraw);
  const grid = drawGrid(plane, BOUNDS.right, [-1, 1]);
  const line = drawElement("path", plane.svg, { class: "live-curve live-blue" });
  const arm = drawArm(plane, "live-ink");
  const about = "The speed of the hand against its position, with the bounds set by the limits.";
  const chart = new Chart(element("div", "live-charts", pair), HEIGHT, about, stage.redraw);
  const borders = drawCurves(chart.svg, ...[...COLOURS, "purple"].map((colour) => `angle live-${colour}`));
  const now = drawElement("path", chart.svg, { class: "live-bound" });
  const curve = drawElement("path", chart.svg, { class: "live-curve live-blue" });
  const excesses = drawCurves(chart.svg, ...COLOURS.map((colour) => `thick live-${colour}`));
  const [one, other] = COLOURS;
  const key = { [one]: "speed of joint 1", [other]: "speed of joint 2", purple: "both accelerations" };
  const rest = ` · limits: ${speed} rad/s and ${acceleration} rad/s² for each joint · where the curve is thick, the joint of that colour exceeds a limit`;
  addKey(stage.root, Object.entries(key), rest);

  const names = [...Array(points).keys()].map((i) => `v${i + 1}`);
  const speeds = () => [0, ...state.numbersOf(...names), 0];
  const placeOf = (i: number) => -span + (2 * span * i) / (points + 1);

  /** Return the states of the joints at a fraction of the segment after a point of the curve. */
  function momentAt(piece: number, part: number): Moment {
    const [before, after] = speeds().slice(piece, piece + 2);
    const length = placeOf(piece + 1) - placeOf(piece);
    const x = before ** 2 + part * (after ** 2 - before ** 2);
    const push = (after ** 2 - before ** 2) / (2 * length);
    const s = placeOf(piece) + part * length;
    const found = kernels.motion_kernel([s], [state.number("d")], [x, push]);
    return { s, speed: Math.sqrt(x), ...found } as unknown as Moment;
  }

  const heightAt = (pixel: number) => {
    const [low, high] = [chart.at(0, 0)[1], chart.at(0, top)[1]];
    return (top * (pixel - low)) / (high - low);
  };
  const knots = names.map((name, i) =>
    controlHandle(chart.root, state, `speed ${i + 1}`, "blue", { [name]: 0.01 }, ([, y]) => [heightAt(y)]),
  );
  const hand = controlHandle(left, state, "hand", "ink live-hollow", { s: 0.01 }, (place) => plane.from(place));

  return {
    draw(): Reading {
      const d = state.number("d");
      const s = state.number("s");
      chart.dress(
        even("position s of the hand [m]", -span, span, 0.4, (s) => fixed(s, 1)),
        even("speed ṡ [m/s]", 0, top, 0.5),
      );
      const pieces = [...Array(points + 1).keys()].map((piece) =>
        [...Array(fine + 1).keys()].map((k) => momentAt(piece, k / fine)),
      );
      showArm(d, s);
      drawBorders(d);
      const all = pieces.flat();
      setAttributes(curve, { d: chart.path(all.map((moment) => [moment.s, moment.speed])) });
      excesses.forEach((path, joint) => {
        setAttributes(path, { d: pieces.map((moments) => excessPath(moments, joint)).join("") });
      });
      setAttributes(now, { d: chart.line([s, 0], [s, top]) });
      knots.forEach((knot, i) => {
        const [at, height] = [placeOf(i + 1), state.number(names[i])];
        knot.place(chart.at(at, height), `${fixed(height, 2)} m/s at ${fixed(at, 1)} m`, height);
      });
      return read(all, s);
    },
    parts: () => [plane, chart],
  };

  function here(s: number): Moment {
    const whole = ((s + span) / (2 * span)) * (points + 1);
    const piece = Math.min(Math.floor(whole), points);
    return momentAt(piece, whole - piece);
  }

  function showArm(d: number, s: number): void {
    const { corners, q } = here(s);
    grid();
    setAttributes(line, { d: plane.line([-span, d], [span, d]) });
    arm.draw([[0, 0], ...corners], q[0] + q[1]);
    hand.place(plane.at(corners[1]), `s ${fixed(s, 2)} m`, s);
  }

  function drawBorders(d: number): void {
    const places = [...Array(BORDER + 1).keys()].map((k) => -span + (2 * span * k) / BORDER);
    const ceilings = places.map((s) => kernels.motion_kernel([s], [d], [0, 0]).ceilings as number[]);
    borders.forEach((border, i) => {
      const points = places.map((s, k): [number, number] => [s, ceilings[k][i]]);
      const visible = runs(points, ([, height]) => height <= top);
      setAttributes(border, { d: visible.map((run) => chart.path(run)).join("") });
    });
  }

  /** Return the path of the parts of a segment in which a joint exceeds a limit. */
  function excessPath(moments: Moment[], joint: number): string {
    const parts = runs(moments, (moment) => exceedsLimit(moment, joint));
    return parts.map((part) => chart.path(part.map((moment) => [moment.s, moment.speed]))).join("");
  }

  function exceedsLimit({ rates, accelerations }: Moment, joint: number): boolean {
    return Math.abs(rates[joint]) > OVER * speed || Math.abs(accelerations[joint]) > OVER * acceleration;
  }

  function read(all: Moment[], s: number): Reading {
    const at = here(s);
    const two = (value: number) => fixed(value, 2);
    const kinds = [
      { of: "rates", what: "turn at", unit: "rad/s", limit: speed },
      { of: "accelerations", what: "accelerate at", unit: "rad/s²", limit: acceleration },
    ] as const;
    const mosts = [0, 1].map((joint) =>
      kinds.map((kind) => {
        const size = (moment: Moment) => Math.abs(moment[kind.of][joint]);
        const moment = all.reduce((worst, one) => (size(one) > size(worst) ? one : worst));
        return { ...kind, joint, place: moment.s, value: size(moment) };
      }),
    );
    const rows = mosts.map((pair, joint) => {
      const numbers = [at.rates[joint], at.accelerations[joint], ...pair.map(({ value }) => value)];
      return [`joint ${joint + 1}`, ...numbers.map(two)];
    });
    const heads = ["", "q̇ at s", "q̈ at s", "largest |q̇|", "largest |q̈|"];
    const table = { heads, rows, colours: COLOURS };
    const way = speeds();
    const lasts = way.slice(1).map((after, i) => (2 * (placeOf(i + 1) - placeOf(i))) / (way[i] + after));
    const time = `The motion takes ${two(lasts.reduce((sum, last) => sum + last, 0))} s.`;
    const worst = mosts.flat().reduce((a, b) => (b.value / b.limit > a.value / a.limit ? b : a));
    const kept = `All limits are satisfied at ${fine + 1} samples per segment. ${time}`;
    if (worst.value <= OVER * worst.limit) return { sentence: kept, tone: "good", ...table };
    const { joint, place, what, value, unit, limit } = worst;
    const size = fixed(value, decimalsAbove(value, limit, 3));
    const would = `at s = ${two(place)} m it would ${what} ${size} ${unit}; its limit is ${limit}`;
    const sentence = `Joint ${joint + 1} exceeds its limits the most: ${would}. ${time}`;
    return { sentence, tone: "bad", ...table };
  }
}

/** Return the runs of neighbours that satisfy a condition. */
function runs<T>(all: T[], holds: (one: T) => boolean): T[][] {
  const runs: T[][] = [];
  all.forEach((one, k) => {
    if (holds(one) && (k === 0 || !holds(all[k - 1]))) runs.push([]);
    if (holds(one)) runs[runs.length - 1].push(one);
  });
  return runs;
}
