/** Lesson 09: the UR10 at its singularities, the ellipsoid of its tip, the singular values, and the lost direction. */

import { addBar } from "../../../front/src/bars.ts";
import type { Kernels, Matrix } from "../../../front/src/kernels.ts";
import { dot, length } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addButton, addTwo, element, say } from "../../../front/src/page.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { addEllipsoid } from "../../../front/src/space/ellipsoid.ts";
import { jointHandles } from "../../../front/src/space/joint_handle.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { positionOf, SpaceArrow, Way } from "../../../front/src/space/shapes.ts";
import { multiplyColumns, nullSpace, type Svd, svd } from "../../../front/src/svd.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const RATIO = 1.08; // width over height
const FLOOR = 1e-4; // lower end of the bars
const TOP = 10;
const ARROW = 0.3; // m, of the lost direction
const FAR = 0.85; // m, half length of the wrench's line
const THIN = 1e-13; // m/rad: a shorter semi-axis is lost
const FORCE = 1e-3; // of a wrench of length one: with less, its axis is not drawn
const NEAR = 0.06; // m/rad or rad/rad: below it the configuration is near a singularity
const ZERO = 1e-14; // a smaller factor of det J is zero, except for rounding
const ROUNDING = 1e-13; // of a wrench that no joint feels; more if σ_5 is small
const DEAREST = 1e12; // mrad/mm: a larger cost is rounding error
const FACTORS = ["elbow, sin q_{3} = 0", "wrist, sin q_{5} = 0", "shoulder, ϱ = 0"];

interface Data extends ArmData {
  scale: number;
  conditionShown: number;
  postures: { name: string; degrees: number[] }[];
}

interface Measures {
  J: Svd;
  rotation: Svd;
  free: Svd;
  fixedPart: Svd;
}

export function singularity(stage: Stage<Data>): View {
  const { state, kernels, data } = stage;
  const [picture, side] = addTwo(stage.root, "live-split", "live-bars live-sigmas");
  say(element("p", "live-bars-head", side), "singular values of J_{b}, on a log scale from 0.0001 to 10");
  const bars = data.joints.map((_, i) => addBar(side, i === data.joints.length - 1 ? "vermilion" : "blue"));
  addPostures(side);

  const scene = new ArmScene(stage, picture, data, RATIO);
  const { space } = scene;
  const ellipsoid = addEllipsoid(space);
  const arrows = [1, -1].map(() => new SpaceArrow(space, "vermilion", 0.011));
  const push = new Way(space, "purple", 2.6, [0.045, 0.03]);
  const names = {
    lost: addLabel(picture, "lost", "vermilion"),
    push: addLabel(picture, "felt by no joint", "purple"),
  };
  const controls = data.joints.map((_, i) => `q${i + 1}`);
  const pixelOf = (q: number[], corner: number) => scene.corner(q, corner);
  const handles = jointHandles(picture, state, controls, "joint", (i) => data.grips[i], pixelOf);

  return {
    draw(): Reading {
      const q = state.numbersOf(...controls).map((angle) => angle * DEGREE);
      const { T, J_b } = kernels.chain_ur10(q);
      const measures = measure(kernels, J_b);
      const held = state.optionOf("hand").startsWith("held");
      const hand = held ? measures.fixedPart : measures.free;
      const tip = positionOf(T);
      const inSpace = (way: number[]) => [0, 1, 2].map((i) => dot(T[i].slice(0, 3), way));
      const visible = !stage.isVeiled();
      scene.stand([q], 0);
      const lengths = hand.sigma.map((value) => (visible ? data.scale * value : 0));
      ellipsoid(tip, hand.u.map(inSpace), lengths);
      const factors = kernels.factor_kernel(q).factors as number[];
      const singular = factors.some(isZero);
      const gone =
        singular && (hand.sigma[2] <= THIN || (held && length(measures.J.u[5].slice(3)) > noiseOf(measures)));
      const way = inSpace(hand.u[2]).map((entry) => ARROW * entry);
      arrows.forEach((arrow, k) => {
        arrow.draw(tip, gone && visible ? way.map((entry) => (k === 0 ? entry : -entry)) : [0, 0, 0]);
      });
      names.lost.show(gone && visible);
      if (gone) {
        const ends = [1.25, -1.25].map((far) => space.at(tip.map((at, i) => at + far * way[i])));
        names.lost.place(ends[0][1] < ends[1][1] ? ends[0] : ends[1]);
      }
      const pitch = drawPush(singular && visible, measures, tip, inSpace);
      for (const handle of handles) handle.place();
      bars.forEach((bar, i) => {
        const value = measures.J.sigma[i];
        const part = Math.log10(Math.max(value, 1e-300) / FLOOR) / Math.log10(TOP / FLOOR);
        bar.rise(`σ_{${i + 1}}`, part, rounded(value, 3));
      });
      space.render();
      const [elbow, wrist, shoulder] = factors;
      return { ...read(measures, hand, gone, factors, pitch), facts: { elbow, wrist, shoulder } };
    },
    parts: () => [scene],
  };

  function isZero(factor: number): boolean {
    return Math.abs(factor) <= ZERO;
  }

  /** Draw the axis of the wrench with Jᵀw = 0, which no joint feels. Return its pitch [m], if defined. */
  function drawPush(singular: boolean, all: Measures, tip: number[], inSpace: (way: number[]) => number[]): number {
    const lost = all.J.u[5];
    const [moment, force] = [inSpace(lost.slice(0, 3)), inSpace(lost.slice(3))];
    const size = length(force);
    const drawable = singular && size > FORCE;
    names.push.show(drawable);
    push.through([]);
    if (!drawable) return Number.NaN;
    const lever = [1, 2, 0].map((i, k) => force[i] * moment[(k + 2) % 3] - force[(k + 2) % 3] * moment[i]);
    const foot = tip.map((at, i) => at + lever[i] / size ** 2);
    const end = (far: number) => foot.map((at, i) => at + (far * force[i]) / size);
    push.through([end(-FAR), end(FAR)]);
    const [x] = space.at(tip);
    const sides = [-0.8 * FAR, 0.8 * FAR].map((far) => space.at(end(far)));
    const [across, up] = sides.sort((one, other) => Math.abs(other[0] - x) - Math.abs(one[0] - x))[0];
    names.push.place([across, up - 16]);
    const along = dot(moment, force) / size;
    return Math.abs(along) > noiseOf(all) ? along / size : 0;
  }

  function addPostures(parent: Element): void {
    const row = element("div", "live-buttons live-postures", parent);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "postures");
    for (const { name, degrees } of data.postures) {
      const values = Object.fromEntries(degrees.map((angle, i) => [`q${i + 1}`, angle]));
      addButton(row, name, () => state.set(values));
    }
  }

  function read(measures: Measures, hand: Svd, gone: boolean, factors: number[], pitch: number): Reading {
    const { J, rotation, free, fixedPart } = measures;
    const parts = { J, rotation, "tip, hand free": free, "tip, hand held": fixedPart };
    const rows = Object.entries(parts).map(([name, part]) => row(name, part));
    const heads = ["", "least σ", "manipulability", "condition"];
    const where = FACTORS.filter((_, i) => isZero(factors[i])).join("; ");
    if (where) {
      const [, middle, short] = hand.sigma;
      const kept =
        middle <= THIN
          ? "has a velocity only along the longest semi-axis"
          : "has no velocity along the vermilion arrows marked “lost”";
      const lost = gone
        ? `The tip ${kept}.`
        : `The tip can still move in every direction: the shortest semi-axis is ${positive(short, 3)} m/rad.`;
      const moment =
        Math.abs(pitch) > 0
          ? ` combined with a torque of ${positive(1000 * Math.abs(pitch), 1)} N mm about it for each newton`
          : "";
      const felt = Number.isNaN(pitch) ? "" : ` No joint feels a push along the purple line${moment}.`;
      return { sentence: `Singular: ${where}. ${lost}${felt}`, tone: "bad", heads, rows };
    }
    const size = 1 / hand.sigma[2];
    const cost = size > DEAREST ? "more than 1e+12" : size > 1e8 ? size.toPrecision(3) : fixed(size, 1);
    const costs = `A millimetre along the shortest semi-axis costs ${cost} mrad of joint motion, to first order.`;
    const close = J.sigma[5] < NEAR ? "The arm is near a singularity. " : "";
    return { sentence: close + costs, heads, rows };
  }

  function row(name: string, { sigma }: Svd): string[] {
    const last = sigma[sigma.length - 1];
    const condition = sigma[0] > data.conditionShown * last ? `> ${data.conditionShown}` : fixed(sigma[0] / last, 1);
    const product = Math.abs(sigma.reduce((sofar, value) => sofar * value, 1));
    return [name, rounded(last, 3), rounded(product, 4), condition];
  }
}

/** Return a size with fixed decimals; if it is not zero but would print as zero, as below the last place. */
function rounded(value: number, decimals: number): string {
  return amount(value, decimals).replace("less than", "<");
}

/** Return the rounding error of the wrench that no joint feels, for a wrench of length one. */
function noiseOf({ J }: Measures): number {
  return ROUNDING / (J.sigma[4] > THIN ? J.sigma[4] : 1);
}

/** Return a positive number with fixed decimals, or with three digits if they would be zero. */
function positive(value: number, decimals: number): string {
  return value < 0.5 * 10 ** -decimals ? value.toPrecision(3) : fixed(value, decimals);
}

/** Decompose J_b, its rotation, and the velocities of the tip with a free hand and with one of constant orientation. */
function measure(kernels: Kernels, J: Matrix): Measures {
  const [turning, moving] = [J.slice(0, 3), J.slice(3)];
  const of = (part: Matrix) => svd(kernels, part);
  const fixedPart = of(multiplyColumns(moving, nullSpace(kernels, turning)));
  return { J: of(J), rotation: of(turning), free: of(moving), fixedPart };
}
