/** Lesson 12: a map of the starts of the 2R; the iteration runs from the chosen one. */

import { drawArm, type FlatArm } from "../../../front/src/flat/arm.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle, type Point } from "../../../front/src/handle.ts";
import { translation } from "../../../front/src/matrix.ts";
import { amount, DEGREE, degrees, fixed, wrapped } from "../../../front/src/numbers.ts";
import { addTwo, drawElement, element, say, setAttributes, show } from "../../../front/src/page.ts";
import { addPlayer } from "../../../front/src/player.ts";
import { largestStep, type Method, type Run, Solver, type Stop } from "../../../front/src/solver.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";
import { FIRST, fateOf, NOWHERE } from "./basin_job.ts";
import { BasinMap } from "./basin_map.ts";
import { basinRunner } from "./basin_runner.ts";

const MARGIN = [1, 0.45, 0.85, 0.6]; // rad, left, right, below and above the map
const TICKS = [-180, -90, 0, 90, 180]; // degrees
const REACH = 2.4; // m: the outstretched arm and its hand
const LENGTHS = [1, 1]; // m
const PALE = 8; // arms of earlier iterates
const NAMES = ["neither:", "q₂ > 0", "q₂ < 0"];
const COLOURS = ["ink", "blue", "vermilion"];

interface Data {
  methods: { words: string; name: string; kind: string; parameter: number | null }[];
  weights: number[];
  stop: Stop;
  size: number;
  strides: number[];
}

export function basin(stage: Stage<Data>): View {
  const { state, kernels, specification } = stage;
  const { methods, weights, stop, size, strides } = stage.data;
  const solver = new Solver(kernels, "planar", 2);
  const [left, right] = addTwo(stage.root, "live-pair");
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
  const grid = drawGrid(floor, REACH);
  const pale = [...Array(PALE).keys()].map(() => drawArm(floor, "live-pale"));
  const arm = drawArm(floor, "live-ink");
  const player = addPlayer(stage.root, stage.redraw);
  const legend = element("p", "live-key live-shares", stage.root);
  const bar = element("progress", "live-progress", stage.root);
  bar.max = size * size;
  bar.setAttribute("aria-label", "starts computed");

  const runner = basinRunner((rows) => {
    map.take(rows);
    stage.redraw();
  });
  const watcher = new IntersectionObserver((entries) => runner.let(entries[entries.length - 1].isIntersecting));
  watcher.observe(stage.root);

  const begin = () => state.numbersOf("q1", "q2").map((angle) => angle * DEGREE);
  const method = (): Method => {
    const { name, kind, parameter } = methods.find(({ words }) => words === state.optionOf("method")) ?? methods[0];
    return { name, kind, parameter: parameter ?? state.number("damping"), weights };
  };
  const anglesAt = (place: Point) =>
    plane.from(place).map((angle) => Math.min(Math.max(angle, -Math.PI), Math.PI) / DEGREE);
  plane.svg.addEventListener("click", ({ offsetX, offsetY }) => {
    const [q1, q2] = anglesAt([offsetX, offsetY]);
    state.setOnGrid({ q1, q2 });
  });
  const start = controlHandle(left, state, "start", "ink", { q1: 1, q2: 1 }, anglesAt);
  const target = controlHandle(right, state, "target", "green", { distance: 0.05 }, (place) => floor.from(place));

  const solved = memo<Run>(() => player.rest());
  const asked = memo<number[][]>();
  let solutions: number[][] = [];

  return {
    draw(): Reading {
      const distance = state.number("distance");
      const goal = translation([distance, 0, 0]);
      const how = method();
      solutions = asked([goal, how], () => {
        const solutions = answers(distance);
        map.clear();
        runner.ask({ source: specification.source, target: goal, method: how, stop, solutions, size, strides });
        return solutions;
      });
      const run = solved([goal, how, begin()], () => solver.solve(goal, begin(), how, stop));
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
    const [, ...gaps] = kernels.count_kernel([distance], LENGTHS).count_and_gaps as number[];
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
      const d = `M${x},${y + 9 * up}L${x + 9},${y - 7 * up}H${x - 9}Z`;
      setAttributes(mark, { d, class: `live-solution live-${COLOURS[k + 1]}` });
    });
  }

  function drawArms(iterates: number[][]): void {
    grid();
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
    if (!shares) say(legend, "The first starts are being computed.");
    if (!shares) return;
    for (const fate of [1, 2, 0]) {
      element("span", `live-${COLOURS[fate]}`, legend);
      legend.append(`${NAMES[fate]} `);
    }
    const others = shares.nowhere === 1 ? "" : `; the others take ${fixed(shares.steps, 2)} steps on average`;
    const apart = `Neighbours with different outcomes: ${percent(shares.apart)}.`;
    legend.append(`${percent(shares.nowhere)} of ${side} × ${side} starts${others}. ${apart}`);
  }

  function read(run: Run): Reading {
    const { q } = run.iterates[Math.min(player.at, run.iterates.length - 1)];
    const row = (name: string, angles: number[]) => [name, ...angles.map((angle) => fixed(angle / DEGREE, 1))];
    const rows = [row("start", begin()), row("iterate", q), row("iterate, wrapped", q.map(wrapped))];
    const heads = ["", "q₁ [°]", "q₂ [°]"];
    const led = fate(run);
    const steps = `${run.steps} step${run.steps === 1 ? "" : "s"}`;
    const missed = `From this start, the solver stops after ${steps} without a solution.`;
    if (led === NOWHERE) return { sentence: missed, tone: "bad", heads, rows };
    const longest = amount(largestStep(run.iterates), 2); // a rejected step turns no joint
    const sizes = run.steps > 1 ? `, the largest ${longest} rad` : "";
    const side = (led === FIRST) === state.number("q2") > 0 ? "the side where it started" : "the other side";
    const remark = state.number("q2") % 180 === 0 ? "" : `; the elbow ends on ${side}`; // outstretched or folded, it has no side
    return { sentence: `This start leads to ${NAMES[led]} in ${steps}${sizes}${remark}.`, heads, rows };
  }
}

/** Return a fraction in percent; only none is 0.0 %, and only all is 100.0 %. */
function percent(part: number): string {
  const text = fixed(100 * part, 1);
  if (text === "0.0" && part > 0) return "< 0.1 %";
  return text === "100.0" && part < 1 ? "> 99.9 %" : `${text} %`;
}

/** Fit the map to its place, and write the angles beside it. */
function dress(plane: Plane, canvas: HTMLCanvasElement): void {
  const whenever = (stand: () => void) => {
    stand();
    new ResizeObserver(stand).observe(plane.root);
  };
  whenever(() => {
    const [left, top] = plane.at([-Math.PI, Math.PI]);
    const side = `${2 * Math.PI * plane.scale}px`;
    Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: side, height: side });
  });
  plane.svg.setAttribute("class", "live-over");
  const write = (text: string, x: number, y: number, anchor: string) => {
    const label = drawElement("text", plane.svg, { class: "live-tick", "text-anchor": anchor }, text);
    whenever(() => {
      const [px, py] = plane.at([x, y]);
      setAttributes(label, { x: px, y: py });
    });
  };
  for (const tick of TICKS) {
    const [angle, text] = [tick * DEGREE, `${fixed(tick, 0)}°`];
    write(text, angle, -Math.PI - 0.38, angle > 3 ? "end" : "middle");
    write(text, -Math.PI - 0.1, angle - 0.07, "end");
  }
  write("start q₁", Math.PI, -Math.PI - 0.72, "end");
  write("start q₂", -Math.PI, Math.PI + 0.2, "start");
}
