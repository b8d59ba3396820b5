/** Lesson 16: an arm below a wall, and the feasible polygon in the plane of its joint rates. */

import { FlatArm } from "../../../front/src/flat/arm.ts";
import { Arrow } from "../../../front/src/flat/arrow.ts";
import { Grid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { dot } from "../../../front/src/matrix.ts";
import { DEGREE, fixed, wrapped } from "../../../front/src/numbers.ts";
import { addKey, drawElement, element, setAttributes, show } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { type Answer, cut, excess, type Program, solve } from "./active_set.ts";
import { ellipse } from "./velocities.ts";

const HALF = 2.25; // m, of the picture of the arm
const SCALE = 0.7; // m of the picture per 1 m/s
const WALL = 1.9; // x of its handle [m]
const MISS = 5e-4; // m/s: a velocity with a smaller error is reached
const LEVELS = [1 / 3, 2 / 3, 4 / 3, 5 / 3]; // of the faint ellipses, relative to the one through the optimal rates
const ACTIVE = 1e-6; // a larger multiplier is active
const COLOURS = ["green", "purple", "blue"];
const NAMES = ["asked", "clipped", "best"];
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

export function limits(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const data = specification.data as unknown as Data;
  const pair = element("div", "live-pair", stage.root);
  const left = element("div", "live-panel-picture", pair);
  const right = element("div", "live-panel-picture", pair);
  const room = { left: -HALF, right: HALF, bottom: -HALF, top: HALF };
  const arms = new Plane(left, room, "The arm below the wall, and the velocities of its tip.", stage.redraw);
  const grid = new Grid(arms, HALF, [-2, -1, 1]);
  const wall = drawElement("path", arms.svg, { class: "live-wall" });
  const arm = new FlatArm(arms, 2, "live-soft");
  const ahead = ["purple live-angle", "blue"].map((look) =>
    drawElement("path", arms.svg, { class: `live-curve live-${look}` }),
  );
  const arrows = COLOURS.map((colour, i) => new Arrow(arms, `live-${colour}${i === 0 ? " live-broad" : ""}`, ""));

  const { span } = data;
  const page = { left: -span, right: span, bottom: -span, top: span };
  const rates = new Plane(right, page, "The plane of the joint rates: polygon, ellipses and points.", stage.redraw);
  const lines = new Grid(rates, span, [-2, 2], "rad/s");
  const polygon = drawElement("path", rates.svg, { class: "live-ring" });
  const rings = drawElement("path", rates.svg, { class: "live-grid live-strong" });
  const touching = drawElement("path", rates.svg, { class: "live-bound" });
  const edges = drawElement("path", rates.svg, { class: "live-edge" });
  const between = drawElement("path", rates.svg, { class: "live-lever live-ink" });
  const spots = COLOURS.map((colour, i) =>
    drawElement("path", rates.svg, { class: `live-spot live-${colour}${i === 0 ? " live-open" : ""}` }),
  );
  const axes = ["q̇₁", "q̇₂"].map((name) => {
    const text = drawElement("text", rates.svg, { class: "live-name live-ink" });
    text.textContent = name;
    return text;
  });
  const rest = ` · lines: the tip in the next ${fixed(data.dt * data.ahead, 0)} s, steps of ${data.dt} s · rates in rad/s, tip in m/s`;
  const key = NAMES.map((name, i): [string, string] => [COLOURS[i], name]);
  addKey(stage.root, key, rest);

  const angles = () => ["q1", "q2"].map((name) => state.number(name) * DEGREE);
  const last = () => ["last1", "last2"].map((name) => state.number(name));
  const desired = () => ["ux", "uy"].map((name) => state.number(name));
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
  const joint = (i: number) =>
    new Handle(left, {
      name: `joint ${i + 1}`,
      colour: "ink",
      dragTo: (place) => {
        const { corners } = stepAt(angles(), last(), false);
        const root = i === 0 ? [0, 0] : corners[0];
        const [x, y] = arms.from(place);
        const turn = Math.atan2(y - root[1], x - root[0]) - (i === 0 ? 0 : angles()[0]);
        state.setOnGrid({ [`q${i + 1}`]: wrapped(turn) / DEGREE });
      },
      step: (over, up) => state.setOnGrid({ [`q${i + 1}`]: state.number(`q${i + 1}`) + over + up }),
    });
  const joints = [joint(0), joint(1)];
  const ask = new Handle(left, {
    name: "asked velocity",
    colour: "green",
    dragTo: (place) => {
      const [tip, to] = [tipNow(), arms.from(place)];
      state.setOnGrid({ ux: (to[0] - tip[0]) / SCALE, uy: (to[1] - tip[1]) / SCALE });
    },
    step: (over, up) => state.setOnGrid({ ux: state.number("ux") + 0.05 * over, uy: state.number("uy") + 0.05 * up }),
  });
  const lift = new Handle(left, {
    name: "wall",
    colour: "vermilion",
    dragTo: (place) => state.setOnGrid({ wall: arms.from(place)[1] }),
    step: (over, up) => state.setOnGrid({ wall: state.number("wall") + 0.01 * (over + up) }),
  });
  const before = new Handle(right, {
    name: "rates of the last step",
    colour: "ink",
    hollow: true,
    dragTo: (place) => {
      const [last1, last2] = rates.from(place);
      state.setOnGrid({ last1, last2 });
    },
    step: (over, up) =>
      state.setOnGrid({ last1: state.number("last1") + 0.05 * over, last2: state.number("last2") + 0.05 * up }),
  });

  return {
    draw(): Reading {
      const step = stepAt(angles(), last());
      drawArm(step);
      drawRates(step);
      return read(step, desired(), state.number("wall"));
    },
    parts: () => [arms, rates],
  };

  function drawArm({ corners, J, clipped, best }: Step): void {
    const [elbow, tip] = corners;
    const height = state.number("wall");
    grid.draw();
    setAttributes(wall, { d: hatch(arms, height) });
    const q = angles();
    arm.draw([[0, 0], elbow, tip], q[0] + q[1]);
    const paths = [follow(false), follow(true)];
    ahead.forEach((line, i) => {
      setAttributes(line, { d: arms.path(paths[i]) });
    });
    [desired(), times(J, clipped), best ? times(J, best.x) : [0, 0]].forEach((velocity, i) => {
      arrows[i].draw(
        tip,
        velocity.map((value) => SCALE * value),
      );
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
    const around = [
      [-span, -span],
      [span, -span],
      [span, span],
      [-span, span],
    ];
    const corners = cut(around, program);
    lines.draw();
    setAttributes(polygon, { d: rates.path(corners, true) });
    const activeNames = best ? best.active.filter((_, k) => best.mu[k] > ACTIVE) : [];
    setAttributes(edges, { d: activeNames.map((i) => rates.path(onRow(corners, program, i))).join("") });
    const off = best ? times(program.H, difference(best.x, free)) : [0, 0];
    const radius = best ? Math.sqrt(Math.max(dot(difference(best.x, free), off), 0)) : 0;
    const ring = (size: number) =>
      rates.path(
        ellipse(K).map(([x, y]) => [free[0] + size * x, free[1] + size * y]),
        true,
      );
    const reached = radius < ACTIVE;
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
  const rows = answers.map((rates, i) => [
    NAMES[i],
    ...[...rates, ...times(J, rates)].map((value) => fixed(value, 2)),
    fixed(off(rates), 2),
  ]);
  const heads = ["", "q̇_{1}", "q̇_{2}", "tip x", "tip y", "off by"];
  const table = { heads, rows, colours: COLOURS.slice(0, answers.length) };
  const past = corners[1][1] - wall;
  const place = past > MISS ? `The tip is ${fixed(1000 * past, 0)} mm past the wall. ` : "";
  if (!best) {
    const sentence = `${place}No joint rates are allowed: the constraints contradict each other, and the polygon is empty.`;
    return { sentence, tone: "bad", ...table };
  }
  const last = program.h.length - 1;
  const late = excess(program.G[last], clipped, program.h[last]);
  const clip = late > 0.005 ? ` With clipped rates the tip breaks the wall’s row by ${fixed(late, 2)} m/s.` : "";
  const activeNames = best.active.flatMap((i, k) =>
    best.mu[k] > ACTIVE ? [`${names[i]} (μ = ${fixed(best.mu[k], 3)})`] : [],
  );
  if (off(best.x) < MISS)
    return { sentence: `${place}The velocity that is asked for is allowed.${clip}`, tone: "good", ...table };
  const sentence = `${place}Active: ${activeNames.join(" and ")}. The best tip velocity is off by ${fixed(off(best.x), 2)} m/s.${clip}`;
  return { sentence, tone: "plain", ...table };
}

function times(A: Matrix, x: number[]): number[] {
  return A.map((row) => dot(row, x));
}

function difference(one: number[], other: number[]): number[] {
  return one.map((value, i) => value - other[i]);
}
