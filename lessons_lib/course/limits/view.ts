/** Lesson 16: an arm below a wall, and the feasible polygon in the plane of its joint rates. */

import { drawArm } from "../../../front/src/flat/arm.ts";
import { drawArrow } from "../../../front/src/flat/arrow.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { dot } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed, TURN, wrapped } from "../../../front/src/numbers.ts";
import { addKey, addTwo, drawCurves, drawElement, setAttributes, show } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { type Answer, cut, excess, type Program, solve } from "./active_set.ts";

const HALF = 2.25; // m, of the picture of the arm
const SCALE = 0.7; // m of the picture per 1 m/s
const WALL = 1.9; // x of its handle [m]
const MISS = 5e-4; // m: a tip less far past the wall is at the wall
const LEVELS = [1 / 3, 2 / 3, 4 / 3, 5 / 3]; // of the faint ellipses, relative to the one through the optimal rates
const AT = 1e-6; // optimal rates nearer to the requested ones are drawn at them
const EDGE = 1e-9; // rounding error of a row on whose edge rates lie
const ROUND = [...Array(90).keys()].map((k) => (TURN * k) / 90);
const COLOURS = ["green", "purple", "blue"];
const NAMES = ["requested", "clipped", "best"];
const FIRST = 8; // the first row of accelerations
const AFTER = 12; // the first row after these

interface Data {
  names: string[];
  dt: number;
  speed: number;
  span: number;
  ahead: number;
  more: string;
}

interface Step {
  program: Program;
  names: string[];
  J: Matrix;
  K: Matrix;
  corners: Matrix;
  free: number[];
  clipped: number[];
  best: Answer | undefined;
}

export function limits(stage: Stage<Data>): View {
  const { state, kernels, data } = stage;
  const [left, right] = addTwo(stage.root, "live-pair");
  const room = { left: -HALF, right: HALF, bottom: -HALF, top: HALF };
  const arms = new Plane(left, room, "The arm below the wall, and the velocities of its tip.", stage.redraw);
  const grid = drawGrid(arms, HALF, [-2, -1, 1]);
  const wall = drawElement("path", arms.svg, { class: "live-wall" });
  const arm = drawArm(arms, "live-soft");
  const ahead = drawCurves(arms.svg, "purple live-angle", "blue");
  const arrows = COLOURS.map((colour, i) => drawArrow(arms, `live-${colour}${i === 0 ? " live-broad" : ""}`, ""));

  const { span } = data;
  const page = { left: -span, right: span, bottom: -span, top: span };
  const rates = new Plane(right, page, "The plane of the joint rates: polygon, ellipses and points.", stage.redraw);
  const lines = drawGrid(rates, span, [-2, 2], "rad/s");
  const polygon = drawElement("path", rates.svg, { class: "live-ring" });
  const rings = drawElement("path", rates.svg, { class: "live-grid live-strong" });
  const touching = drawElement("path", rates.svg, { class: "live-bound" });
  const edges = drawElement("path", rates.svg, { class: "live-edge" });
  const between = drawElement("path", rates.svg, { class: "live-lever live-ink" });
  const spots = COLOURS.map((colour, i) =>
    drawElement("path", rates.svg, { class: `live-spot live-${colour}${i === 0 ? " live-open" : ""}` }),
  );
  const axes = ["q̇₁", "q̇₂"].map((name) => drawElement("text", rates.svg, { class: "live-name live-ink" }, name));
  const rest = ` · lines: the path of the tip for up to ${fixed(data.dt * data.ahead, 0)} s, in steps of ${data.dt} s · rates in rad/s, tip in m/s`;
  const key = NAMES.map((name, i): [string, string] => [COLOURS[i], name]);
  addKey(stage.root, key, rest);

  const angles = () => state.numbersOf("q1", "q2").map((angle) => angle * DEGREE);
  const last = () => state.numbersOf("last1", "last2");
  const desired = () => state.numbersOf("ux", "uy");
  const accelerating = () => state.optionOf("limits") === data.more;

  /** Return the program of a step and its solutions; the optimal one only on request. */
  function stepAt(q: number[], before: number[], solved = true): Step {
    const parameters = [state.number("wall"), state.number("gain"), data.dt, state.number("acceleration")];
    const { corners, J, K, H, c, G, h } = kernels.step_kernel(q, desired(), before, parameters);
    const counts = (_: unknown, i: number) => accelerating() || i < FIRST || i >= AFTER;
    const program = { H, c: c as number[], G: (G as Matrix).filter(counts), h: (h as number[]).filter(counts) };
    const free: number[] = kernels.walls_0_kernel(H, c).x;
    const clipped = free.map((rate) => Math.min(Math.max(rate, -data.speed), data.speed));
    const best = solved ? solve(kernels, program) : undefined;
    return { program, names: data.names.filter(counts), J, K, corners, free, clipped, best };
  }

  /** Return the trajectory of the tip for optimal rates in every step, or for clipped ones [m]. */
  function follow(solved: boolean): number[][] {
    let [q, before] = [angles(), last()];
    const places: number[][] = [];
    for (let k = 0; ; k++) {
      const step = stepAt(q, before, solved);
      places.push(step.corners[1]);
      const chosen = solved ? step.best?.x : step.clipped;
      if (k === data.ahead || !chosen) return places;
      q = q.map((angle, i) => angle + data.dt * chosen[i]);
      before = chosen;
    }
  }

  const tipNow = () => stepAt(angles(), last(), false).corners[1];
  const joints = [0, 1].map((i) =>
    controlHandle(left, state, `joint ${i + 1}`, "ink", { [`q${i + 1}`]: 1 }, (place) => {
      const root = i === 0 ? [0, 0] : stepAt(angles(), last(), false).corners[0];
      const [x, y] = difference(arms.from(place), root);
      return [wrapped(Math.atan2(y, x) - (i === 0 ? 0 : angles()[0])) / DEGREE];
    }),
  );
  const ask = controlHandle(left, state, "requested velocity", "green", { ux: 0.05, uy: 0.05 }, (place) =>
    difference(arms.from(place), tipNow()).map((entry) => entry / SCALE),
  );
  const lift = controlHandle(left, state, "wall", "vermilion", { wall: 0.01 }, (place) => [arms.from(place)[1]]);
  const ways = { last1: 0.05, last2: 0.05 };
  const name = "rates of the last step";
  const before = controlHandle(right, state, name, "ink live-hollow", ways, (place) => rates.from(place));

  return {
    draw(): Reading {
      const step = stepAt(angles(), last());
      showArm(step);
      drawRates(step);
      return read(step, desired(), state.number("wall"));
    },
    parts: () => [arms, rates],
  };

  function showArm({ corners, J, clipped, best }: Step): void {
    const [elbow, tip] = corners;
    const height = state.number("wall");
    grid();
    setAttributes(wall, { d: hatch(arms, height) });
    const q = angles();
    arm.draw([[0, 0], elbow, tip], q[0] + q[1]);
    const paths = [follow(false), follow(true)];
    ahead.forEach((line, i) => {
      setAttributes(line, { d: arms.path(paths[i]) });
    });
    [desired(), times(J, clipped), best ? times(J, best.x) : [0, 0]].forEach((velocity, i) => {
      arrows[i](tip, [SCALE * velocity[0], SCALE * velocity[1]]);
    });
    [elbow, tip].forEach((corner, i) => {
      const degrees = state.number(`q${i + 1}`);
      joints[i].place(arms.at(corner), `${fixed(degrees, 0)}°`, degrees);
    });
    const [ux, uy] = desired();
    ask.place(arms.at([tip[0] + SCALE * ux, tip[1] + SCALE * uy]), `x ${fixed(ux, 2)}, y ${fixed(uy, 2)} m/s`, ux);
    lift.place(arms.at([WALL, height]), `y ${fixed(height, 2)} m`, height);
  }

  function drawRates({ program, K, free, clipped, best }: Step): void {
    const around = [1, 3, 5, 7].map((eighth) => unit((eighth * TURN) / 8).map((side) => Math.SQRT2 * span * side));
    const corners = cut(around, program);
    lines();
    setAttributes(polygon, { d: rates.path(corners, true) });
    const active = best ? activeRows(program, best) : [];
    setAttributes(edges, { d: active.map(({ row }) => rates.path(onRow(corners, program, row))).join("") });
    const off = best ? times(program.H, difference(best.x, free)) : [0, 0];
    const radius = best ? Math.sqrt(Math.max(dot(difference(best.x, free), off), 0)) : 0;
    const outline = ROUND.map((angle) => times(K, unit(angle)));
    const ringOf = (size: number) => outline.map(([x, y]) => [free[0] + size * x, free[1] + size * y]);
    const ring = (size: number) => rates.path(ringOf(size), true);
    const reached = radius < AT;
    setAttributes(rings, { d: LEVELS.map((level) => ring(level * (reached ? 0.4 : radius))).join("") });
    setAttributes(touching, { d: reached ? "" : ring(radius) });
    setAttributes(between, { d: best ? rates.path([free, best.x]) : "" });
    [free, clipped, best?.x].forEach((point, i) => {
      show(spots[i], point !== undefined);
      if (point) setAttributes(spots[i], { d: mark(rates.at(point), i) });
    });
    setAttributes(axes[0], { x: rates.width - 22, y: rates.at([0, 0])[1] - 14 });
    setAttributes(axes[1], { x: rates.at([0, 0])[0] + 20, y: 16 });
    const [last1, last2] = last();
    before.show(accelerating());
    before.place(rates.at([last1, last2]), `${fixed(last1, 2)} and ${fixed(last2, 2)} rad/s`, last1);
  }
}

/** Return the corners of a polygon on one of its rows: two of an edge, or one. */
function onRow(corners: number[][], { G, h }: Program, i: number): number[][] {
  return corners.filter((corner) => Math.abs(excess(G[i], corner, h[i])) < 1e-7);
}

/** Return the rows on whose edges the optimal rates lie, with multipliers; none if the requested velocity is allowed. */
function activeRows({ G, h }: Program, { x, active, mu }: Answer): { row: number; price: number }[] {
  if (active.length === 0) return [];
  const onEdge = [...h.keys()].filter((row) => active.includes(row) || Math.abs(excess(G[row], x, h[row])) < EDGE);
  return onEdge.map((row) => ({ row, price: mu[active.indexOf(row)] ?? 0 }));
}

/** Return the outline of a wall above a height, and its hatching. */
function hatch(plane: Plane, height: number): string {
  const [, y] = plane.at([0, height]);
  const strokes = [...Array(Math.ceil(plane.width / 16) + 1).keys()].map((k) => `M${16 * k},${y}l10,-12`);
  return `M0,${y}H${plane.width}${strokes.join("")}`;
}

/** Return a ring, a cross or a square. */
function mark([x, y]: number[], which: number): string {
  if (which === 0) return `M${x - 7},${y}a7,7 0 1 0 14,0a7,7 0 1 0 -14,0`;
  if (which === 1) return `M${x - 6},${y - 6}l12,12m0,-12l-12,12`;
  return `M${x - 6},${y - 6}h12v12h-12Z`;
}

function read(
  { program, names, J, free, clipped, best, corners }: Step,
  desiredRates: number[],
  wall: number,
): Reading {
  const answers = [free, clipped, ...(best ? [best.x] : [])];
  const off = (rates: number[]) => Math.hypot(...difference(times(J, rates), desiredRates));
  const rows = answers.map((rates, i) => {
    return [NAMES[i], ...[...rates, ...times(J, rates), off(rates)].map((value) => fixed(value, 2))];
  });
  const heads = ["", "q̇_{1}", "q̇_{2}", "tip x", "tip y", "off by"];
  const table = { heads, rows, colours: COLOURS.slice(0, answers.length) };
  const past = corners[1][1] - wall;
  const place = past > MISS ? `The tip is ${fixed(1000 * past, 0)} mm past the wall. ` : "";
  const none = "No joint rates are allowed: the constraints contradict each other, and the polygon is empty.";
  if (!best) return { sentence: place + none, tone: "bad", ...table };
  const last = program.h.length - 1;
  const late = excess(program.G[last], clipped, program.h[last]);
  const clip =
    late > EDGE ? ` With clipped rates, the tip violates the wall constraint by ${amount(late, 2)} m/s.` : "";
  const allowed = `${place}The requested velocity is allowed.${clip}`;
  const written = (mu: number) => (mu < 5e-4 ? "μ < 0.001" : `μ = ${fixed(mu, 3)}`);
  const active = activeRows(program, best).map(({ row, price }) => `${names[row]} (${written(price)})`);
  if (active.length === 0) return { sentence: allowed, tone: "good", ...table };
  const far = amount(off(best.x), 2);
  const sentence = `${place}Active: ${active.join(", ").replace(/, ([^,]*)$/, " and $1")}. The best tip velocity is off by ${far} m/s.${clip}`;
  return { sentence, ...table };
}

function times(A: Matrix, x: number[]): number[] {
  return A.map((row) => dot(row, x));
}

function unit(angle: number): number[] {
  return [Math.cos(angle), Math.sin(angle)];
}

function difference(one: number[], other: number[]): number[] {
  return one.map((value, i) => value - other[i]);
}
