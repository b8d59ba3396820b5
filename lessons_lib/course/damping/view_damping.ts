/** Lesson 10: three damping factors side by side, and the results of all others. */

import { Chart, powers } from "../../../front/src/flat/chart.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { DEGREE, fixed, TURN } from "../../../front/src/numbers.ts";
import { addKey, drawElement, element, say, setAttributes } from "../../../front/src/page.ts";
import { EQUAL, largestStep, type Run, Solver, type Stop } from "../../../front/src/solver.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { turner } from "../../../front/src/space/scene.ts";
import { colourOf, judge, type Verdict } from "../../../front/src/verdict.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";

const PANEL = 0.95; // width over height
const ZERO = 0.04; // position of λ = 0 on the axis, and start of the powers of ten
const FIRST = 0.11;

const ENDINGS = {
  converged: "converged",
  stalled: "stationary",
  "out of steps": "not converged",
  "not finite": "failed",
};
const KEY: [string, string][] = [
  ["green", "no step above 1 rad"],
  ["vermilion", "up to one revolution"],
  ["purple", "longer"],
  ["ink live-never", "hollow: not converged"],
];

interface Task extends ArmData {
  targets: Matrix[];
  start: number[];
  turned: boolean; // whether the reader moves the joints of the start
}

interface Data {
  tasks: Task[];
  stop: Stop;
  ladder: number[];
  method: { name: string; kind: string };
}

export function damping(stage: Stage<Data>): View {
  const { state, kernels } = stage;
  const { tasks, stop, ladder, method } = stage.data;
  const solvers = tasks.map((task) => new Solver(kernels, task.tag, task.joints.length));
  const row = element("div", "live-panels", stage.root);
  const panels = [0, 1, 2].map(() => {
    const panel = element("div", "live-panel-one", row);
    return {
      name: element("p", "live-panel-name", panel),
      root: element("div", "live-panel-picture", panel),
      words: element("p", "live-panel-words", panel),
    };
  });
  const charts = element("div", "live-charts", stage.root);
  const about = ["Number of steps against λ.", "Largest step of a joint against λ."];
  const [counts, sizes] = about.map((words, k) => new Chart(charts, k === 0 ? 100 : 134, words, stage.redraw, k === 0));
  addKey(charts, KEY);
  const places = [0, ...ladder];
  const dots = [counts, sizes].map((chart) =>
    places.map(() => drawElement("circle", chart.svg, { class: "live-dot", r: 4 })),
  );
  const turnLine = drawElement("path", sizes.svg, { class: "live-bound" });
  const turnLooks = { class: "live-tick", "text-anchor": "end" };
  const turnName = drawElement("text", sizes.svg, turnLooks, "one revolution");
  const cursors = [counts, sizes].map((chart) => drawElement("path", chart.svg, { class: "live-cursor" }));
  const moving = drawElement("circle", sizes.svg, { class: "live-dot live-chosen", r: 7 });

  const x = {
    name: "damping factor λ",
    part: (value: number) => (value > 0 ? FIRST + ((1 - FIRST) * Math.log10(value / 1e-3)) / Math.log10(3150) : ZERO),
    ticks: [0, 0.001, 0.01, 0.1, 1].map((value): [number, string] => [value, String(value)]),
  };
  const toDamping = (part: number) =>
    part < (ZERO + FIRST) / 2 ? 0 : 1e-3 * 3150 ** ((Math.max(part, FIRST) - FIRST) / (1 - FIRST));
  const handle = controlHandle(counts.root, state, "λ in the chart", "ink", { damping: 1 }, ([at]) => [
    toDamping(counts.partAt(at)),
  ]);

  let scenes: ArmScene[] = [];
  const scenesOf = memo<ArmScene[]>();
  const sweep = memo<Run[]>();
  const turnTogether = turner(() => scenes.map(({ space }) => space));

  return {
    draw(): Reading {
      const k = tasks.findIndex(({ name }) => name === state.optionOf("arm"));
      scenes = scenesOf(k, () => {
        for (const scene of scenes) scene.dispose();
        return panels.map(({ root }) => new ArmScene(stage, root, tasks[k], PANEL));
      });
      turnTogether();
      const task = tasks[k];
      const target = task.targets[state.on("far") ? 1 : 0];
      const start = task.turned ? [1, 2].map((i) => state.number(`q${i}`) * DEGREE) : task.start;
      const solve = (parameter: number) =>
        solvers[k].solve(target, start, { ...method, parameter, weights: EQUAL }, stop);
      const swept = sweep([k, target, start], () => places.map(solve));
      const own = state.number("damping");
      const dampings = [0, own, 1];
      const runs = dampings.map(solve);
      const verdicts = runs.map((run) => judge(run));
      runs.forEach((run, i) => {
        const scene = scenes[i];
        scene.aim(target);
        scene.from(start);
        const configurations = run.iterates.map(({ q }) => q);
        if (configurations.length > 0) scene.stand(configurations, configurations.length - 1);
        scene.space.render();
        say(panels[i].name, i === 1 ? `λ = ${format(own)}` : `λ = ${dampings[i]}`);
        say(panels[i].words, verdicts[i].words);
        panels[i].words.dataset.tone = verdicts[i].tone;
      });
      drawCharts(swept, runs[1], own);
      return read(dampings, runs, verdicts);
    },
    parts: () => [...scenes, counts, sizes],
  };

  /** Draw both charts, and the dot at the current damping. */
  function drawCharts(swept: Run[], run: Run, own: number): void {
    counts.dress(x, { ...powers("steps", 1, 400), ticks: [1, 10, 100].map((n): [number, string] => [n, String(n)]) });
    sizes.dress(x, powers("largest step [rad]", 0.05, 2000));
    const bottom = sizes.at(0, 0.05)[1];
    swept.forEach((one, i) => {
      const longest = largestStep(one.iterates);
      const looks = `live-dot live-${colourOf(longest)}${one.status === "converged" ? "" : " live-never"}`;
      setAttributes(dots[0][i], { ...counts.dot(places[i], one.steps), class: looks });
      setAttributes(dots[1][i], { ...sizes.dot(places[i], longest), class: looks });
    });
    const right = sizes.at(3.15, TURN);
    setAttributes(turnLine, { d: sizes.line([0, TURN], [3.15, TURN]) });
    setAttributes(turnName, { x: right[0], y: right[1] - 5 });
    const longest = largestStep(run.iterates);
    const [cx] = sizes.at(own, longest);
    setAttributes(moving, { ...sizes.dot(own, longest), class: `live-dot live-chosen live-${colourOf(longest)}` });
    setAttributes(cursors[0], { d: `M${cx},20V112` });
    setAttributes(cursors[1], { d: `M${cx},0V${bottom}` });
    handle.place(counts.at(own, run.steps), `λ ${format(own)}, ${run.steps} steps`, own);
  }
}

function format(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function read(dampings: number[], runs: Run[], verdicts: Verdict[]): Reading {
  const rows = runs.map(({ steps, iterates, status }, i) => {
    return [`λ = ${format(dampings[i])}`, String(steps), fixed(largestStep(iterates), 2), ENDINGS[status]];
  });
  const sentence = `With λ = ${format(dampings[1])} the solve ${verdicts[1].words}.`;
  return { sentence, tone: verdicts[1].tone, heads: ["", "steps", "largest [rad]", "outcome"], rows };
}
