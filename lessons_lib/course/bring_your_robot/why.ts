/** Why a pose was not reached: the values and the wording of `result.explain()`, by its printed code. */

import { type Chain, outOfReach, TAG } from "../../../front/src/any_chain.ts";
import { allSolutions, type Form, fillTemplate } from "../../../front/src/closed_form.ts";
import { type Kernels, type Matrix, type PrintedFunction, packMatrix } from "../../../front/src/kernels.ts";
import { dot, transposed } from "../../../front/src/matrix.ts";
import { DEGREE } from "../../../front/src/numbers.ts";
import { svd } from "../../../front/src/svd.ts";

/** Wording of the causes from Python: `pose_ik/explanation/explanation.py`. */
export interface CauseWords {
  /** Text of each cause. */
  names: Record<"point" | "plane" | "nothing" | "limits" | "rest", string>;
  says: Record<"point" | "plane" | "nothing" | "limits" | "rest", string>;
  most: string;
  least: string;
  tilted: string;
  off: string;
  turn: string;
  move: string;
  both: string;
  beyond: string;
  more: string;
  times: string;
  flat: number;
  lost: number;
}

/** The problem, and the last iterate of the search. */
export interface FailedSolve {
  chain: Chain;
  form: Form;
  goal: Matrix;
  /** Whether the orientation counts. */
  oriented: boolean;
  /** Remaining error, rad and m, the Jacobian there, and the tolerances. */
  twist: number[];
  J_b: Matrix;
  tolerance: { orientation: number; position: number };
  /** Of the arm [m]. */
  length: number;
}

/** Return the causes in order, a sentence each; those of the first kind exclude all others. */
export function why(kernels: Kernels, words: CauseWords, failure: FailedSolve): string[] {
  const never = [...leavesPlane(kernels, words, failure), ...pointTooFar(kernels, words, failure)];
  if (never.length > 0) return never;
  const excluded = noneWithin(kernels, words, failure);
  return excluded.length > 0 ? excluded : atRest(kernels, words, failure);
}

function causeText(
  words: CauseWords,
  cause: keyof CauseWords["says"],
  proven: boolean,
  values: Record<string, string>,
) {
  return `${words.names[cause]} (${proven ? "proven" : "suspected"}): ${fillTemplate(words.says[cause], values)}`;
}

function pointTooFar(kernels: Kernels, words: CauseWords, { chain, goal, tolerance }: FailedSolve): string[] {
  const reachCause = outOfReach(
    kernels,
    chain,
    [0, 1, 2].map((i) => goal[i][3]),
  );
  if (!reachCause || reachCause.miss <= tolerance.position) return [];
  const { miss, least, most, away, center } = reachCause;
  const bound = fillTemplate(away > most ? words.most : words.least, { most: short(most), least: short(least) });
  return [causeText(words, "point", true, { miss: length(miss), away: short(away), center: vector(center), bound })];
}

function leavesPlane(kernels: Kernels, words: CauseWords, { chain, goal, oriented, tolerance }: FailedSolve): string[] {
  const turning = chain.moves.findIndex(({ slides }) => !slides);
  if (!oriented || turning < 0) return [];
  const of = kernels.out_of_plane as unknown as PrintedFunction;
  const turns = Float64Array.from(chain.moves, ({ slides }) => Number(!slides));
  const [tilt, height] = of(packMatrix(chain.screws), turns, packMatrix(chain.home), packMatrix(goal)) as number[];
  const parts = tilt > tolerance.orientation ? [fillTemplate(words.tilted, { tilt: short(tilt / DEGREE, 3) })] : [];
  if (height > tolerance.position) parts.push(fillTemplate(words.off, { height: length(height) }));
  const axis = vector(chain.screws[turning].slice(0, 3));
  return parts.length > 0 ? [causeText(words, "plane", true, { axis, parts: parts.join(" and ") })] : [];
}

/** Return that there is no solution, or none within the limits, for an arm with a closed form. */
function noneWithin(kernels: Kernels, words: CauseWords, { chain, form, goal, oriented }: FailedSolve): string[] {
  if (!oriented || !form.closed || form.closed.still || form.fixedJoint !== undefined) return [];
  const free = { ...form.closed, limits: chain.limits.map(() => [-Infinity, Infinity]) };
  const { solutions, doubtful } = allSolutions(kernels, free, goal);
  if (doubtful || solutions.some((solution) => solution.free)) return [];
  if (solutions.length === 0) return [causeText(words, "nothing", false, { form: form.sentence })];
  const outside = solutions.map(({ q }) => beyond(kernels, words, chain, q));
  if (outside.some(({ far }) => far === 0)) return [];
  const alike = new Map<string, number>();
  for (const { says } of outside.sort((a, b) => a.far - b.far)) alike.set(says, (alike.get(says) ?? 0) + 1);
  const each = [...alike].map(([says, k]) => says + (k > 1 ? fillTemplate(words.times, { k }) : "")).join("; ");
  return [causeText(words, "limits", false, { count: `${solutions.length} solutions`, each })];
}

function beyond(kernels: Kernels, words: CauseWords, chain: Chain, q: number[]) {
  const of = kernels.limit_violations as unknown as PrintedFunction;
  const [turned, over] = [new Float64Array(q.length).fill(1), new Float64Array(q.length)];
  const far = of(Float64Array.from(q), packMatrix(chain.limits), turned, over) as number;
  const worst = over.indexOf(Math.max(...over));
  const more = over.filter((x) => x > 0).length - 1;
  const says = fillTemplate(words.beyond, {
    joint: chain.names[worst].slice(0, 40),
    over: short(over[worst], 3),
    unit: "rad",
  });
  return { far, says: says + (more > 0 ? fillTemplate(words.more, { more }) : "") };
}

/** Return that the search rests where no step changes anything, though elsewhere the tip can move so. */
function atRest(
  kernels: Kernels,
  words: CauseWords,
  { chain, twist, J_b, oriented, length: unit }: FailedSolve,
): string[] {
  const scales = (oriented ? [1, 1, 1] : []).concat([1, 1, 1].map(() => 1 / unit));
  const activeRows = <Row>(rows: Row[]) => rows.slice(6 - scales.length);
  const scaled = (J: Matrix): Matrix => activeRows(J).map((row, i) => row.map((entry) => scales[i] * entry));
  const J = scaled(J_b);
  const e = activeRows(twist).map((entry, i) => scales[i] * entry);
  const flat = (kernels.relative_gradient as unknown as PrintedFunction)(packMatrix(J), Float64Array.from(e)) as number;
  if (flat > words.flat) return [];
  const { basis, rank } = directions(PLACES.map((k) => scaled(kernels[`chain_${TAG}`](somewhere(chain, k)).J_b)));
  const { sigma, u } = svd(
    kernels,
    basis.map((along) => transposed(J).map((column) => dot(along, column))),
  );
  if (sigma[rank - 1] >= words.lost * sigma[0]) return [];
  const lostDirection = scales.map(
    (scale, i) => basis.reduce((sum, along, k) => sum + u[rank - 1][k] * along[i], 0) / scale,
  );
  const value = sigma[rank - 1].toExponential(0);
  return [causeText(words, "rest", true, { value, lost: motion(words, [0, 0, 0, ...lostDirection].slice(-6)) })];

  /** Return directions in which the tip can move somewhere, and the number of them at once. */
  function directions(stack: Matrix[]): { basis: Matrix; rank: number } {
    const whole = svd(
      kernels,
      stack[0].map((_, i) => stack.flatMap((one) => one[i])),
    );
    const ranks = stack.map((one) =>
      svd(kernels, one).sigma.filter((value) => value > words.lost * Math.hypot(...one.flat())),
    );
    const basis = whole.u.filter((_, i) => whole.sigma[i] > words.lost * whole.sigma[0]);
    return { basis, rank: Math.max(...ranks.map((values) => values.length)) };
  }
}

const PLACES = [1, 2, 3];

/** Return a generic configuration. */
function somewhere(chain: Chain, k: number): number[] {
  return chain.names.map((_, i) => Math.sin(1.7 * k + 0.9 * i * i + i));
}

/** Describe a direction of the tip in words. */
function motion(words: CauseWords, direction: number[]): string {
  const [angular, linear] = [direction.slice(0, 3), direction.slice(3)];
  const [turns, moves] = [angular, linear].map((part) => Math.hypot(...part));
  const over = (part: number[], size: number) => vector(part.map((entry) => Math.round((1000 * entry) / size) / 1000));
  if (moves < 1e-6 * turns) return fillTemplate(words.turn, { axis: over(angular, turns) });
  if (turns < 1e-6 * moves) return fillTemplate(words.move, { axis: over(linear, moves) });
  return fillTemplate(words.both, { axis: over(angular, turns), along: over(linear, turns) });
}

function short(x: number, digits = 4): string {
  return String(Number(x.toPrecision(digits)));
}

function vector(entries: number[]): string {
  return `(${entries.map((x) => short(x + 0)).join(", ")})`;
}

function length(x: number): string {
  return x < 1 ? `${short(1000 * x)} mm` : `${short(x)} m`;
}
