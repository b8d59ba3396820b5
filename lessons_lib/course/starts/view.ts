/** Lesson 12: a map of the starts of the 2R; the iteration runs from the chosen one. */

import { FlatArm } from "../../../front/src/flat/arm.ts";
import { Grid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { DEGREE, degrees, fixed, wrapped } from "../../../front/src/numbers.ts";
import { drawElement, element, say, setAttributes, show } from "../../../front/src/page.ts";
import { Player } from "../../../front/src/player.ts";
import { largestStep, type Method, type Run, Solver, type Stop } from "../../../front/src/solver.ts";
import { judge } from "../../../front/src/verdict.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { FIRST, fateOf, NOWHERE, type Request } from "./basin_job.ts";
import { BasinMap } from "./basin_map.ts";
import { BasinRunner } from "./basin_runner.ts";

const MARGIN = [1, 0.45, 0.85, 0.6]; // rad, left, right, below and above the map
const TICKS: [number, string][] = [
  [-Math.PI, "−180°"],
  [-Math.PI / 2, "−90°"],
  [0, "0°"],
  [Math.PI / 2, "90°"],
  [Math.PI, "180°"],
];
const REACH = 2.4; // m: the stretched arm and its hand
const LENGTHS = [1, 1]; // m
const PALE = 8; // arms of earlier iterates
const NAMES = ["neither", "q₂ > 0", "q₂ < 0"];
const COLOURS = ["ink", "blue", "vermilion"];

interface Data {
  methods: { words: string; name: string; kind: string; parameter: number | null }[];
  weights: number[];
  stop: Stop;
  size: number;
  strides: number[];
}

export function basin(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { methods, weights, stop, size, strides } = specification.data as unknown as Data;
  const solver = new Solver(kernels, "planar", 2);
  const pair = element("div", "live-pair", stage.root);
  const [left, right] = [0, 1].map(() => element("div", "live-panel-picture", pair));
  const [west, east, south, north] = MARGIN;
  const bounds = { left: -Math.PI - west, right: Math.PI + east, bottom: -Math.PI - south, top: Math.PI + north };
  const plane = new Plane(left, bounds, specification.about, stage.redraw);
  const map = new BasinMap(plane.svg.parentElement ?? left, size);
  plane.svg.before(map.canvas);
  dress(plane, map.canvas);
  const clip = `live-map-${Math.random().toString(36).slice(2)}`;
  const frame = drawElement("rect", drawElement("clipPath", plane.svg, { id: clip }));
  const walks = ["live-walk-halo", "live-walk"].map((looks) =>
    drawElement("path", plane.svg, { class: looks, "clip-path": `url(#${clip})` }),
  );
  const dots = drawElement("path", plane.svg, { class: "live-walk-dots" });
  const marks = [1, -1].map(() => drawElement("path", plane.svg, { class: "live-solution" }));
  const room = { left: -REACH, right: REACH, bottom: -REACH, top: REACH };
  const floor = new Plane(right, room, "The arm at the iterates from the chosen start.", stage.redraw);
  const grid = new Grid(floor, REACH);
  const pale = [...Array(PALE).keys()].map(() => new FlatArm(floor, 2, "live-pale"));
  const arm = new FlatArm(floor, 2, "live-ink");
  const player = new Player(stage.root, stage.redraw);
  const legend = element("p", "live-key live-shares", stage.root);
  const bar = element("progress", "live-progress", stage.root);
  bar.max = size * size;
  bar.setAttribute("aria-label", "starts computed");

  const runner = new BasinRunner((rows) => {
    map.take(rows);
    stage.redraw();
  });
  const watcher = new IntersectionObserver((entries) => runner.let(entries[entries.length - 1].isIntersecting));
  watcher.observe(stage.root);

  const begin = () => [state.number("q1") * DEGREE, state.number("q2") * DEGREE];
  const method = (): Method => {
    const { name, kind, parameter } = methods.find(({ words }) => words === state.optionOf("method")) ?? methods[0];
    return { name, kind, parameter: parameter ?? state.number("damping"), weights };
  };
  const choose = ([x, y]: Point) => {
    const inside = (angle: number) => Math.min(Math.max(angle, -Math.PI), Math.PI) / DEGREE;
    state.setOnGrid({ q1: inside(x), q2: inside(y) });
  };
  plane.svg.addEventListener("click", (event) => choose(plane.from([event.offsetX, event.offsetY])));
  const start = new Handle(left, {
    name: "start",
    colour: "ink",
    dragTo: (place) => choose(plane.from(place)),
    step: (x, y) => state.setOnGrid({ q1: state.number("q1") + x, q2: state.number("q2") + y }),
  });
  const target = new Handle(right, {
    name: "target",
    colour: "green",
    dragTo: (place) => state.setOnGrid({ distance: floor.from(place)[0] }),
    step: (x, y) => state.setOnGrid({ distance: state.number("distance") + 0.05 * (x + y) }),
  });

  let lastKey = "";
  let cache: { key: string; run: Run | undefined } = { key: "", run: undefined };
  let solutions: number[][] = [];

  return {
    draw(): Reading {
      const distance = state.number("distance");
      const goal = poseAt(distance);
      const how = method();
      const request = JSON.stringify([goal, how]);
      if (lastKey !== request) {
        lastKey = request;
        solutions = answers(distance);
        const order: Request = {
          source: specification.source,
          target: goal,
          method: how,
          stop,
          solutions,
          size,
          strides,
        };
        map.clear();
        runner.ask(order);
      }
      const key = `${request}${begin()}`;
      if (cache.key !== key) {
        cache = { key, run: solver.solve(goal, begin(), how, stop) };
        player.rest();
      }
      const run = cache.run as Run;
      const iterates = run.iterates.map(({ q }) => q);
      player.bound(iterates.length - 1);
      map.draw();
      drawWalk(iterates.slice(0, player.at + 1));
      drawArms(iterates);
      const [x, y] = begin();
      start.place(plane.at([x, y]), `q₁ ${degrees(x, 0)}, q₂ ${degrees(y, 0)}`, state.number("q1"));
      target.place(floor.at([distance, 0]), `${fixed(distance, 2)} m`, distance);
      tellShares();
      return { ...read(run), facts: { ends: [0, 1, -1][fate(run)] } };
    },
    parts: () => [{ dispose: () => watcher.disconnect() }, runner, player, plane, floor],
  };

  /** Return the solutions for a point of the x axis, q₂ > 0 first. */
  function answers(distance: number): number[][] {
    const [, ...gaps] = kernels.answers_kernel([distance], LENGTHS).answers as number[];
    return [1, -1].map((sign) => kernels.angles_kernel([distance, 0], gaps, LENGTHS, [sign]).q as number[]);
  }

  function fate({ status, iterates }: Run): number {
    return fateOf({ status, q: iterates[iterates.length - 1].q }, solutions);
  }

  function drawWalk(iterates: number[][]): void {
    const places = iterates.map((q) => q.map(wrapped));
    const steps = iterates.slice(1).map((q, k) => q.map((angle, i) => angle - iterates[k][i]));
    const segments = steps.flatMap((step, k) => [
      [places[k], places[k].map((angle, i) => angle + step[i])],
      [places[k + 1].map((angle, i) => angle - step[i]), places[k + 1]], // angles wrap around at the edge of the map
    ]);
    const [x, y] = plane.at([-Math.PI, Math.PI]);
    setAttributes(frame, { x, y, width: 2 * Math.PI * plane.scale, height: 2 * Math.PI * plane.scale });
    const d = segments.map((segment) => plane.path(segment)).join("");
    for (const walk of walks) setAttributes(walk, { d });
    setAttributes(dots, { d: places.map((place) => `${plane.path([place])}h0`).join("") });
    marks.forEach((mark, k) => {
      const [x, y] = plane.at(solutions[k]);
      const up = k === 0 ? -1 : 1;
      setAttributes(mark, {
        d: `M${x},${y + 9 * up}L${x + 9},${y - 7 * up}H${x - 9}Z`,
        class: `live-solution live-${COLOURS[k + 1]}`,
      });
    });
  }

  function drawArms(iterates: number[][]): void {
    grid.draw();
    const place = (one: FlatArm, q: number[] | undefined) =>
      one.draw(q && kernels.corners_kernel(q, LENGTHS).points, q ? q[0] + q[1] : 0);
    pale.forEach((one, k) => {
      place(one, iterates[player.at - 1 - k]);
    });
    place(arm, iterates[player.at]);
  }

  function tellShares(): void {
    const { shares, done } = map;
    bar.value = done;
    show(bar, done < bar.max);
    const side = shares ? fixed(shares.side, 0) : "";
    legend.replaceChildren();
    if (!shares) {
      say(legend, "The first starts are being computed.");
      return;
    }
    for (const fate of [1, 2, 0]) {
      element("span", `live-${COLOURS[fate]}`, legend);
      legend.append(`${NAMES[fate]} `);
    }
    const whole = `${fixed(100 * shares.nowhere, 1)} % of ${side} × ${side} starts; ${fixed(shares.steps, 2)} steps in the mean.`;
    legend.append(`${whole} Neighbours that end apart: ${fixed(100 * shares.apart, 1)} %.`);
  }

  function read(run: Run): Reading {
    const { q } = run.iterates[Math.min(player.at, run.iterates.length - 1)];
    const row = (name: string, angles: number[]) => [name, ...angles.map((angle) => fixed(angle / DEGREE, 1))];
    const rows = [row("start", begin()), row("iterate", q), row("iterate, wrapped", q.map(wrapped))];
    const heads = ["", "q₁ [°]", "q₂ [°]"];
    const led = fate(run);
    if (led === NOWHERE) return { sentence: `From here it ${judge(run).words}.`, tone: "bad", heads, rows };
    const count = run.steps;
    const remark =
      (led === FIRST) === state.number("q2") > 0 ? "the elbow keeps its side" : "the elbow changes its side";
    const sentence =
      `This start leads to ${NAMES[led]} in ${count} step${count === 1 ? "" : "s"}, ` +
      `the longest of ${fixed(largestStep(run.iterates), 2)} rad: ${remark}.`;
    return { sentence, tone: "plain", heads, rows };
  }
}

function poseAt(distance: number): Matrix {
  return [
    [1, 0, 0, distance],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ];
}

/** Fit the map to its place, and write the angles beside it. */
function dress(plane: Plane, canvas: HTMLCanvasElement): void {
  const [west, east, south, north] = MARGIN;
  const [width, height] = [2 * Math.PI + west + east, 2 * Math.PI + south + north];
  const part = (length: number, whole: number) => `${((100 * length) / whole).toFixed(3)}%`;
  canvas.style.left = part(west, width);
  canvas.style.top = part(north, height);
  canvas.style.width = part(2 * Math.PI, width);
  canvas.style.height = part(2 * Math.PI, height);
  plane.svg.setAttribute("class", "live-over");
  const write = (text: string, x: number, y: number, anchor: string) => {
    const label = drawElement("text", plane.svg, { class: "live-tick", "text-anchor": anchor });
    label.textContent = text;
    const stand = () => {
      const [px, py] = plane.at([x, y]);
      setAttributes(label, { x: px, y: py });
    };
    stand();
    new ResizeObserver(stand).observe(plane.root);
  };
  for (const [angle, text] of TICKS) {
    write(text, angle, -Math.PI - 0.38, angle > 3 ? "end" : "middle");
    write(text, -Math.PI - 0.1, angle - 0.07, "end");
  }
  write("start q₁", Math.PI, -Math.PI - 0.72, "end");
  write("start q₂", -Math.PI - west + 0.08, Math.PI + 0.25, "start");
}
