/** Lesson 23: an arm's loop at a fixed rate: solutions of the printed solver, motors that follow, and reflex stops. */

import { drawArm } from "../../../front/src/flat/arm.ts";
import { Chart, even, powers } from "../../../front/src/flat/chart.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import { type Matrix, type PackedMatrix, type PrintedFunction, packMatrix } from "../../../front/src/kernels.ts";
import { identity } from "../../../front/src/matrix.ts";
import { decimalsAbove, fixed, TURN } from "../../../front/src/numbers.ts";
import { addKey, drawCurves, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";

const BOUNDS = { left: -0.8, right: 2.1, bottom: -1.5, top: 1.6 }; // m
const HEIGHTS = [180, 230]; // pixels of the charts
const COLOURS = ["vermilion", "green"]; // of both joints
const RANGE = [0.01, 1e5]; // drawn accelerations, rad/s²
const PIXELS = 500; // points of a curve: more are not visible

interface Data {
  lasts: number;
  moving: number;
  ends: [number[], number[]];
  elbow: number[];
  report: number;
  fastest: number;
  reflex: number;
}

interface Answers {
  places: PackedMatrix;
  q: PackedMatrix;
}

export function servo(stage: Stage<Data>): View {
  const { state, kernels } = stage;
  const { lasts, moving, ends, elbow, report, fastest, reflex } = stage.data;
  const pair = element("div", "live-pair", stage.root);
  const left = element("div", "live-panel-picture", pair);
  const plane = new Plane(left, BOUNDS, "The arm and the line that its hand should follow.", stage.redraw);
  const grid = drawGrid(plane, BOUNDS.right, [-1, 1, 2]);
  const line = drawElement("path", plane.svg, { class: "live-curve live-blue" });
  const [ghost, arm] = ["live-pale", "live-ink"].map((look) => drawArm(plane, look));
  const charts = element("div", "live-charts", pair);
  const off = new Chart(charts, HEIGHTS[0], "The error of the hand over time.", stage.redraw, true);
  const error = drawElement("path", off.svg, { class: "live-curve live-blue" });
  const demanded = new Chart(charts, HEIGHTS[1], "The required accelerations over time.", stage.redraw);
  const border = drawElement("path", demanded.svg, { class: "live-bound" });
  const curves = drawCurves(demanded.svg, ...COLOURS);
  const now = [off, demanded].map((chart) => drawElement("path", chart.svg, { class: "live-cursor" }));
  const words = COLOURS.map((colour, j): [string, string] => [colour, `joint ${j + 1}`]);
  addKey(stage.root, words, ` · above the dashed line (${reflex} rad/s²), the arm stops`);
  const answersAt = memo<Answers>();

  const time = controlHandle(demanded.root, state, "time", "ink", { t: 0.01 }, ([x]) => [lasts * demanded.partAt(x)]);

  /** Return the solutions for hand positions, each from the one before; the first row is the start. */
  function solveAll(places: PackedMatrix, first: number[], tolerance: string): PackedMatrix {
    const q = packMatrix([...Array(places.rows).keys()].map(() => first));
    const target = packMatrix(identity(4));
    const room = Float64Array.from((kernels.room_for as unknown as PrintedFunction)(tolerance) as number[]);
    (kernels.answer_places as unknown as PrintedFunction)(places, target, q, room, new Float64Array(report));
    return q;
  }

  /** Return the solver's solutions in all cycles; they depend only on its tolerance and on the rate. */
  function answers(): Answers {
    const [rate, tolerance] = [state.number("rate"), state.optionOf("tolerance")];
    return answersAt([rate, tolerance], () => {
      const ways = [...Array(Math.round(lasts * rate) + 1).keys()].map((k) => {
        const way = kernels.way_kernel([Math.min(k / rate / moving, 1)]).way[0];
        return ends[0].map((from, i) => from + way * (ends[1][i] - from));
      });
      const places = packMatrix(ways);
      const start = solveAll(packMatrix([ends[0], ends[0]]), elbow, "1 nm");
      return { places, q: solveAll(places, row(start, 1), tolerance) };
    });
  }

  /** Return joint positions and requested accelerations, cycle by cycle. */
  function follow({ q }: Answers): [PackedMatrix, PackedMatrix] {
    const [actual, desired] = [0, 1].map(() => ({ ...q, at: new Float64Array(q.at.length) }));
    const step = TURN / 2 ** state.number("bits");
    const [rate, gain] = state.numbersOf("rate", "gain");
    const settings = [1 / rate, delay(), gain, step, Number(state.on("forward")), fastest];
    (kernels.follow_answers as unknown as PrintedFunction)(q, settings, actual, desired);
    return [actual, desired];
  }

  const delay = () => Math.floor(state.number("delay") + 0.5); // whole cycles
  const row = ({ at, columns }: PackedMatrix, k: number) => [...at.subarray(k * columns, (k + 1) * columns)];
  const corners = (q: number[]) => kernels.arm_kernel(q).corners as Matrix;

  return {
    draw(): Reading {
      const due = answers();
      const [q, desired] = follow(due);
      const rate = state.number("rate");
      const cycles = [...Array(q.rows).keys()];
      const away = cycles.map((k) => {
        const [hand, place] = [corners(row(q, k))[1], row(due.places, k)];
        return 1000 * Math.hypot(hand[0] - place[0], hand[1] - place[1]);
      });
      const t = state.number("t");
      const at = Math.min(Math.round(t * rate), q.rows - 1);
      drawArms(row(due.q, at), row(q, at));
      drawCharts(away, desired, rate, t);
      return read(away, desired, rate, at);
    },
    parts: () => [plane, off, demanded],
  };

  function drawArms(desired: number[], actual: number[]): void {
    grid();
    setAttributes(line, { d: plane.path(ends as unknown as Matrix) });
    ghost.draw([[0, 0], ...corners(desired)], desired[0] + desired[1]);
    arm.draw([[0, 0], ...corners(actual)], actual[0] + actual[1]);
  }

  function drawCharts(away: number[], desired: PackedMatrix, rate: number, t: number): void {
    const most = Math.max(...away, 0.01);
    const size = 10 ** Math.floor(Math.log10(most));
    const step = [0.5, 1, 2, 5].map((part) => part * size).find((part) => most <= 3 * part) ?? 5 * size;
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    const x = even("time [s]", 0, lasts, 0.5, (value) => fixed(value, 1));
    const y = even("error of the hand [mm]", 0, 3 * step, step, (value) => fixed(value, digits));
    off.dress(x, y);
    demanded.dress(x, powers("required acceleration [rad/s²]", RANGE[0], RANGE[1], 2));
    setAttributes(border, { d: demanded.line([0, reflex], [lasts, reflex]) });
    setAttributes(error, { d: off.path(peaks(away).map(([k, height]) => [k / rate, height])) });
    curves.forEach((curve, j) => {
      const sizes = [...Array(desired.rows).keys()].map((k) => Math.abs(desired.at[k * desired.columns + j]));
      const points = peaks(sizes).map(([k, height]): [number, number] => [k / rate, Math.max(height, RANGE[0])]);
      setAttributes(curve, { d: demanded.path(points) });
    });
    setAttributes(now[0], { d: off.line([t, 0], [t, 3 * step]) });
    setAttributes(now[1], { d: demanded.line([t, RANGE[0]], [t, RANGE[1]]) });
    time.place(demanded.at(t, RANGE[1]), `${fixed(t, 2)} s`, t);
  }

  function read(away: number[], desired: PackedMatrix, rate: number, at: number): Reading {
    const joints = COLOURS.map((_, j) => [...Array(desired.rows).keys()].map((k) => desired.at[k * 2 + j]));
    const largest = joints.map((all) => all.reduce((most, one) => Math.max(most, Math.abs(one)), 0));
    const rows = joints.map((all, j) => [`joint ${j + 1}`, fixed(all[at], 2), fixed(largest[j], 2)]);
    const table = { heads: ["", "q̈ at t", "largest q̈"], rows, colours: COLOURS };
    const most = away.reduce((a, b) => Math.max(a, b), 0);
    const gain = state.number("gain") / rate;
    const bound = kernels.bound_kernel([delay()]).gain[0];
    const late = `a delay of ${delay()} ${delay() === 1 ? "cycle" : "cycles"}`;
    const differ = (digits: number) => gain >= bound || fixed(gain, digits) !== fixed(bound, digits);
    const digits = [3, 4, 5, 6, 7].find(differ) ?? 8; // enough to compare the two
    const limit = fixed(bound, digits);
    const loop = `The product of gain and cycle time is ${fixed(gain, digits)}; a loop with ${late} is stable below ${limit}.`;
    const off = `at most ${fixed(most, 2)} mm off. ${loop}`;
    const first = [...Array(desired.rows).keys()].find((k) => joints.some((all) => Math.abs(all[k]) > reflex));
    if (first === undefined) return { sentence: `The hand is ${off}`, tone: gain < bound ? "good" : "bad", ...table };
    const joint = joints.findIndex((all) => Math.abs(all[first]) > reflex);
    const size = Math.abs(joints[joint][first]);
    const asks = `joint ${joint + 1} needs ${fixed(size, decimalsAbove(size, reflex, 1))} rad/s²`;
    const when = fixed(first / rate, first > 0 ? decimalsAbove(first / rate, 0, 2) : 2);
    const stop = `The arm would stop at ${when} s: ${asks}.`;
    return { sentence: `${stop} Without the stop, the hand would be ${off}`, tone: "bad", ...table };
  }
}

/** Return positions and heights of a curve, the maximum of many neighbours: what is visible of it. */
function peaks(heights: number[]): [number, number][] {
  const every = Math.max(1, Math.floor(heights.length / PIXELS));
  return [...Array(Math.ceil(heights.length / every)).keys()].map((part) => {
    const own = heights.slice(part * every, (part + 1) * every);
    const most = Math.max(...own);
    return [part * every + own.indexOf(most), most];
  });
}
