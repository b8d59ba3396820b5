/** Lesson 20: Newton steps to a point, and around each iterate a ball that contains exactly one solution. */

import { drawArm } from "../../../front/src/flat/arm.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import { DEGREE, fixed, wrapped } from "../../../front/src/numbers.ts";
import { addKey, addTwo, drawElement, setAttributes, show } from "../../../front/src/page.ts";
import { addPlayer, SOLVE } from "../../../front/src/player.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";

const BOUNDS = { left: -2.3, right: 2.3, bottom: -2.3, top: 2.3 }; // m
const SINGULAR = 1e14; // 1/rad: κ of a derivative that is singular to rounding
const ROUNDING = 1e-13; // rad²: times κ, more than the rounding error of η

/** Certificate of an iterate; see `course/certificates/live.py`. */
interface Ball {
  q: number[];
  corners: number[][];
  eta: number;
  h: number;
  /** Radius [rad] of the ball with one solution, and within which it is unique; none if nothing is proven. */
  sizes: number[] | undefined;
}

export function ball(stage: Stage<{ steps: number; arrived: number; span: number }>): View {
  const { state, kernels } = stage;
  const { steps, arrived, span } = stage.data;
  const [left, right] = addTwo(stage.root, "live-pair");
  const room = new Plane(left, BOUNDS, "The arm and its target.", stage.redraw);
  const grid = drawGrid(room, BOUNDS.right);
  const here = drawArm(room, "live-ink");
  const goal = drawElement("path", room.svg, { class: "live-spot live-vermilion" });
  const page = { left: -span, right: span, bottom: -span, top: span };
  const about = "The joint-angle plane around the solution, with the ball.";
  const joints = new Plane(right, page, about, stage.redraw);
  const lines = drawGrid(joints, span, [-1, 1], "rad");
  const free = drawElement("circle", joints.svg, { class: "live-disc live-green" });
  const inside = drawElement("circle", joints.svg, { class: "live-disc live-blue" });
  const way = drawElement("path", joints.svg, { class: "live-curve live-ink" });
  const crosses = [1, 2].map(() => drawElement("path", joints.svg, { class: "live-spot live-vermilion" }));
  const dot = drawElement("circle", joints.svg, { class: "live-dot live-ink", r: 4.5 });
  const player = addPlayer(stage.root, stage.redraw, SOLVE, 0);
  const key = { blue: "one solution inside", green: "no other inside", vermilion: "a solution" };
  addKey(stage.root, Object.entries(key), " · right: q₁ − t₁ and q₂ − t₂");

  const angles = (letter: string) => [1, 2].map((i) => state.number(`${letter}${i}`) * DEGREE);
  const ask = new Handle(right, {
    name: "configuration",
    looks: "ink live-hollow",
    dragTo: (place) => go(joints.from(place).map((offset, i) => offset + angles("t")[i])),
    step: (over, up) => go(angles("q").map((angle, i) => angle + [over, up][i] * DEGREE)),
  });
  const ballsOf = memo<Ball[]>(() => player.rest(0));

  function go(q: number[]): void {
    const near = q.map((angle) => wrapped(angle) / DEGREE);
    state.setOnGrid({ q1: near[0], q2: near[1] });
  }

  function ballAt(q: number[], t: number[]): { ball: Ball; step: number[]; far: number } {
    const { corners, step, bounds } = kernels.step_kernel(q, t);
    const [length, b] = bounds as number[];
    const eta = length + ROUNDING * b;
    const h = b < SINGULAR ? b * eta : Number.POSITIVE_INFINITY;
    const sizes = h <= 0.5 ? (kernels.ball_kernel([eta, b, h]).sizes as number[]) : undefined;
    const [, tip, target] = corners as number[][];
    const far = Math.hypot(tip[0] - target[0], tip[1] - target[1]);
    return { ball: { q, corners, eta, h, sizes }, step, far };
  }

  /** Return the ball at each Newton iterate. */
  function search(t: number[]): Ball[] {
    const ballList: Ball[] = [];
    let q = angles("q");
    for (let k = 0; k <= steps; k++) {
      const { ball, step, far } = ballAt(q, t);
      ballList.push(ball);
      if (far < arrived || !Number.isFinite(ball.h)) break;
      q = q.map((angle, i) => angle + step[i]);
    }
    return ballList;
  }

  return {
    draw(): Reading {
      const t = angles("t");
      const balls = ballsOf([t, angles("q")], () => search(t));
      player.bound(balls.length - 1);
      const now = balls[player.at];
      grid();
      lines();
      here.draw([[0, 0], ...now.corners.slice(0, 2)], now.q[0] + now.q[1]);
      setAttributes(goal, { d: cross(room.at(now.corners[2])) });
      const offset = (q: number[]): Point => [wrapped(q[0] - t[0]), wrapped(q[1] - t[1])];
      const [cx, cy] = joints.at(offset(now.q));
      [inside, free].forEach((disc, i) => {
        show(disc, now.sizes !== undefined);
        if (now.sizes) setAttributes(disc, { cx, cy, r: now.sizes[i] * joints.scale });
      });
      setAttributes(dot, { cx, cy });
      setAttributes(way, { d: joints.path(balls.slice(0, player.at + 1).map(({ q }) => offset(q))) });
      const other = offset([t[0] + t[1], -t[1]]); // equal links: the other elbow
      for (const [i, place] of [[0, 0], other].entries()) setAttributes(crosses[i], { d: cross(joints.at(place)) });
      const words = angles("q").map((angle, i) => `q_${i + 1} ${fixed(angle / DEGREE, 0)}°`);
      ask.place(joints.at(offset(angles("q"))), words.join(", "), state.number("q1"));
      return read(balls, player.at);
    },
    parts: () => [player, room, joints],
  };
}

function cross([x, y]: Point): string {
  return `M${x - 5},${y - 5}l10,10M${x - 5},${y + 5}l10,-10`;
}

function read(balls: Ball[], at: number): Reading {
  const { h, sizes } = balls[at];
  const shown = ([radius, alone]: number[]) => [format(radius, Math.ceil), format(alone, Math.floor)];
  const rows = balls.map((one, k) => [
    `step ${k}`,
    format(one.h, one.sizes ? Math.round : Math.ceil),
    ...(one.sizes ? shown(one.sizes) : ["–", "–"]),
  ]);
  const heads = ["", "h", "radius [rad]", "alone [rad]"];
  if (!sizes) {
    const why = Number.isFinite(h) ? "h is more than ½" : "the derivative is singular";
    return { sentence: `Nothing is proven: ${why}. A solution may still be nearby.`, tone: "bad", heads, rows };
  }
  const [radius, alone] = shown(sizes);
  const which = Number(radius) > Number(alone) ? "A" : "Exactly one"; // rounding has exchanged the two
  const sentence = `${which} solution is within ${radius} rad, and no other is within ${alone} rad.`;
  return { sentence, tone: "good", heads, rows };
}

/** Return four decimals or two digits of a number; radii are rounded to the safe side. */
function format(value: number, round = Math.round): string {
  if (value >= 1e-3 || value === 0) return fixed(round(1e4 * value) / 1e4, 4);
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return (unit * round(value / unit)).toExponential(1);
}
