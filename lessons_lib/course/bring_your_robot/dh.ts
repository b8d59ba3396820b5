/** Denavit-Hartenberg rows, typed or pasted: from lines of text to a chain. As `robots.load_dh`. */

import { type Chain, Corners } from "../../../front/src/any_chain.ts";
import type { Kernels, Matrix } from "../../../front/src/kernels.ts";
import { identity } from "../../../front/src/matrix.ts";
import { fail, quote, whole } from "./urdf.ts";

export const CONVENTIONS = ["standard", "modified"];
const KINDS = ["revolute", "prismatic", "fixed"];
const MOST_ROWS = 100;
const LARGEST = 1e9; // m or rad
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const TURN = /^([+-]?)([\d.]*)\*?(?:pi|π)(?:\/([\d.]+))?$/i; // π/2, -pi, 3π/4

interface Row {
  /** a, α, d, θ [m and rad]. */
  numbers: number[];
  limits: number[];
  kind: string;
}

/** Return the rows: one per line, a α d, or a α d θ, optionally two limits, and "prismatic" or "fixed". */
export function readRows(text: string): Row[] {
  const rows = text.split("\n").flatMap((line, i) => {
    const read = line.replace(/#.*/, "");
    const joined = decimalComma(read);
    if (joined) {
      const mend = `write ${quote(joined.replace(",", "."))}, and a blank after a comma between numbers`;
      fail(`line ${i + 1} has a decimal comma in ${quote(joined)}; ${mend}`);
    }
    const words = read.replace(/[,;|]/g, " ").split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const kind = KINDS.includes(words[words.length - 1]) ? (words.pop() as string) : "revolute";
    const numbers = words.map((word) => number(word, i + 1));
    const needs = "3 to 6 numbers: a α d, or a α d θ, then optionally two limits";
    if (numbers.length < 3 || numbers.length > 6) fail(`line ${i + 1} must have ${needs}; got ${numbers.length}`);
    const limits = numbers.length > 4 ? numbers.splice(-2) : [-Infinity, Infinity];
    if (limits[0] > limits[1]) fail(`the limits in line ${i + 1} must have lower ≤ upper, got [${limits.join(", ")}]`);
    return [{ numbers: [...numbers, 0].slice(0, 4), limits, kind }];
  });
  if (rows.length === 0) fail("the table has no row; write one line for each joint: a α d, in m and rad");
  if (rows.length > MOST_ROWS) fail(`there are ${rows.length} rows; this page takes at most ${MOST_ROWS}`);
  if (rows.every(({ kind }) => kind === "fixed")) {
    fail(`at least one row must be revolute or prismatic, got ${rows.length} fixed rows`);
  }
  return rows;
}

/** Return a number with a decimal comma in a line, if any: `arrays.decimal_comma`. */
function decimalComma(line: string): string | undefined {
  const words = line.split(/[\s;|]+/).map((word) => word.replace(/,+$/, ""));
  for (const word of words) {
    const commas = word.split(",").length - 1;
    const match = /(?<![\d.,])\d*,\d+(?![\d.,])/.exec(word);
    if (commas === 1 && words.length > 1 && match) return match[0];
    const half = Math.floor((commas + 1) / 2);
    if (half >= 3 && half <= 6 && /^[+-]?\d+,\d+(,[+-]?\d+,\d+)*$/.test(word)) return word.split(",", 2).join(",");
  }
  return undefined;
}

/** Return the chain of a table: in a standard row the joint comes first, in a modified one the link. */
export function chainOfRows(kernels: Kernels, rows: Row[], convention: string): Chain {
  const drawing = new Corners();
  const screws: Matrix = [];
  let T = identity(4);
  for (const { numbers, kind } of rows) {
    const [a, alpha, d, theta] = numbers;
    const joint = whole(kernels.about_z_kernel([theta, d]).T);
    const link = whole(kernels.about_x_kernel([alpha, a]).T);
    const go = (half: Matrix) => {
      T = kernels.product_kernel(T, half).T;
      drawing.reach(T);
    };
    if (convention === "modified") go(link);
    if (kind !== "fixed") {
      const slides = kind === "prismatic";
      const own = slides ? [0, 0, 0, 0, 0, 1] : [0, 0, 1, 0, 0, 0];
      screws.push(kernels[slides ? "slide_kernel" : "turn_kernel"](T, own, [0]).column.map((entry) => entry + 0));
      drawing.addJoint(slides, T);
    }
    go(joint);
    if (convention !== "modified") go(link);
  }
  const moving = rows.filter(({ kind }) => kind !== "fixed");
  const names = moving.map((_, i) => `joint ${i + 1}`);
  const kinds = moving.map(({ kind }) => kind);
  const moves = names.map((name, i) => ({ name, slides: kinds[i] === "prismatic", by: i, ratio: 1 }));
  const limits = moving.map((row) => row.limits);
  return { name: `${convention} table`, names, kinds, limits, screws, moves, home: T, ...drawing };
}

/** Parse a number: 0.5, π/2, -3pi/4, or 90°. */
function number(text: string, line: number): number {
  const word = text.replace(/−/g, "-");
  const turn = TURN.exec(word);
  const plain = word.replace(/°$/, "");
  const value = turn
    ? (Number(`${turn[1]}${turn[2] || 1}`) * Math.PI) / Number(turn[3] ?? 1)
    : Number(NUMBER.test(plain) ? plain : Number.NaN) * (plain === word ? 1 : Math.PI / 180);
  if (!(Math.abs(value) <= LARGEST))
    fail(`numbers must be such as 0.5, -pi/2 or 90°, got ${quote(text)} in line ${line}`);
  return value;
}
