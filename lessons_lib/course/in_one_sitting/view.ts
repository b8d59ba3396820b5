/** Lesson 00: number of steps for each pair of damping and weight, and the errors of the chosen pair. */

import { Chart, powers } from "../../../front/src/flat/chart.ts";
import { addErrorChart } from "../../../front/src/flat/error_chart.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { entryOf, fixed } from "../../../front/src/numbers.ts";
import { addKey, addTwo, drawElement, element, setAttributes, show } from "../../../front/src/page.ts";
import {
  angleOf,
  distanceOf,
  largestStep,
  type Method,
  type Run,
  Solver,
  type Stop,
} from "../../../front/src/solver.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const HEIGHT = 250; // pixels of each picture
const SLICE = 8; // ms of computing between two frames
const HALF = 2 ** 0.25; // half a cell, as a factor
const JOINTS = 6;
const NAME = "|v| [m], dashed |ω| [rad]";
const LEVELS = [10, 16, 30, 80, 200]; // steps: each colour up to the next of them

interface Data {
  dampings: number[];
  weights: number[];
  kind: string;
  shift: number;
  stop: Stop;
  target: Matrix;
}

export function convergence_map(stage: Stage<Data>): View {
  const { state, kernels, specification } = stage;
  const { dampings, weights, kind, shift, stop, target } = stage.data;
  const solver = new Solver(kernels, "ur10", JOINTS);
  const [left, right] = addTwo(stage.root, "live-pair");
  const map = new Chart(element("div", "live-charts", left), HEIGHT, specification.about, stage.redraw);
  const about = "The errors of the chosen pair at each step.";
  const errors = addErrorChart(stage, right, about, stop, ["blue"], HEIGHT, NAME);
  const cells = LEVELS.map((most) => drawElement("path", map.svg, { class: `live-steps-${most}` }));
  const cross = drawElement("path", map.svg, { class: "live-cursor" });
  const words = LEVELS.map((most, k): [string, string] => [
    `steps-${most}`,
    k === 0 ? `at most ${most} steps ` : `${most} `,
  ]);
  addKey(stage.root, words, "· empty: not reached in 200 steps");
  const bar = element("progress", "live-progress", stage.root);
  bar.max = dampings.length * weights.length;
  bar.setAttribute("aria-label", "pairs computed");

  const method = (damping: number, weight: number): Method => ({
    name: "constant",
    kind,
    parameter: damping,
    weights: [1, 1, 1, weight, weight, weight],
  });
  const start = () => new Array<number>(JOINTS).fill(state.on("shifted") ? shift : 0);
  const axis = (name: string, all: number[]) => powers(name, all[0] / HALF, all[all.length - 1] * HALF);
  const axes = [axis("damping λ", dampings), axis("weight w of position relative to orientation", weights)] as const;
  const ways = { damping: 1, weight: 1 };
  const handle = controlHandle(map.root, state, "pair of damping and weight", "vermilion", ways, ([x, y]) => {
    const [west, south] = map.at(dampings[0], weights[0]);
    const [east, north] = map.at(dampings[dampings.length - 1], weights[weights.length - 1]);
    const along = (all: number[], part: number) => entryOf(all, Math.round(part * (all.length - 1)));
    return [along(dampings, (x - west) / (east - west)), along(weights, (y - south) / (north - south))];
  });

  /** Steps of each pair by the start, row after row; NaN if the target is not reached. */
  const grids = new Map<boolean, number[]>();
  let waiting: ReturnType<typeof setTimeout> | undefined;

  function compute(): void {
    waiting = undefined;
    const grid = grids.get(state.on("shifted"));
    if (!grid || grid.length === bar.max) return;
    const end = performance.now() + SLICE;
    do {
      const [row, column] = [Math.floor(grid.length / dampings.length), grid.length % dampings.length];
      const { status, steps } = solver.end(target, start(), method(dampings[column], weights[row]), stop);
      grid.push(status === "converged" ? steps : Number.NaN);
    } while (grid.length < bar.max && performance.now() < end);
    stage.redraw();
  }

  function drawMap(grid: number[]): void {
    map.dress(...axes);
    const shapes = LEVELS.map(() => "");
    grid.forEach((steps, k) => {
      const level = LEVELS.findIndex((most) => steps <= most);
      if (level < 0) return;
      const [damping, weight] = [dampings[k % dampings.length], weights[Math.floor(k / dampings.length)]];
      const [x, y] = map.at(damping / HALF, weight * HALF);
      const [east, south] = map.at(damping * HALF, weight / HALF);
      shapes[level] += `M${x.toFixed(1)},${y.toFixed(1)}H${east.toFixed(1)}V${south.toFixed(1)}H${x.toFixed(1)}Z`;
    });
    shapes.forEach((d, level) => {
      setAttributes(cells[level], { d });
    });
    bar.value = grid.length;
    show(bar, grid.length < bar.max);
  }

  return {
    draw(): Reading {
      const [damping, weight] = [state.number("damping"), state.number("weight")];
      const grid = grids.get(state.on("shifted")) ?? [];
      grids.set(state.on("shifted"), grid);
      if (grid.length < bar.max && waiting === undefined) waiting = setTimeout(compute, 0);
      drawMap(grid);
      const run = solver.solve(target, start(), method(damping, weight), stop);
      errors.draw([run], run.iterates.length);
      const [x, y] = map.at(damping, weight);
      setAttributes(cross, {
        d: map.line([dampings[0], weight], [damping, weight]) + map.line([damping, weights[0]], [damping, weight]),
      });
      handle.place([x, y], `λ ${short(damping)}, w ${short(weight)}, ${ending(run)}`, damping);
      return read(damping, weight, run);
    },
    parts: () => [{ dispose: () => clearTimeout(waiting) }, map, errors],
  };
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function ending({ status, steps }: Run): string {
  return status === "converged" ? `${steps} steps` : `not reached in ${steps} steps`;
}

function read(damping: number, weight: number, run: Run): Reading {
  const last = run.iterates[run.iterates.length - 1].twist;
  const arrived = run.status === "converged";
  const left = `|v_{b}| = ${distanceOf(last).toPrecision(2)} m and |ω_{b}| = ${angleOf(last).toPrecision(2)} rad remain`;
  const ends = arrived
    ? `reaches the target in ${run.steps} steps`
    : `does not reach the target in ${run.steps} steps: ${left}`;
  const sentence = `With λ = ${short(damping)} and w = ${short(weight)} the solver ${ends}.`;
  const longest = fixed(largestStep(run.iterates), 2);
  const rows = Object.entries({ steps: String(run.steps), "longest step [rad]": longest });
  return { sentence, tone: arrived ? "plain" : "bad", rows };
}
