/** Lesson 01: drag the target; an arm for each solution follows it, by the printed kernels. */

import { drawArm, type FlatArm } from "../../../front/src/flat/arm.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import type { Kernels } from "../../../front/src/kernels.ts";
import { amount, degrees } from "../../../front/src/numbers.ts";
import { drawElement, setAttributes, show } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const HALF = 2.4; // m: the longest arm and its hand
const MAGNET = 0.03; // m: a target dragged this near to an edge of the annulus snaps to it
const FAN = 12; // directions of the drawn arms if every one is a solution
const BOTH = [1, -1]; // the sign of the elbow's angle

interface Answers {
  q: number[][];
  /** Whether joint 1 is arbitrary. */
  free: boolean;
}

/** Return every configuration that moves the tip to a point. */
export function answersTo(kernels: Kernels, target: Point, lengths: number[]): Answers {
  const [count, ...gaps] = kernels.count_kernel([Math.hypot(...target)], lengths).count_and_gaps as number[];
  const q = BOTH.slice(0, count).map((sign) => {
    const [q_1, q_2] = kernels.angles_kernel(target, gaps, lengths, [sign]).q as number[];
    return [q_1 === -Math.PI ? Math.PI : q_1, q_2]; // π and −π are the same angle
  });
  return { q, free: count === 1 && gaps[1] === 0 && lengths[0] === lengths[1] };
}

/** Return the solution with one sign of the elbow for a point, or the nearest one within reach, of two equal links. */
export function anglesTo(kernels: Kernels, [x, y]: Point, reach: number, sign: number): number[] {
  const r = Math.hypot(x, y);
  const edge = Math.min(Math.max(r, 1e-3), reach);
  const inside: Point = r > 0 ? [(edge * x) / r, (edge * y) / r] : [edge, 0];
  const lengths = [reach / 2, reach / 2];
  const [, ...gaps] = kernels.count_kernel([edge], lengths).count_and_gaps as number[];
  return kernels.angles_kernel(inside, gaps, lengths, [sign]).q;
}

export function elbow(stage: Stage<{ length_1: number }>): View {
  const { state, kernels } = stage;
  const bounds = { left: -HALF, right: HALF, bottom: -HALF, top: HALF };
  const plane = new Plane(stage.root, bounds, stage.specification.about, stage.redraw);
  const ring = drawElement("path", plane.svg, { class: "live-ring" });
  const grid = drawGrid(plane, HALF);
  const pale = [...Array(FAN).keys()].map(() => drawArm(plane, "live-pale"));
  const gap = drawElement("path", plane.svg, { class: "live-gap" });
  const arms = [drawArm(plane, "live-vermilion"), drawArm(plane, "live-blue")].reverse();
  const lengths = () => [stage.data.length_1, state.number("length_2")];
  const target = (): Point => [state.number("x"), state.number("y")];

  const drag = (place: Point) => {
    const [x, y] = plane.from(place);
    const r = Math.hypot(x, y);
    const [first, second] = lengths();
    const edge = [first + second, Math.abs(first - second)].find((radius) => Math.abs(r - radius) < MAGNET);
    if (edge === undefined || r === 0) state.setOnGrid({ x, y });
    else state.set({ x: (edge * x) / r, y: (edge * y) / r });
  };
  const handle = new Handle(stage.root, {
    name: "target",
    looks: "ink",
    dragTo: drag,
    step: (right, up) => state.setOnGrid({ x: target()[0] + 0.01 * right, y: target()[1] + 0.01 * up }),
  });
  plane.svg.addEventListener("click", (event) => drag([event.offsetX, event.offsetY]));

  const points = (q: number[]) => kernels.corners_kernel(q, lengths()).points;
  const place = (arm: FlatArm, q: number[] | undefined) => arm.draw(q && points(q), q ? q[0] + q[1] : 0);

  return {
    draw(): Reading {
      const at = target();
      const solutions = answersTo(kernels, at, lengths());
      const [first, second] = lengths();
      const [outer, inner] = [first + second, Math.abs(first - second)];
      drawRing(plane, ring, outer, inner);
      grid();
      const nearest = solutions.q.length === 0 ? nearestTo(kernels, at, lengths()) : undefined;
      pale.forEach((arm, k) => {
        place(arm, solutions.free ? [(2 * Math.PI * k) / FAN, Math.PI] : k === 0 ? nearest : undefined);
      });
      arms.forEach((arm, k) => {
        place(arm, solutions.q[k]);
        arm.group.classList.toggle("live-only", solutions.q.length === 1);
      });
      setAttributes(gap, { d: nearest ? plane.path([points(nearest)[2], at]) : "" });
      show(gap, nearest !== undefined);
      handle.placePoint(plane.at(at), at);
      const r = Math.hypot(...at);
      return { ...read(at, solutions, outer, inner), facts: { inner: r - inner, outer: outer - r } };
    },
    parts: () => [plane],
  };
}

function nearestTo(kernels: Kernels, [x, y]: Point, lengths: number[]): number[] {
  const r = Math.hypot(x, y);
  const edge = Math.min(Math.max(r, Math.abs(lengths[0] - lengths[1])), lengths[0] + lengths[1]);
  const onEdge: Point = r > 0 ? [(edge * x) / r, (edge * y) / r] : [edge, 0];
  return answersTo(kernels, onEdge, lengths).q[0];
}

function drawRing(plane: Plane, ring: SVGPathElement, outer: number, inner: number): void {
  const [x, y] = plane.at([0, 0]);
  const circle = (radius: number) => {
    const r = radius * plane.scale;
    return `M${x - r},${y}A${r},${r} 0 1 0 ${x + r},${y}A${r},${r} 0 1 0 ${x - r},${y}Z`;
  };
  setAttributes(ring, { d: circle(outer) + (inner > 0 ? circle(inner) : ""), "fill-rule": "evenodd" });
}

function read([x, y]: Point, { q, free }: Answers, outer: number, inner: number): Reading {
  const r = Math.hypot(x, y);
  const rows = q.map(([q_1, q_2]) => [q_2 < 0 ? "q₂ < 0" : q_2 > 0 ? "q₂ > 0" : "q₂ = 0", degrees(q_1), degrees(q_2)]);
  const heads = rows.length > 0 ? ["", "q₁", "q₂"] : [];
  const reading = (sentence: string): Reading => ({ sentence, tone: free ? "bad" : "plain", heads, rows });
  if (q.length === 2) {
    const sentence = `The target is ${amount(r, 2)} m from the base. There are two solutions.`;
    return { ...reading(sentence), colours: ["blue", "vermilion"] };
  }
  if (free)
    return reading("The tip is at the base: every angle of joint 1 is a solution, so there are infinitely many.");
  const posture = q.length === 1 && Math.abs(q[0][1]) < 1 ? "outstretched" : "folded";
  if (q.length === 1)
    return reading(`The target is on the edge of the ring: there is one solution, and the arm is ${posture}.`);
  const far = r > outer;
  const short = far ? r - outer : inner - r;
  const sentence =
    `No solution: the target is too ${far ? "far from" : "close to"} the base. The ring's ${far ? "outer" : "inner"} ` +
    `radius is ${amount(far ? outer : inner, 2)} m, and the nearest arm misses by ${amount(short, 2)} m.`;
  return { sentence, tone: "bad", heads, rows };
}
