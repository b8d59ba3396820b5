/** Lesson 08: one Newton step: the linear model's prediction of the tip, the actual tip, and the remaining error. */

import { FlatArm } from "../../../front/src/flat/arm.ts";
import { Arrow } from "../../../front/src/flat/arrow.ts";
import { ErrorChart } from "../../../front/src/flat/error_chart.ts";
import { FlatFrame } from "../../../front/src/flat/frame.ts";
import { Grid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import { logarithm, type Matrix } from "../../../front/src/kernels.ts";
import { product } from "../../../front/src/matrix.ts";
import { DEGREE, fixed, wrapped } from "../../../front/src/numbers.ts";
import { drawElement, element, setAttributes, show } from "../../../front/src/page.ts";
import { Player, SOLVE } from "../../../front/src/player.ts";
import {
  angleOf,
  distanceOf,
  type Iterate,
  type Method,
  type Run,
  Solver,
  type Stop,
} from "../../../front/src/solver.ts";
import type { State } from "../../../front/src/state.ts";
import { judge } from "../../../front/src/verdict.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const BOUNDS = { left: -2.6, right: 2.6, bottom: -2.2, top: 2.75 }; // m
const FINE = 0.05; // rad of a joint, between two points of a path
const SHORT = 0.3; // m, of an arrow without a name
const ASIDE = 24; // pixels from an arrow to its name
const MOST = 4000; // points of a path
const LONG = Math.PI / 2; // rad of a joint: the sentence comments on steps longer than this
const MISSED = 0.1; // m: a step that ends farther than this from its prediction was too long
const SINGULAR = 1e-9; // of sin q₂: both columns of J are parallel

interface Data {
  stop: Stop;
  reach: number;
  /** The label of an error, and the method that reduces it. */
  methods: Record<string, Method & { point: boolean }>;
}

/** One step: from an iterate to the next. */
interface Step {
  d: number[];
  /** Points of the tip at the velocity JΔq [m]. */
  arrow: number[];
  /** Poses along the twist JΔq, if the error is a pose's. */
  predicted: Matrix[];
  /** Error twist at the end of the predicted poses; for a point the residual at the arrow's end. */
  left: number[];
}

export function newton(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { stop, reach, methods } = specification.data as unknown as Data;
  const solver = new Solver(kernels, "planar", 2);
  const picture = element("div", "live-panel-picture", stage.root);
  const plane = new Plane(picture, BOUNDS, specification.about, stage.redraw);
  const grid = new Grid(plane, BOUNDS.right);
  const goal = new FlatFrame(plane, "live-goal");
  const begin = new FlatArm(plane, 2, "live-pale");
  const next = new FlatArm(plane, 2, "live-blue live-faint");
  const here = new FlatArm(plane, 2, "live-ink");
  const arc = drawElement("path", plane.svg, { class: "live-predicted live-vermilion" });
  const way = drawElement("path", plane.svg, { class: "live-curve live-blue" });
  const ends = new FlatFrame(plane);
  const tangent = new Arrow(plane, "live-vermilion", "");
  const name = drawElement("text", plane.svg, { class: "live-name live-vermilion" });
  name.textContent = "JΔq";
  const player = new Player(stage.root, stage.redraw, SOLVE, 0);
  const chart = new ErrorChart(stage.root, "The errors of all iterates.", stop, ["blue"], 190, stage.redraw);
  const dot = drawElement("circle", chart.chart.svg, { class: "live-dot live-ink", r: 5.5 });
  let cache: { key: string; run: Run } | undefined;

  const degreesOf = (names: string[]) => names.map((name) => state.number(name) * DEGREE);
  const target = () => solver.pose(degreesOf(["t1", "t2"]));
  const shape = (q: number[]) => kernels.arm_planar(q);
  const corners = (q: number[]) => kernels.corners_kernel(q, [reach / 2, reach / 2]).points;

  const turnTo = (name: string, root: number[], fromPoint: number[], towards: number[]) => {
    const control = state.control(name);
    const newAngle = state.number(name) + (angleTo(root, towards) - angleTo(root, fromPoint)) / DEGREE;
    state.setOnGrid({
      [name]: newAngle > control.high ? newAngle - 360 : newAngle < control.low ? newAngle + 360 : newAngle,
    });
  };
  const starts = ["s1", "s2"].map(
    (name, i) =>
      new Handle(picture, {
        name: `start, joint ${i + 1}`,
        colour: "ink",
        hollow: true,
        dragTo: (place) => {
          const points = corners(degreesOf(["s1", "s2"]));
          turnTo(name, points[i], points[i + 1], plane.from(place));
        },
        step: (right, up) => state.setOnGrid({ [name]: state.number(name) + right + up }),
      }),
  );
  const go = ([x, y]: Point) => {
    const r = Math.min(Math.max(Math.hypot(x, y), 1e-3), reach);
    const way = Math.atan2(y, x);
    const lengths = [reach / 2, reach / 2];
    const [, ...gaps] = kernels.answers_kernel([r], lengths).answers as number[];
    const inside = [r * Math.cos(way), r * Math.sin(way)];
    const q = kernels.angles_kernel(inside, gaps, lengths, [state.number("t2") < 0 ? -1 : 1]).q as number[];
    state.setOnGrid({ t1: q[0] / DEGREE, t2: q[1] / DEGREE });
  };
  const aim = new Handle(picture, {
    name: "target",
    colour: "purple",
    dragTo: (place) => go(plane.from(place)),
    step: (right, up) => {
      const T = target();
      go([T[0][3] + 0.04 * right, T[1][3] + 0.04 * up]);
    },
  });

  return {
    draw(): Reading {
      const T_sd = target();
      const start = degreesOf(["s1", "s2"]);
      const method = methods[state.optionOf("error")];
      const key = JSON.stringify([T_sd, start, method]);
      if (cache?.key !== key) {
        cache = { key, run: solver.solve(T_sd, start, method, stop) };
        player.rest(0);
      }
      const { run } = cache;
      player.bound(run.iterates.length - 1);
      const now = run.iterates[player.at];
      const after = run.iterates[player.at + 1];
      const step = after && stepOf(now, after, T_sd, method.point);
      grid.draw();
      goal.place(T_sd);
      arm(begin, player.at > 0 ? start : undefined);
      arm(here, now.q);
      arm(next, after?.q);
      tangent.draw(tip(shape(now.q).T), step?.arrow ?? [0, 0]);
      nameArrow(tip(shape(now.q).T), step?.arrow);
      setAttributes(arc, { d: step ? plane.path(step.predicted.map(tip)) : "" });
      ends.place(step?.predicted[step.predicted.length - 1]);
      setAttributes(way, { d: step ? plane.path(along(now.q, step.d).map((q) => tip(shape(q).T))) : "" });
      const points = corners(start);
      starts.forEach((handle, i) => {
        const angle = state.number(`s${i + 1}`);
        handle.place(plane.at(points[i + 1]), `${fixed(angle, 0)}°`, angle);
      });
      const [x, y] = tip(T_sd);
      aim.place(plane.at([x, y]), `x ${fixed(x, 2)} m, y ${fixed(y, 2)} m`, x);
      chart.draw([run], player.at + 2, !method.point);
      const [cx, cy] = chart.chart.at(player.at, distanceOf(now.twist));
      setAttributes(dot, { cx, cy });
      const reading = read(run, player.at, step, method.point, tip(shape(now.q).T));
      return { ...reading, facts: afterOne(run, degreesBetween(state)) };
    },
    parts: () => [player, plane, chart],
  };

  /** Write its name beside the middle of the arrow, if it is long enough. */
  function nameArrow(root: Point, way: number[] | undefined): void {
    const length = way ? Math.hypot(...way) : 0;
    show(name, length > SHORT);
    if (!way || length <= SHORT) return;
    const [x, y] = plane.at([root[0] + way[0] / 2, root[1] + way[1] / 2]);
    setAttributes(name, {
      x: x + (ASIDE * Math.abs(way[1])) / length,
      y: y + (ASIDE * way[0] * Math.sign(way[1])) / length,
    });
  }

  function arm(drawing: FlatArm, q: number[] | undefined): void {
    drawing.draw(q && corners(q), q ? q[0] + q[1] : 0);
  }

  function stepOf(now: Iterate, after: Iterate, T_sd: Matrix, point: boolean): Step {
    const d = after.q.map((angle, i) => angle - now.q[i]);
    const J = shape(now.q).J_p;
    const arrow = [0, 1, 2].map((row) => J[row][0] * d[0] + J[row][1] * d[1]);
    if (point)
      return { d, arrow, predicted: [], left: [0, 0, 0, ...arrow.map((entry, i) => now.twist[i + 3] - entry)] };
    const { T, J_b } = kernels.chain_planar(now.q);
    const twist = (J_b as Matrix).map((row) => row[0] * d[0] + row[1] * d[1]);
    const parts = along([0, 0], d).length - 1;
    const predicted = [...Array(parts + 1).keys()].map((k) =>
      product(T, kernels.exp_se3_kernel(twist.map((entry) => (k / parts) * entry)).T),
    );
    const missing = kernels.between_kernel(predicted[parts], T_sd).T_between;
    return { d, arrow, predicted, left: logarithm(kernels, missing) };
  }
}

/** Return the error of each joint of the start modulo whole revolutions [degrees]. */
function degreesBetween(state: State): number[] {
  return [1, 2].map((i) => Math.abs(wrapped((state.number(`s${i}`) - state.number(`t${i}`)) * DEGREE)) / DEGREE);
}

/** Return the facts about the first step: distance of the start [degrees], and remaining error [mm, degrees]. */
function afterOne(run: Run, off: number[]): Record<string, number> {
  const { twist } = run.iterates[Math.min(1, run.iterates.length - 1)];
  return { far: Math.max(...off), left: 1000 * distanceOf(twist), turned: angleOf(twist) / DEGREE };
}

/** Return configurations between two, close enough for a smooth line. */
function along(q: number[], d: number[]): number[][] {
  const parts = Math.min(Math.max(Math.ceil(Math.max(...d.map(Math.abs)) / FINE), 1), MOST);
  return [...Array(parts + 1).keys()].map((k) => q.map((angle, i) => angle + (k / parts) * d[i]));
}

function read(run: Run, at: number, step: Step | undefined, point: boolean, p: Point): Reading {
  const [now, after] = [run.iterates[at], run.iterates[at + 1]];
  const row = (name: string, twist: number[]) => {
    return [name, fixed(1000 * distanceOf(twist), 2), point ? "–" : fixed(angleOf(twist) / DEGREE, 3)];
  };
  const heads = point ? ["distance", "mm", ""] : ["error twist", "|v_b| mm", "|ω_b| °"];
  const rows = [row("now", now.twist)];
  if (!step) {
    const { words, tone } = judge(run);
    const last = at === 0 ? "The start is the target: there is nothing to do." : `Newton ${words}.`;
    return { sentence: last, tone: at === 0 ? "good" : tone, heads, rows, colours: ["ink"] };
  }
  rows.push(row(point ? "arrow's end" : "dotted end", step.left), row("next", after.twist));
  const [one, two] = step.d.map((turn) => `${fixed(turn / DEGREE, 1)}°`);
  const [predicted, left] = [step.left, after.twist].map((twist) => `${fixed(1000 * distanceOf(twist), 0)} mm`);
  const long = Math.max(...step.d.map(Math.abs)) > LONG;
  const missed = Math.hypot(...[3, 4, 5].map((i) => after.twist[i] - step.left[i])) > MISSED;
  const flat = point && Math.abs(Math.sin(now.q[1])) < SINGULAR;
  const posture = Math.cos(now.q[1]) > 0 ? "stretched" : "folded";
  const sentence = [
    `Step ${at + 1} turns the joints by ${one} and ${two}.`,
    flat ? `The arm is ${posture}: J has lost a direction, and the pseudoinverse ignores it.` : "",
    point
      ? `At the arrow's end the distance would be ${predicted}; after the step it is ${left}.`
      : `At the end of the dotted arc |v_b| would be ${predicted}; after the step it is ${left}.`,
    isOut(p, step.arrow) ? "JΔq leaves the page." : "",
    long && missed ? "The step was too long for the linear model." : "",
    long && !missed ? "The step is long, but the prediction holds." : "",
  ];
  const worse = distanceOf(after.twist) > distanceOf(now.twist);
  const tone = flat || (long && missed) || worse ? "bad" : "plain";
  return { sentence: sentence.filter(Boolean).join(" "), tone, heads, rows, colours: ["ink", "vermilion", "blue"] };
}

/** Return whether an arrow ends outside the picture [m]. */
function isOut(root: Point, way: number[]): boolean {
  const [x, y] = [root[0] + way[0], root[1] + way[1]];
  return x < BOUNDS.left || x > BOUNDS.right || y < BOUNDS.bottom || y > BOUNDS.top;
}

function tip(T: Matrix): Point {
  return [T[0][3], T[1][3]];
}

function angleTo(root: number[], point: number[]): number {
  return Math.atan2(point[1] - root[1], point[0] - root[0]);
}
