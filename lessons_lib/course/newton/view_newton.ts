/** Lesson 08: one Newton step: the linear model's prediction of the tip, the actual tip, and the remaining error. */

import { drawArm, type FlatArm } from "../../../front/src/flat/arm.ts";
import { drawArrow } from "../../../front/src/flat/arrow.ts";
import { addErrorChart } from "../../../front/src/flat/error_chart.ts";
import { drawFrame } from "../../../front/src/flat/frame.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle, Handle, type Point } from "../../../front/src/handle.ts";
import { logarithm, type Matrix } from "../../../front/src/kernels.ts";
import { product } from "../../../front/src/matrix.ts";
import { DEGREE, degreesTurned, fixed, wrapped } from "../../../front/src/numbers.ts";
import { drawElement, element, setAttributes, show } from "../../../front/src/page.ts";
import { addPlayer, SOLVE } from "../../../front/src/player.ts";
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
import { judge, short } from "../../../front/src/verdict.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";
import { anglesTo } from "../inverse_kinematics/view.ts";

const BOUNDS = { left: -2.6, right: 2.6, bottom: -2.2, top: 2.75 }; // m
const FINE = 0.05; // rad of a joint, between two points of a path
const SHORT = 0.3; // m, of an arrow without a name
const ASIDE = 24; // pixels from an arrow to its name
const MOST = 4000; // points of a path
const LONG = Math.PI / 2; // rad of a joint: the sentence comments on steps longer than this
const MISSED = 0.1; // m: a step that ends farther than this from its prediction was too long
const SINGULAR = 1e-15; // of sin q₂: both columns of J are parallel to rounding, as ZERO in pseudoinverse.py

interface Data {
  stop: Stop;
  reach: number;
  /** The label of an error, and the method that reduces it. */
  methods: Record<string, Method & { point: boolean }>;
}

/** One step: from an iterate to the next. */
interface Step {
  d: number[];
  /** Points of the tip at the velocity J δ [m]. */
  arrow: number[];
  /** Poses along the twist J δ, if the error is a pose's. */
  predicted: Matrix[];
  /** Error twist at the end of the predicted poses; for a point the residual at the arrow's end. */
  left: number[];
  /** Distance of the tip after the step from its prediction [m]. */
  apart: number;
}

export function newton(stage: Stage<Data>): View {
  const { state, kernels, specification } = stage;
  const { stop, reach, methods } = stage.data;
  const solver = new Solver(kernels, "planar", 2);
  const picture = element("div", "live-panel-picture", stage.root);
  const plane = new Plane(picture, BOUNDS, specification.about, stage.redraw);
  const grid = drawGrid(plane, BOUNDS.right);
  const goal = drawFrame(plane, "live-goal");
  const begin = drawArm(plane, "live-pale");
  const next = drawArm(plane, "live-blue live-faint");
  const here = drawArm(plane, "live-ink");
  const arc = drawElement("path", plane.svg, { class: "live-predicted live-vermilion" });
  const way = drawElement("path", plane.svg, { class: "live-curve live-blue" });
  const ends = drawFrame(plane);
  const tangent = drawArrow(plane, "live-vermilion", "");
  const name = drawElement("text", plane.svg, { class: "live-name live-vermilion" }, "J δ");
  const player = addPlayer(stage.root, stage.redraw, SOLVE, 0);
  const chart = addErrorChart(stage, stage.root, "The errors of the iterates so far.", stop, ["blue"], 190);
  const dot = drawElement("circle", chart.chart.svg, { class: "live-dot live-ink", r: 5.5 });
  const solved = memo<Run>(() => player.rest(0));

  const degreesOf = (names: string[]) => names.map((name) => state.number(name) * DEGREE);
  const target = () => solver.pose(degreesOf(["t1", "t2"]));
  const shape = (q: number[]) => kernels.arm_planar(q);
  const corners = (q: number[]) => kernels.corners_kernel(q, [reach / 2, reach / 2]).points;

  const starts = ["s1", "s2"].map((name, i) =>
    controlHandle(picture, state, `start, joint ${i + 1}`, "ink live-hollow", { [name]: 1 }, (place) => {
      const { low, high } = state.control(name);
      const [root, point] = (corners(degreesOf(["s1", "s2"])) as Matrix).slice(i);
      const angle = state.number(name) + (angleTo(root, plane.from(place)) - angleTo(root, point)) / DEGREE;
      return [angle > high ? angle - 360 : angle < low ? angle + 360 : angle];
    }),
  );
  const go = ([x, y]: Point) => {
    const q = anglesTo(kernels, [x, y], reach, state.number("t2") < 0 ? -1 : 1);
    state.setOnGrid({ t1: q[0] / DEGREE, t2: q[1] / DEGREE });
  };
  const aim = new Handle(picture, {
    name: "target",
    looks: "purple",
    dragTo: (place) => go(plane.from(place)),
    step: (right, up) => go([target()[0][3] + 0.04 * right, target()[1][3] + 0.04 * up]),
  });

  return {
    draw(): Reading {
      const T_sd = target();
      const start = degreesOf(["s1", "s2"]);
      const method = methods[state.optionOf("error")];
      const run = solved([T_sd, start, method], () => solver.solve(T_sd, start, method, stop));
      player.bound(run.iterates.length - 1);
      const now = run.iterates[player.at];
      const after = run.iterates[player.at + 1];
      const step = after && stepOf(now, after, T_sd, method.point);
      grid();
      goal(T_sd);
      arm(begin, player.at > 0 ? start : undefined);
      arm(here, now.q);
      arm(next, after?.q);
      tangent(tip(shape(now.q).T), step?.arrow ?? [0, 0]);
      nameArrow(tip(shape(now.q).T), step?.arrow);
      setAttributes(arc, { d: step ? plane.path(step.predicted.map(tip)) : "" });
      ends(step?.predicted[step.predicted.length - 1]);
      setAttributes(way, { d: step ? plane.path(along(now.q, step.d).map((q) => tip(shape(q).T))) : "" });
      const points = corners(start);
      starts.forEach((handle, i) => {
        const angle = state.number(`s${i + 1}`);
        handle.place(plane.at(points[i + 1]), `${fixed(angle, 0)}°`, angle);
      });
      aim.placePoint(plane.at(tip(T_sd)), tip(T_sd));
      chart.draw([run], player.at + 2, !method.point);
      setAttributes(dot, chart.chart.dot(player.at, distanceOf(now.twist)));
      const reading = read(run, player.at, step, method.point, isOut(tip(shape(now.q).T), step?.arrow));
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

  /** Return whether an arrow ends outside the picture, which may be wider than its bounds. */
  function isOut(root: Point, way = [0, 0]): boolean {
    const [x, y] = plane.at([root[0] + way[0], root[1] + way[1]]);
    return x < 0 || x > plane.width || y < 0 || y > plane.height;
  }

  function arm(drawing: FlatArm, q: number[] | undefined): void {
    drawing.draw(q && corners(q), q ? q[0] + q[1] : 0);
  }

  function stepOf(now: Iterate, after: Iterate, T_sd: Matrix, point: boolean): Step {
    const d = after.q.map((angle, i) => angle - now.q[i]);
    const J = shape(now.q).J_p;
    const arrow = [0, 1, 2].map((row) => J[row][0] * d[0] + J[row][1] * d[1]);
    const missed = arrow.map((entry, i) => now.twist[i + 3] - entry);
    const { T, J_b } = kernels.chain_planar(now.q);
    const [x, y] = tip(shape(after.q).T);
    const apartFrom = ([u, v]: Point) => Math.hypot(x - u, y - v);
    if (point) {
      const end: Point = [T[0][3] + arrow[0], T[1][3] + arrow[1]];
      return { d, arrow, predicted: [], left: [0, 0, 0, ...missed], apart: apartFrom(end) };
    }
    const twist = (J_b as Matrix).map((row) => row[0] * d[0] + row[1] * d[1]);
    const parts = along([0, 0], d).length - 1;
    const predicted = [...Array(parts + 1).keys()].map((k) =>
      product(T, kernels.exp_se3_kernel(twist.map((entry) => (k / parts) * entry)).T),
    );
    const missing = kernels.between_kernel(predicted[parts], T_sd).T_between;
    return { d, arrow, predicted, left: logarithm(kernels, missing), apart: apartFrom(tip(predicted[parts])) };
  }
}

/** Return the error of each joint of the start modulo whole revolutions [degrees]. */
function degreesBetween(state: State): number[] {
  return [1, 2].map((i) => Math.abs(wrapped((state.number(`s${i}`) - state.number(`t${i}`)) * DEGREE)) / DEGREE);
}

/** Return the facts about the first step: start errors of the joints [degrees], remaining error [mm, degrees]. */
function afterOne(run: Run, off: number[]): Record<string, number> {
  const { twist } = run.iterates[Math.min(1, run.iterates.length - 1)];
  return {
    far: Math.max(...off),
    near: Math.min(...off),
    left: 1000 * distanceOf(twist),
    turned: angleOf(twist) / DEGREE,
  };
}

/** Return configurations between two, close enough for a smooth line. */
function along(q: number[], d: number[]): number[][] {
  const parts = Math.min(Math.max(Math.ceil(Math.max(...d.map(Math.abs)) / FINE), 1), MOST);
  return [...Array(parts + 1).keys()].map((k) => q.map((angle, i) => angle + (k / parts) * d[i]));
}

function read(run: Run, at: number, step: Step | undefined, point: boolean, out: boolean): Reading {
  const [now, after] = [run.iterates[at], run.iterates[at + 1]];
  const angle = (twist: number[]) => (point ? "–" : fixed(angleOf(twist) / DEGREE, 3));
  const row = (name: string, twist: number[]) => [name, fixed(1000 * distanceOf(twist), 2), angle(twist)];
  const heads = point ? ["distance", "mm", ""] : ["error twist", "|v_{b}| mm", "|ω_{b}| °"];
  const rows = [row("now", now.twist)];
  if (!step) {
    const { words, tone } = judge(run, point);
    const last = at === 0 ? "The tip is at the target: there is nothing to do." : `Newton's method ${words}.`;
    return { sentence: last, tone: at === 0 ? "good" : tone, heads, rows, colours: ["ink"] };
  }
  rows.push(row("predicted", step.left), row("next", after.twist));
  const [one, two] = step.d.map(degreesTurned);
  const [predicted, left] = [step.left, after.twist].map((twist) => `${short(1000 * distanceOf(twist))} mm`);
  const long = Math.max(...step.d.map(Math.abs)) > LONG;
  const missed = step.apart > MISSED;
  const flat = point && Math.abs(Math.sin(now.q[1])) < SINGULAR;
  const posture = Math.cos(now.q[1]) > 0 ? "outstretched" : "folded";
  const sentence = [
    `Step ${at + 1} turns the joints by ${one} and ${two}.`,
    flat ? `The arm is ${posture}: J has lost a direction, and the pseudoinverse ignores it.` : "",
    point
      ? `At the arrow's end the distance would be ${predicted}; after the step it is ${left}.`
      : `At the end of the dotted arc |v_{b}| would be ${predicted}; after the step it is ${left}.`,
    out ? "J δ extends beyond the picture." : "",
    long && missed ? "The step was too long for the linear model." : "",
    long && !missed ? "The step is long, but it ends within 100 mm of the prediction." : "",
  ];
  const worse = distanceOf(after.twist) > distanceOf(now.twist);
  const tone = flat || (long && missed) || worse ? "bad" : "plain";
  return { sentence: sentence.filter(Boolean).join(" "), tone, heads, rows, colours: ["ink", "vermilion", "blue"] };
}

function tip(T: Matrix): Point {
  return [T[0][3], T[1][3]];
}

function angleTo(root: number[], point: number[]): number {
  return Math.atan2(point[1] - root[1], point[0] - root[0]);
}
