/** The closed form that an arm's axes allow, and all solutions of a pose by the printed `all_solutions`. */

import { type Chain, isCoupled } from "./any_chain.ts";
import { type Kernels, type Matrix, type PrintedFunction, packMatrix } from "./kernels.ts";
import { identity } from "./matrix.ts";
import { wrapped } from "./numbers.ts";

const [SHOULDER, ELBOW, WRIST] = [1, 2, 4]; // bits of a code; times 8 the free joint, times 64 the pair that is one
const [DECISIONS, FIRST, CODES] = [0, 1, 13]; // all decisions, those of the first solution, and the number of codes
const FREE = 8 * (SHOULDER | ELBOW | WRIST);
const DOUBTFUL = 8192; // of the observed values: decided by rounding
const [MOST, SIX, CONSTANTS] = [8, 6, 16];

/** Inputs of the closed form besides the target: `course/branches/live.py`. */
export interface ClosedForm {
  back: Matrix;
  kind: number;
  backwards: boolean | number;
  constants: Matrix;
  signs: number[];
  limits: Matrix;
  length: number;
  /** Rounding error of a value that decides a case. */
  noise?: number;
  /** Angle of a sixth joint that must not move below which it is zero, and below which it may be [rad]. */
  still?: number[];
}

/** A solution, and the decisions on the way to it. */
export interface Solution {
  q: number[];
  code: number;
  free: boolean;
}

export interface Solutions {
  solutions: Solution[];
  /** Whether rounding decides the number of solutions. */
  doubtful: boolean;
  /** Whether a joint is free, even if no solution has it at the given angle. */
  singular: boolean;
}

/** Descriptions of the forms from Python: `course/bring_your_robot/live.py`. */
export interface FormWords {
  /** Text of each form, with {1} … {6} for its joints. */
  forms: Record<string, string>;
  nearly: string;
  any: string;
  held: string;
  others: string;
  exact: number;
  noise: number;
  /** Order in which the joints of a 7R are tried, whether each can be fixed, and at which values [rad]. */
  order: number[];
  values: number[];
  /** For 5R arms: the text, the possible sixth axes, and the tolerances for its angle. */
  longer: string;
  ways: number;
  still: number[];
}

/** Description of an arm, and its closed form if it has one, with the joint fixed for it. */
export interface Form {
  sentence: string;
  closed?: ClosedForm | undefined;
  fixedJoint?: number;
}

/** Return all solutions of a pose; a free joint gets this angle [rad]. */
export function allSolutions(kernels: Kernels, closed: ClosedForm, T: Matrix, free = 0): Solutions {
  const { back, kind, backwards, constants, signs, limits, length, noise, still } = closed;
  const [Q, codes] = [new Float64Array(SIX * MOST), new Float64Array(CODES)];
  const [pose, home, K, ends] = [T, back, constants, limits].map(packMatrix);
  const solutionMatrix = { at: Q, rows: MOST, columns: SIX };
  const solve = kernels.solve_closed_form as unknown as PrintedFunction;
  const run = (hidden: number) =>
    solve(pose, home, kind, backwards, K, signs, ends, length, free, hidden, solutionMatrix, codes) as number;
  const doubtful = noise !== undefined && (run(noise) < 0 || (codes[DECISIONS] & DOUBTFUL) !== 0);
  const count = run(0);
  const solutions = Array.from({ length: Math.max(count, 0) }, (_, i) => {
    const code = codes[FIRST + i];
    return { q: [...Q.subarray(SIX * i, SIX * (i + 1))], code, free: (code & FREE) !== 0 };
  });
  const all = { solutions, doubtful, singular: (codes[DECISIONS] & FREE) !== 0 };
  return still ? withoutTheSixth(all, still) : all;
}

/** Return the solutions of a 5R arm: those of a 6R whose last joint is at zero. */
function withoutTheSixth({ solutions, doubtful, singular }: Solutions, [never, hardly]: number[]): Solutions {
  const revolutions = solutions.map(({ q }) => Math.abs(wrapped(q[SIX - 1])));
  const isolated = solutions.filter(({ free }, i) => !free && revolutions[i] < never);
  const unsure = solutions.some(({ free }, i) => free || (revolutions[i] >= never && revolutions[i] < hardly));
  return {
    solutions: isolated.map((solution) => ({ ...solution, q: solution.q.slice(0, SIX - 1) })),
    doubtful: doubtful || unsure,
    singular,
  };
}

/** Return the description of an arm at a configuration; of a 7R, one joint is fixed there. */
export function formOf(kernels: Kernels, words: FormWords, chain: Chain, q: number[]): Form {
  const turning = !isCoupled(chain) && chain.moves.every(({ slides }) => !slides);
  const count = chain.screws.length;
  if (turning && count === SIX) return sixJoints(kernels, words, chain.screws, chain.home, chain.limits);
  if (turning && count === SIX - 1) return fiveJoints(kernels, words, chain);
  const joint = turning && count === SIX + 1 ? heldJoint(kernels, words, chain) : undefined;
  if (joint === undefined) return { sentence: words.others };
  const { sentence, closed } = slice(kernels, words, chain, joint, q[joint]);
  return { sentence: fillTemplate(words.held, { joint: joint + 1, form: sentence }), closed, fixedJoint: joint };
}

/** Return the description of a 5R arm: it has a closed form if some sixth axis gives one. */
function fiveJoints(kernels: Kernels, words: FormWords, { screws, home, limits }: Chain): Form {
  const tip = Float64Array.from([0, 1, 2].map((i) => home[i][3]));
  for (let way = 0; way < words.ways; way++) {
    const six = { at: new Float64Array(SIX * SIX), rows: SIX, columns: SIX };
    (kernels.append_joint as unknown as PrintedFunction)(packMatrix(screws), tip, way, six);
    const longer = [...Array(SIX).keys()].map((i) => [...six.at.subarray(SIX * i, SIX * (i + 1))]);
    const form = sixJoints(kernels, words, longer, home, [...limits, [-Infinity, Infinity]]);
    if (!form.closed) continue;
    const sentence = fillTemplate(words.longer, { longer: form.sentence });
    return { sentence, closed: { ...form.closed, still: words.still } };
  }
  return { sentence: fillTemplate(words.longer, { longer: words.any }) };
}

/** Return the joint of a 7R that can be fixed at any value. */
function heldJoint(kernels: Kernels, words: FormWords, chain: Chain): number | undefined {
  return words.order.find((joint) =>
    words.values.every((value) => slice(kernels, words, chain, joint, value).closed !== undefined),
  );
}

/** Return the description of a 7R with one joint fixed. */
function slice(kernels: Kernels, words: FormWords, chain: Chain, joint: number, value: number): Form {
  const { T_after } = kernels.turn_kernel(identity(4), chain.screws[joint], [value]);
  const move = (screw: number[]) => kernels.turn_kernel(T_after, screw, [0]).column as number[];
  const free = <T>(all: T[]) => all.filter((_, i) => i !== joint);
  const screws = free(chain.screws.map((screw, i) => (i > joint ? move(screw) : screw)));
  const home: Matrix = kernels.product_kernel(T_after, chain.home).T;
  const numbers = free([1, 2, 3, 4, 5, 6, 7]);
  return sixJoints(kernels, words, screws, home, free(chain.limits), numbers);
}

function sixJoints(
  kernels: Kernels,
  words: FormWords,
  screws: Matrix,
  home: Matrix,
  limits: Matrix,
  numbers = [1, 2, 3, 4, 5, 6],
): Form {
  const K = { at: new Float64Array(3 * CONSTANTS), rows: CONSTANTS, columns: 3 };
  const signs = new Float64Array(SIX);
  const away = Math.hypot(...[0, 1, 2].map((i) => home[i][3]));
  const recognize = kernels.recognize as unknown as PrintedFunction;
  const [kind, backwards, length, off] = recognize(packMatrix(screws), away, K, signs) as number[];
  if (kind < 0) return { sentence: words.any };
  const order = [...Array(SIX).keys()].map((i) => [i + 1, numbers[backwards ? SIX - 1 - i : i]]);
  const form = fillTemplate(words.forms[kind], Object.fromEntries(order));
  if (off > words.exact) return { sentence: fillTemplate(words.nearly, { form, off: off.toPrecision(2) }) };
  const back: Matrix = kernels.between_kernel(home, identity(4)).T_between;
  const constants = [...Array(CONSTANTS).keys()].map((i) => [...K.at.subarray(3 * i, 3 * i + 3)]);
  const { noise } = words;
  return { sentence: form, closed: { back, kind, backwards, constants, signs: [...signs], limits, length, noise } };
}

/** Return a sentence with its placeholders filled. */
export function fillTemplate(says: string, values: Record<string, string | number>): string {
  return says.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}
