/** Lesson 15: the elbow moves while the tip stays; joints in their ranges, and two objectives over the arm angle. */

import { addBar } from "../../../front/src/bars.ts";
import { type Axis, Chart } from "../../../front/src/flat/chart.ts";
import { controlHandle, nearestOn, type Point } from "../../../front/src/handle.ts";
import { asTyped, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addTwo, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { positionOf, Way } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { type Judgement, type Posture, Swing } from "./swing_model.ts";

const RATIO = 1.12; // width over height
const STEP = 3; // degrees between two postures of the curve
const LEAST = 0.05; // °/s: slower rates are zero
const AHEAD = 0.5; // s, scale of an arrow beside a dot
const WING = 6; // pixels
const LABEL = 0.11; // from a point to its name, relative to the width
const HEIGHT = 132; // pixels of a chart

interface Data extends ArmData {
  limits: number[][];
  /** Fraction of half a range beyond which a joint is near its limit. */
  near: number;
  ready: number[];
  gains: { middle: number; measure: number };
}

interface Curve {
  chart: Chart;
  line: SVGPathElement;
  ends: SVGPathElement;
  arrow: SVGPathElement;
  dot: SVGCircleElement;
  judge(posture: Posture): Judgement;
  /** Its value at each posture. */
  values: number[];
  y: Axis;
}

export function swing(stage: Stage<Data>): View {
  const { state, kernels, data } = stage;
  const model = new Swing(kernels, data.tag, data.ready);
  const { high } = state.control("swing");
  const postures = model.follow(data.ready, high, STEP);
  const angleAt = (k: number) => STEP * k - high;
  const places = ({ q }: Posture) => q.map((angle, i) => placeIn(data.limits[i], angle));
  const allowed = postures.map((posture) => places(posture).every((place) => Math.abs(place) <= 1));
  const [first, last] = [allowed.indexOf(true), allowed.lastIndexOf(true)];
  const ends = [border(first, first - 1), border(last, last + 1)]; // of the limits [°]

  const [picture, side] = addTwo(stage.root, "live-split", "live-bars");
  element("p", "live-bars-head", side, "position of each joint within its range");
  const bars = data.ready.map(() => addBar(side, "blue"));
  const scene = new ArmScene(stage, picture, data, RATIO);
  scene.aim(scene.shape(data.ready).T);
  const elbows = postures.map(({ points }) => points[1]);
  new Way(scene.space, "steel", 2, [0.012, 0.012]).through(elbows);
  new Way(scene.space, "purple", 3.5).through(elbows.slice(first, last + 1));
  const names = ["elbow", "tip"].map((name, i) => addLabel(picture, name, ["purple", "ink"][i]));
  const handle = controlHandle(picture, state, "elbow", "purple", { swing: 1 }, (place) => [nearest(place)]);

  const charts = element("div", "live-charts", stage.root);
  const x: Axis = {
    name: "arm angle ψ [°]",
    part: (value) => (value + high) / (2 * high),
    ticks: [-120, -60, 0, 60, 120].map((value) => [value, fixed(value, 0)]),
  };
  const curves = [
    curve("blue", "H, small in the middle of the ranges", true, (posture) => model.middle(posture, data.gains.middle)),
    curve("green", "manipulability w [m³]", false, (posture) => model.measure(posture, data.gains.measure)),
  ];

  function curve(colour: string, name: string, bare: boolean, judge: Curve["judge"]): Curve {
    const chart = new Chart(charts, bare ? HEIGHT - 28 : HEIGHT, `${name}, over the arm angle.`, stage.redraw, bare);
    const values = postures.map((posture) => judge(posture).value);
    const top = Math.max(...values);
    const tick = bare ? 1 : 0.05;
    const ticks = [0, 1, 2].map((k): [number, string] => [k * tick, fixed(k * tick, bare ? 0 : 2)]);
    const part = (value: number) => value / (1.08 * top);
    const y = { name, part, ticks: ticks.filter(([value]) => part(value) < 1) };
    const ends = drawElement("path", chart.svg, { class: "live-bound" });
    const [line, arrow] = [0, 1].map(() => drawElement("path", chart.svg, { class: `live-curve live-${colour}` }));
    const dot = drawElement("circle", chart.svg, { class: `live-dot live-${colour}`, r: 6 });
    return { chart, line, ends, arrow, dot, judge, values, y };
  }

  element("p", "live-key", charts, `Arrows: ${AHEAD} s of motion in ψ, with −k∇H and k∇w. Dashed: joint limits.`);

  /** Return the arm angle at which a joint reaches its limit between two postures of the curve [°]. */
  function border(inside: number, outside: number): number {
    if (!postures[outside]) return angleAt(inside);
    const [here, there] = [inside, outside].map((k) => places(postures[k]).map(Math.abs));
    const part = Math.min(...here.map((place, i) => (there[i] > 1 ? (1 - place) / (there[i] - place) : 1)));
    return angleAt(inside + part * (outside - inside));
  }

  /** Return the arm angle at which the elbow appears nearest to a pixel [°]. */
  function nearest(place: Point): number {
    const pixels = elbows.map((elbow) => scene.space.at(elbow));
    const near = pixels.slice(1).map((there, k) => nearestOn(pixels[k], there, place));
    const least = Math.min(...near.map(({ far }) => far));
    const k = near.findIndex(({ far }) => far === least);
    return angleAt(k + near[k].part);
  }

  return {
    draw(): Reading {
      const degrees = state.number("swing");
      const near = postures[Math.round((degrees + high) / STEP)];
      const posture = model.find(near.q, degrees);
      scene.stand([posture.q], 0);
      scene.space.render();
      const elbow = scene.space.at(posture.points[1]);
      handle.place(elbow, `ψ ${fixed(degrees, 0)}°`, degrees);
      const away = LABEL * scene.space.width;
      names[0].place([elbow[0], elbow[1] - away]);
      const hand = scene.space.at(positionOf(scene.shape(posture.q).T));
      names[1].place([hand[0] + away, hand[1] + away]);
      places(posture).forEach((place, i) => {
        bars[i].row.className = `live-bar live-${Math.abs(place) < data.near ? "blue" : "vermilion"}`;
        bars[i].show(`q_{${i + 1}}`, place, `${fixed(posture.q[i] / DEGREE, 0)}°`);
      });
      const judged = curves.map((one) => drawCurve(one, degrees, posture));
      const agree = agreement(judged.map(({ turn }) => turn / DEGREE));
      const room = 1 - Math.max(...places(posture).map(Math.abs));
      return { ...read(degrees, posture, places(posture), judged), facts: { room, agree } };
    },
    parts: () => [...curves.map(({ chart }) => chart), scene],
  };

  function drawCurve(one: Curve, degrees: number, posture: Posture): Judgement {
    const { chart } = one;
    chart.dress(x, one.y);
    setAttributes(one.line, { d: chart.path(one.values.map((value, k) => [angleAt(k), value])) });
    const upright = (angle: number): [number, number][] => [0, Number.MAX_VALUE].map((value) => [angle, value]);
    setAttributes(one.ends, { d: ends.map((angle) => chart.path(upright(angle))).join("") });
    const judged = one.judge(posture);
    const [cx, cy] = chart.at(degrees, judged.value);
    setAttributes(one.dot, { cx, cy });
    const [end] = chart.at(degrees + (judged.turn / DEGREE) * AHEAD, judged.value);
    const sign = Math.sign(end - cx);
    const wings = `M${end - sign * WING},${cy - WING}L${end},${cy}L${end - sign * WING},${cy + WING}`;
    setAttributes(one.arrow, { d: Math.abs(judged.turn / DEGREE) < LEAST ? "" : `M${cx},${cy}H${end}${wings}` });
    return judged;
  }
}

/** Return the position of an angle in a range: −1 at its lower limit, 1 at its upper one. */
function placeIn([low, high]: number[], angle: number): number {
  return (2 * angle - low - high) / (high - low);
}

/** Return the smaller of two rates, negative if their signs differ. */
function agreement([one, other]: number[]): number {
  return Math.sign(one * other) * Math.min(Math.abs(one), Math.abs(other));
}

function read(degrees: number, { q, twist }: Posture, places: number[], [middle, measure]: Judgement[]): Reading {
  const rates = [middle, measure].map(({ turn }) => turn / DEGREE);
  const rows = [
    ["descent on H", fixed(middle.value, 3), fixed(rates[0], 1)],
    ["ascent on w", fixed(measure.value, 4), fixed(rates[1], 1)],
  ];
  const table = { heads: ["", "value", "ψ̇ [°/s]"], rows, colours: ["blue", "green"] };
  const off = Math.hypot(...twist);
  const stays = off < 1e-9 ? "The tip stays where it is" : `The tip is off by ${off.toExponential(1)}`;
  const beyond = places.flatMap((place, i) => (Math.abs(place) > 1 ? [i] : []));
  if (beyond.length > 0) {
    const joints = beyond.map((i) => `joint ${i + 1} (${fixed(q[i] / DEGREE, 0)}°)`).join(" and ");
    const sentence = `${stays}, but ${joints} would be past a limit, so the arm cannot go there.`;
    return { sentence, tone: "bad", ...table };
  }
  const goes = (rate: number) => (rate > 0 ? "increases ψ" : "decreases ψ");
  const still = rates.map((rate) => Math.abs(rate) < LEAST);
  const ends = ["H is near its minimum", "w is near a local maximum or minimum"];
  const each = rows.map(([name], i) => (still[i] ? ends[i] : `${name} ${goes(rates[i])}`)).join(", and ");
  const both = `descent on H and ascent on w both ${rates[0] > 0 ? "increase" : "decrease"} ψ`;
  const alike = !still.includes(true) && rates[0] * rates[1] > 0;
  const sentence = `${stays}. At ψ = ${asTyped(degrees, 1).replace("-", "−")}°, ${alike ? both : each}.`;
  return { sentence, tone: still.includes(true) ? "good" : "plain", ...table };
}
