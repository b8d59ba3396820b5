/** Describe a solve in words: it converged, quickly or slowly, became stationary, went back and forth or failed. */

import { dot } from "./matrix.ts";
import { amount, DEGREE, fixed, TURN } from "./numbers.ts";
import { angleOf, distanceOf, type Iterate, largestStep, type Run } from "./solver.ts";

const RASH = 1; // rad: beyond this step length the linear model is not trusted
const SLOW = 40; // steps
const STILL = 0.05; // rad: a final step below this counts as rest

export interface Verdict {
  words: string;
  tone: "good" | "bad" | "plain";
}

/** Describe how a solve ended, and whether its steps were too long or too many; a point has no angle. */
export function judge(run: Run, point = false): Verdict {
  const count = run.steps;
  const steps = `${count} step${count === 1 ? "" : "s"}`;
  const longest = largestStep(run.iterates);
  const size = `${amount(longest, 2)} rad`;
  const twist = run.iterates[run.iterates.length - 1]?.twist ?? [];
  if (run.status === "converged") {
    const tone = longest > TURN ? "bad" : longest <= RASH && count <= SLOW ? "good" : "plain";
    return { words: `converged in ${steps}, the largest ${size}`, tone };
  }
  const angle = point ? "" : ` and ${short(angleOf(twist) / DEGREE)}°`;
  const off = `${short(1000 * distanceOf(twist))} mm${angle} off`;
  if (run.status === "stalled") return { words: `became stationary after ${steps}, ${off}`, tone: "plain" };
  if (run.status === "not finite")
    return { words: `failed after ${steps}: its numbers are no longer finite`, tone: "bad" };
  const last = run.iterates.slice(-20);
  const late = largestStep(last);
  if (late > TURN) return { words: `did not converge in ${steps}, the largest ${size}`, tone: "bad" };
  if (late > STILL && turnsBack(last))
    return { words: `did not converge: the last steps go back and forth, by up to ${fixed(late, 2)} rad`, tone: "bad" };
  return { words: `did not converge in ${steps}: still ${off}`, tone: "plain" };
}

/** Return a nonnegative number without decimals; below one half, with one significant digit, or 0 for rounding. */
export function short(value: number): string {
  if (value < 1e-6) return "0"; // far below every tolerance
  return value < 0.5 ? String(Number(value.toPrecision(1))) : fixed(value, 0);
}

/** Return whether at least half of the steps go against the one before. */
function turnsBack(iterates: Iterate[]): boolean {
  const steps = iterates.slice(1).map(({ q }, k) => q.map((angle, i) => angle - iterates[k].q[i]));
  const against = steps.slice(1).filter((step, k) => dot(step, steps[k]) < 0).length;
  return against > 0 && 2 * against >= steps.length - 1;
}

/** Return the colour of a largest step [rad]. */
export function colourOf(longest: number): string {
  return longest <= RASH ? "green" : longest <= TURN ? "vermilion" : "purple";
}
