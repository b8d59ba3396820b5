/** Lesson 17: two hands share a waist; costs decide which keeps an error, and limits restrict the steps. */

import { Chart, even, powers } from "../../../front/src/flat/chart.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import { addJointTable } from "../../../front/src/joint_table.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { identity } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addTwo, drawCurves, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { addPlayer } from "../../../front/src/player.ts";
import { addHalo } from "../../../front/src/space/halo.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { positionOf, Way } from "../../../front/src/space/shapes.ts";
import { type PartData, SolidBody } from "../../../front/src/space/solid_body.ts";
import { integrate, type Task, type TreeData, taskStep } from "../../../front/src/step.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";

const RATIO = 1.12; // width over height
const EYE = [-1.5, -2.15, 2.6];
const CENTRE = [0.22, 0, 0.8];
const COLOURS = ["blue", "vermilion"];
const SIDES = ["left", "right"];
const AXES = ["x", "y", "z"];
const THERE = 1e-3; // m: a hand this near counts as at its target
const BOTTOM = 0.01; // of the chart, mm
const SPEED = "speed";
const POSITION = "position";

interface Data {
  tree: TreeData & { parts: PartData[] };
  hands: string[];
  /** The option for hands as constraints. */
  hard: string;
  limbs: string[][];
  /** The frame that each joint moves. */
  seats: string[];
  ready: number[];
  period: number;
  steps: number;
  rest: number;
}

interface Walk {
  q: number[][];
  /** Errors of the hands at each of them [m]. */
  off: number[][];
  /** For each step the active limit of each joint: "speed", "position", or nothing. */
  held: string[][];
  rests: boolean;
  /** Whether a step was infeasible. */
  refused: boolean;
}

export function hands(stage: Stage<Data>): View {
  const { state, kernels, specification, data } = stage;
  const { tree } = data;
  const [picture, side] = addTwo(stage.root, "live-split", "live-bars");
  const places = tree.rates.map((name) => {
    const column = SIDES.findIndex((side) => name.startsWith(side));
    return column < 0 ? { row: name } : { row: name.slice(SIDES[column].length + 1), column };
  });
  const table = addJointTable(side, "limits that restrict this step", SIDES, places);
  const player = addPlayer(stage.root, stage.redraw);
  const about = "The error of each hand, from step to step.";
  const chart = new Chart(element("div", "live-charts", stage.root), 150, about, stage.redraw);
  const curves = drawCurves(chart.svg, ...COLOURS);
  const dots = COLOURS.map((colour) => drawElement("circle", chart.svg, { class: `live-dot live-${colour}`, r: 5.5 }));

  const space = new Space(picture, CENTRE, EYE, specification.about, stage.redraw, RATIO);
  space.layFloor(1, 0.25);
  const body = new SolidBody(space, tree.parts);
  const halos = data.seats.map(() => addHalo(space, 0.085));
  const ghost = data.limbs.map(() => new Way(space, "steel", 3));
  const gaps = COLOURS.map((colour) => new Way(space, colour, 4, [0.03, 0.02]));
  const stems = COLOURS.map((colour) => new Way(space, colour, 1.5, [0.012, 0.012]));
  const names = COLOURS.map((colour, k) => addLabel(picture, SIDES[k], colour));
  const stateAt = (q: number[]): Record<string, Matrix> => kernels.two_hands_kernel(q);
  const target = (k: number) => state.numbersOf(...AXES.map((axis) => `${SIDES[k]}_${axis}`));
  const hard = () => state.optionOf("hands") === data.hard;
  const distanceFromReady = (q: number[]) => Math.hypot(...q.map((angle, i) => angle - data.ready[i]));
  const handles = SIDES.map((side, k) => {
    const steps = { [`${side}_y`]: -0.01, [`${side}_x`]: 0.01 };
    return controlHandle(picture, state, `${side} target`, `${COLOURS[k]} live-hollow`, steps, (pixel) =>
      space.onFloor(pixel, target(k)[2])?.reverse(),
    );
  });
  data.limbs.forEach((limb, k) => {
    const begin = stateAt(data.ready);
    ghost[k].through(limb.map((frame) => positionOf(begin[`T_${frame}`])));
  });

  const walk = memo<Walk>(() => player.rest());

  return {
    draw(): Reading {
      const result = walk(state.all(), settle);
      const { q, off, held, refused } = result;
      player.bound(q.length - 1);
      const here = stateAt(q[player.at]);
      const step = refused ? player.at : Math.min(player.at, held.length - 1); // no limits belong to an infeasible step
      const limits = held[step] ?? tree.rates.map(() => "");
      body.place(here);
      limits.forEach((kind, i) => {
        const colour = kind === POSITION ? "purple" : kind === SPEED ? "green" : "";
        halos[i](colour ? positionOf(here[`T_${data.seats[i]}`]) : undefined, colour);
        table(i, kind || "–", colour);
      });
      COLOURS.forEach((_, k) => {
        const [x, y, z] = target(k);
        gaps[k].through([positionOf(here[`T_${data.hands[k]}`]), [x, y, z]]);
        stems[k].between([x, y, z], [x, y, space.floor]);
        handles[k].place(space.at([x, y, z]), `x ${fixed(x, 2)} m, y ${fixed(y, 2)} m, z ${fixed(z, 2)} m`, x);
        const [right, down] = space.at([x, y, z]);
        names[k].place([right, down - 26]);
      });
      space.render();
      drawResiduals(off);
      return read(result, limits);
    },
    parts: () => [player, chart, space],
  };

  function settle(): Walk {
    const gain = state.number("gain");
    const posture = identity(tree.nv);
    const result: Walk = { q: [], off: [], held: [], rests: false, refused: false };
    let q = data.ready;
    for (;;) {
      const here = stateAt(q);
      const pair: Task[] = SIDES.map((side, k) => ({
        J: here[`J_${data.hands[k]}`],
        e: positionOf(here[`T_${data.hands[k]}`]).map((entry, i) => entry - target(k)[i]),
        cost: state.number(side),
        gain,
        damping: state.number("damping"),
      }));
      result.q.push(q);
      result.off.push(pair.map(({ e }) => Math.hypot(...e)));
      const e = q.map((angle, i) => angle - data.ready[i]);
      const own: Task = { J: posture, e, cost: state.number("posture"), gain, damping: 0 };
      if (result.rests || result.held.length === data.steps) return result;
      const step = hard()
        ? taskStep(kernels, tree, q, [own], data.period, pair)
        : taskStep(kernels, tree, q, [...pair, own], data.period);
      if (!step) return { ...result, refused: true };
      const fast = new Map(tree.speeds.map(([rate, speed]) => [rate, data.period * speed]));
      const kind = (i: number) => (Math.abs(step.x[i]) >= (fast.get(i) ?? Number.POSITIVE_INFINITY) ? SPEED : POSITION);
      result.held.push(step.active.map((side, i) => (side === 0 ? "" : kind(i))));
      q = integrate(kernels, tree, q, step.x);
      result.rests = Math.max(...step.x.map(Math.abs)) < data.rest;
    }
  }

  function drawResiduals(off: number[][]): void {
    const last = Math.max(5, off.length - 1);
    const every = last > 100 ? 50 : last > 30 ? 10 : last > 12 ? 5 : 1;
    chart.dress(even("step", 0, last, every), powers("hand error [mm]", BOTTOM, 2000));
    SIDES.forEach((_, k) => {
      const sizes = off.slice(0, player.at + 1).map((row, i): [number, number] => [i, 1000 * row[k]]);
      setAttributes(curves[k], { d: chart.path(sizes) });
      const [cx, cy] = chart.at(...sizes[sizes.length - 1]);
      setAttributes(dots[k], { cx, cy });
    });
  }

  function read({ q, off, rests, refused }: Walk, limits: string[]): Reading {
    const [left, right] = off[player.at];
    const sizes = [left, right, distanceFromReady(q[player.at])];
    const weights = [...SIDES, "posture"].map((name, k) => (hard() && k < 2 ? 0 : state.number(name) ** 2));
    const shares = sizes.map((size, k) => weights[k] * size * size);
    const whole = shares.reduce((sum, share) => sum + share, 0);
    const texts = [fixed(1000 * left, 1), fixed(1000 * right, 1), fixed(sizes[2] / DEGREE, 1)];
    const rows = ["left hand [mm]", "right hand [mm]", "posture [°]"].map((name, k) => {
      if (hard() && k < 2) return [name, "constraint", texts[k], "–"];
      const share = fixed(whole > 0 ? (100 * shares[k]) / whole : 0, 1);
      return [name, String(Number(weights[k].toPrecision(4))), texts[k], share];
    });
    const reading = (sentence: string, tone: "plain" | "good" | "bad" = "plain"): Reading => {
      return {
        sentence,
        tone,
        heads: ["", "weight κ²", "error", "% of objective"],
        rows,
        colours: [...COLOURS, "ink"],
      };
    };
    const restricted = tree.rates.filter((_, i) => limits[i] === POSITION);
    const ends = restricted.length > 0 ? ` Restricted by a position limit: ${restricted.join(", ")}.` : "";
    const count = q.length - 1;
    const steps = `${count} step${count === 1 ? "" : "s"}`;
    const offs = `off by ${amount(1000 * left, 1)} mm, and the right one by ${amount(1000 * right, 1)} mm`;
    if (!hard() && weights[0] + weights[1] === 0)
      return reading("Neither hand has a cost, so both are free, and the body keeps its posture.", "bad");
    if (player.at < count) return reading(`Before step ${player.at + 1}, the left hand is ${offs}.${ends}`);
    const stops = "no step within the limits satisfies both constraints, so the robot stops with the left hand";
    if (refused) return reading(`After ${steps}, ${stops} ${offs}.${ends}`, "bad");
    if (!rests) return reading(`The body is still moving after ${steps}.`, "bad");
    if (left < THERE && right < THERE)
      return reading(`Both hands are within 1 mm of their targets after ${steps}.`, "good");
    return reading(`The body is at rest after ${steps}, to within 0.001° a step: the left hand is ${offs}.${ends}`);
  }
}
