/** Lesson 10: the damped step where level sets of error and length touch, and its point on the L-curve. */

import { Chart, even } from "../../../front/src/flat/chart.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle, type Point } from "../../../front/src/handle.ts";
import { length as size } from "../../../front/src/matrix.ts";
import { amount, fixed } from "../../../front/src/numbers.ts";
import { addKey, drawCurves, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const BOUNDS = { left: -0.5, right: 2.5, bottom: -0.5, top: 1.1 }; // rad
const HEIGHT = 170; // pixels of the L-curve
const LEVELS = { error: [0.05, 0.2, 0.3], length: [0.5, 1, 1.5, 2] };
const TURNS = [...Array(120).keys()].map((k) => (2 * Math.PI * k) / 120);
const WEAKEST = 30; // λ at the end of the curve towards zero

interface DampedStep {
  step: number[];
  left: number[];
}

export function tradeoff(stage: Stage<{ error: number[]; places: number[] }>): View {
  const { state, kernels } = stage;
  const { error, places } = stage.data;
  const [above, below] = [1, 2].map(() => element("div", "live-panel-picture", stage.root));
  const plane = new Plane(above, BOUNDS, "The plane of possible steps with the two families of curves.", stage.redraw);
  const grid = drawGrid(plane, 2.5, [1, 2], "rad");
  const family = (levels: number[], colour: string) =>
    levels.map((level) => ({ level, line: drawElement("path", plane.svg, { class: `live-level live-${colour}` }) }));
  const errors = family(LEVELS.error, "blue");
  const lengths = family(LEVELS.length, "vermilion");
  const [way, equalError, equalLength] = drawCurves(plane.svg, "ink", "blue", "vermilion");
  const ends = ["Newton's step", "no step"].map((words, k) => {
    const dot = drawElement("circle", plane.svg, { class: "live-dot live-ink", r: 3.5 });
    const looks = { class: "live-tick", "text-anchor": k === 0 ? "middle" : "start" };
    return { dot, name: drawElement("text", plane.svg, looks, words) };
  });
  const chart = new Chart(below, HEIGHT, "The remaining error against the length of the step.", stage.redraw);
  const [bill, across, down] = drawCurves(chart.svg, "ink", "blue", "vermilion");
  const far = " · horizontal: the direction with the singular value σ; vertical: the other one";
  addKey(stage.root, Object.entries({ blue: "equal remaining error", vermilion: "equal length" }), far);

  const grips = [
    { root: above, name: "damped step", pixel: (one: DampedStep) => plane.at(one.step) },
    { root: below, name: "bead on the curve", pixel: (one: DampedStep) => bead(one) },
  ].map(({ root, name, pixel }) =>
    controlHandle(root, state, name, "ink live-hollow", { damping: -1 }, (place) => [nearest(place, pixel)]),
  );

  const sigmas = () => [state.number("sigma"), 1];
  const dampedStep = (lamda: number) => kernels.damped_kernel(sigmas(), error, [lamda]) as unknown as DampedStep;
  const bead = (one: DampedStep): Point => chart.at(size(one.step), size(one.left));

  /** Return the damping whose point is nearest to a pixel. */
  function nearest([x, y]: Point, pixel: (one: DampedStep) => Point): number {
    const far = places.map((lamda) => {
      const [u, v] = pixel(dampedStep(lamda));
      return Math.hypot(u - x, v - y);
    });
    return places[far.indexOf(Math.min(...far))];
  }

  function equallyWrong(r: number): string {
    const ellipse = TURNS.map((angle) => kernels.level_kernel(sigmas(), error, [r, angle]).place as number[]);
    return plane.path(ellipse, true);
  }

  function equallyLong(r: number): string {
    const circle = TURNS.map((angle) => [r * Math.cos(angle), r * Math.sin(angle)]);
    return plane.path(circle, true);
  }

  return {
    draw(): Reading {
      const now = dampedStep(state.number("damping"));
      const [without, all] = [dampedStep(0), [...places, 5, 10, WEAKEST].map(dampedStep)];
      const [length, rest] = [size(now.step), size(now.left)];
      grid();
      for (const { level, line } of errors) setAttributes(line, { d: equallyWrong(level) });
      for (const { level, line } of lengths) setAttributes(line, { d: equallyLong(level) });
      setAttributes(equalError, { d: equallyWrong(rest) });
      setAttributes(equalLength, { d: equallyLong(length) });
      setAttributes(way, { d: plane.path(all.map(({ step }) => step)) });
      ends.forEach(({ dot, name }, k) => {
        const [cx, cy] = plane.at(k === 0 ? without.step : [0, 0]);
        setAttributes(dot, { cx, cy });
        setAttributes(name, k === 0 ? { x: cx, y: cy - 22 } : { x: cx + 6, y: cy + 15 });
      });
      chart.dress(
        even("length of the step [rad]", 0, 2.5, 0.5),
        even("remaining error", 0, 0.6, 0.2, (y) => fixed(y, 1)),
      );
      setAttributes(bill, { d: chart.path(all.map((one) => [size(one.step), size(one.left)])) });
      setAttributes(across, { d: chart.line([0, rest], [length, rest]) });
      setAttributes(down, { d: chart.line([length, 0], [length, rest]) });
      const words = `λ ${state.number("damping")}`;
      grips[0].place(plane.at(now.step), words, state.number("damping"));
      grips[1].place(bead(now), words, state.number("damping"));
      return read(now, without, state.number("sigma"));
    },
    parts: () => [plane, chart],
  };
}

function read(now: DampedStep, without: DampedStep, sigma: number): Reading {
  const rows = [sigma, 1].map((value, i) => {
    return [`σ\u00a0=\u00a0${value}`, ...[without.step, now.step, now.left].map((entries) => fixed(entries[i], 3))];
  });
  const heads = ["", "Newton [rad]", "damped", "remaining error"];
  const sentence = `The step is ${fixed(size(now.step), 2)} rad long and leaves an error of ${amount(size(now.left), 3)}.`;
  return { sentence, heads, rows };
}
