/** Controls of a robot read by the page: its joints within their limits, and a reachable target. */

import type { Chain } from "../../../front/src/any_chain.ts";
import { DEGREE, nearestPlace } from "../../../front/src/numbers.ts";
import type { Control, NumberControl } from "../../../front/src/specification.ts";

const WIDEST = 100; // rad or m: a limit beyond this means no limit
const AWAY = 0.3; // rad, from the start to the target, or this fraction of a shorter range
const NAME_LENGTH = 40; // displayed letters of a name
const OF_ONE_ROBOT = /^(q\d+|w?[xyz])$/;
const LOW = "₀₁₂₃₄₅₆₇₈₉";

/**
 * Return the controls, and the length of the arm [m].
 *
 * @param others - Controls of every robot; those of another robot's joints and target are dropped.
 * @param tipAt - Position x, y, z [m] and rotation vector [rad] of the tip at a configuration.
 */
export function robotControls(
  chain: Chain,
  others: Control[],
  tipAt: (q: number[]) => number[],
): { controls: Control[]; reach: number } {
  const reach = lengthOf(chain);
  const step = 10 ** Math.floor(Math.log10(reach) - 1.5);
  const joints = chain.names.map((name, i) => jointControl(chain, i, name, reach, step));
  const q = joints.map(({ start, unit, low, high }) => {
    const away = Math.min(unit === "°" ? AWAY / DEGREE : AWAY * reach, AWAY * (high - low));
    const there = start + (high - start >= start - low ? away : -away);
    return unit === "°" ? there * DEGREE : there;
  });
  const tip = tipAt(q).map((entry) => Number(entry.toPrecision(12)));
  const base = { kind: "number" as const, only: null, symbol: "" };
  const edge = step * Math.ceil((1.2 * reach) / step);
  const range = { low: -edge, high: edge, step };
  const target = ["x", "y", "z"].map((axis, i): NumberControl => {
    return { ...base, name: axis, words: "target", symbol: axis, unit: "m", ...range, start: tip[i] };
  });
  const turn = ["x", "y", "z"].map((axis, i): NumberControl => {
    const words = `target, ω_{${axis}}`;
    return { ...base, name: `w${axis}`, words, unit: "°", low: -180, high: 180, step: 1, start: tip[3 + i] / DEGREE };
  });
  const remaining = others.filter(({ name }) => !OF_ONE_ROBOT.test(name));
  const hidden = [...turn, ...joints].map((control) => ({ ...control, folded: true }));
  return { controls: [...target, ...remaining, ...hidden], reach };
}

function jointControl(chain: Chain, i: number, name: string, reach: number, fine: number): NumberControl {
  const slides = chain.kinds[i] === "prismatic";
  const [scale, step] = slides ? [1, fine] : [1 / DEGREE, 1];
  const wide = slides ? reach : Math.PI;
  const [lower, upper] = chain.limits[i].map((end) => (Math.abs(end) <= WIDEST ? end : Math.sign(end) * Infinity));
  const first = lower > -Infinity ? lower : upper < Infinity ? upper - 2 * wide : -wide;
  const [low, high] = [first, upper < Infinity ? upper : lower > -Infinity ? lower + 2 * wide : wide].map((end) =>
    Number((end * scale).toPrecision(12)),
  );
  const start = Math.min(Math.max(nearestPlace(0, step), low), high);
  const symbol = `q${[...String(i + 1)].map((digit) => LOW[Number(digit)]).join("")}`;
  const room = high > low ? { high, step: Math.min(step, (high - low) / 4) } : { high: low + 1e-6, step: 1e-6 };
  const labels = { name: `q${i + 1}`, words: name.slice(0, NAME_LENGTH), symbol, unit: slides ? "m" : "°" };
  return { kind: "number", only: null, ...labels, low, ...room, start };
}

/** Return the length of the line through the corners, plus the prismatic strokes. */
function lengthOf({ corners, limits, kinds }: Chain): number {
  const links = corners.slice(1).map((at, k) => Math.hypot(...at.map((entry, i) => entry - corners[k][i])));
  const slides = limits.map((ends, i) => (kinds[i] === "prismatic" ? Math.max(...ends.map(Math.abs)) : 0));
  return [...links, ...slides.filter((far) => far <= WIDEST)].reduce((sum, far) => sum + far, 0) || 1;
}
