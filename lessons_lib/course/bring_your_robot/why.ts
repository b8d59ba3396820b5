/** Why a pose was not reached: the values and the wording of `result.explain()`, by its printed code. */

import { type Chain, outOfReach, TAG } from "../../../front/src/any_chain.ts";
import { allSolutions, type Form, fillTemplate } from "../../../front/src/closed_form.ts";
import { type Kernels, type Matrix, type PrintedFunction, packMatrix } from "../../../front/src/kernels.ts";
import { dot, length, transposed } from "../../../front/src/matrix.ts";
import { DEGREE } from "../../../front/src/numbers.ts";
import { svd } from "../../../front/src/svd.ts";

const PLACES = [1, 2, 3]; // generic configurations
const NAME_LENGTH = 40;

type Cause = "point" | "plane" | "nothing" | "limits" | "rest";
type Part = "most" | "least" | "tilted" | "off" | "turn" | "move" | "both" | "beyond" | "more" | "times";

/** Wording of the causes and of their parts from Python: `pose_ik/explanation/explanation.py`. */
export type CauseWords = Record<"names" | "says", Record<Cause, string>> &
  Record<Part, string> &
  Record<"flat" | "lost", number>;

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
  /** Length of the arm [m]. */
  length: number;
}

/** Return the causes in order, a sentence each; those of the first kind exclude all others. */
export function why(kernels: Kernels, words: CauseWords, failure: FailedSolve): string[] {
  const { chain, form, goal, oriented, twist, J_b, tolerance, length: unit } = failure;
  const run = (name: string) => kernels[name] as unknown as PrintedFunction;
  const never = [...leavesPlane(), ...pointTooFar()];
  if (never.length > 0) return never;
  const excluded = noneWithin();
  return excluded.length > 0 ? excluded : atRest();

  function cause(kind: Cause, proven: boolean, values: Record<string, string>): string[] {
    return [`${words.names[kind]} (${proven ? "proven" : "suspected"}): ${fillTemplate(words.says[kind], values)}`];
  }

  function pointTooFar(): string[] {
    const point = [0, 1, 2].map((i) => goal[i][3]);
    const reach = outOfReach(kernels, chain, point);
    if (!reach || reach.miss <= tolerance.position) return [];
    const { least, most, away, center } = reach;
    const end = away > most ? most : least;
    const digits = [4, 5, 6, 7, 8, 9].find((count) => short(away, count) !== short(end, count)) ?? 10;
    const allowed = short(end, digits);
    const bound = fillTemplate(away > most ? words.most : words.least, { most: allowed, least: allowed });
    const miss = metres(Math.abs(away - end));
    return cause("point", true, { miss, away: short(away, digits), center: vector(center), bound });
  }

  function leavesPlane(): string[] {
    const turning = chain.moves.findIndex(({ slides }) => !slides);
    if (!oriented || turning < 0) return [];
    const turns = Float64Array.from(chain.moves, ({ slides }) => Number(!slides));
    const inputs = [packMatrix(chain.screws), turns, packMatrix(chain.home), packMatrix(goal)];
    const [tilt, height] = run("out_of_plane")(...inputs) as number[];
    const parts = tilt > tolerance.orientation ? [fillTemplate(words.tilted, { tilt: short(tilt / DEGREE, 3) })] : [];
    if (height > tolerance.position) parts.push(fillTemplate(words.off, { height: metres(height) }));
    const axis = vector(chain.screws[turning].slice(0, 3));
    return parts.length > 0 ? cause("plane", true, { axis, parts: parts.join(" and ") }) : [];
  }

  /** Return that there is no solution, or none within the limits, for an arm with a closed form. */
  function noneWithin(): string[] {
    if (!oriented || !form.closed || form.closed.still || form.fixedJoint !== undefined) return [];
    const free = { ...form.closed, limits: chain.limits.map(() => [-Infinity, Infinity]) };
    const { solutions, doubtful } = allSolutions(kernels, free, goal);
    if (doubtful || solutions.some((solution) => solution.free)) return [];
    if (solutions.length === 0) return cause("nothing", false, { form: form.sentence });
    const outside = solutions.map(({ q }) => beyond(q));
    if (outside.some(({ far }) => far === 0)) return [];
    const alike = new Map<string, number>();
    for (const { says } of outside.sort((a, b) => a.far - b.far)) alike.set(says, (alike.get(says) ?? 0) + 1);
    const each = [...alike].map(([says, k]) => says + (k > 1 ? fillTemplate(words.times, { k }) : "")).join("; ");
    return cause("limits", false, { count: `${solutions.length} solutions`, each });
  }

  function beyond(q: number[]) {
    const [turned, over] = [new Float64Array(q.length).fill(1), new Float64Array(q.length)];
    const far = run("limit_violations")(Float64Array.from(q), packMatrix(chain.limits), turned, over) as number;
    const worst = over.indexOf(Math.max(...over));
    const more = over.filter((x) => x > 0).length - 1;
    const values = { joint: chain.names[worst].slice(0, NAME_LENGTH), over: short(over[worst], 3), unit: "rad" };
    return { far, says: fillTemplate(words.beyond, values) + (more > 0 ? fillTemplate(words.more, { more }) : "") };
  }

  /** Return that the search rests where no step changes anything, though elsewhere the tip can move so. */
  function atRest(): string[] {
    const scales = (oriented ? [1, 1, 1] : []).concat([1, 1, 1].map(() => 1 / unit));
    const activeRows = <Row>(rows: Row[]) => rows.slice(6 - scales.length);
    const scaled = (J: Matrix): Matrix => activeRows(J).map((row, i) => row.map((entry) => scales[i] * entry));
    const J = scaled(J_b);
    const e = activeRows(twist).map((entry, i) => scales[i] * entry);
    if ((run("relative_gradient")(packMatrix(J), Float64Array.from(e)) as number) > words.flat) return [];
    const elsewhere = PLACES.map((k) => chain.names.map((_, i) => Math.sin(1.7 * k + 0.9 * i * i + i)));
    const { basis, rank } = directions(elsewhere.map((q) => scaled(kernels[`chain_${TAG}`](q).J_b)));
    const along = basis.map((one) => transposed(J).map((column) => dot(one, column)));
    const { sigma, u } = svd(kernels, along);
    if (sigma[rank - 1] >= words.lost * sigma[0]) return [];
    const lost = scales.map((scale, i) => basis.reduce((sum, one, k) => sum + u[rank - 1][k] * one[i], 0) / scale);
    const value = sigma[rank - 1].toExponential(0);
    return cause("rest", true, { value, lost: motion([0, 0, 0, ...lost].slice(-6)) });
  }

  /** Return directions in which the tip can move somewhere, and the number of them at once. */
  function directions(stack: Matrix[]): { basis: Matrix; rank: number } {
    const rows = stack[0].map((_, i) => stack.flatMap((one) => one[i]));
    const { sigma, u } = svd(kernels, rows);
    const rankOf = (one: Matrix) => {
      return svd(kernels, one).sigma.filter((value) => value > words.lost * length(one.flat())).length;
    };
    return { basis: u.filter((_, i) => sigma[i] > words.lost * sigma[0]), rank: Math.max(...stack.map(rankOf)) };
  }

  /** Describe a direction of the tip in words. */
  function motion(direction: number[]): string {
    const [angular, linear] = [direction.slice(0, 3), direction.slice(3)];
    const [turns, moves] = [angular, linear].map(length);
    const over = (part: number[], size: number) =>
      vector(part.map((entry) => Math.round((1000 * entry) / size) / 1000));
    if (moves < 1e-6 * turns) return fillTemplate(words.turn, { axis: over(angular, turns) });
    if (turns < 1e-6 * moves) return fillTemplate(words.move, { axis: over(linear, moves) });
    return fillTemplate(words.both, { axis: over(angular, turns), along: over(linear, turns) });
  }
}

function short(x: number, digits = 4): string {
  return String(Number(x.toPrecision(digits)));
}

function vector(entries: number[]): string {
  return `(${entries.map((x) => short(x + 0)).join(", ")})`;
}

function metres(x: number): string {
  return x < 1 ? `${short(1000 * x)} mm` : `${short(x)} m`;
}
