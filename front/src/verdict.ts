/** How a solve went, in words: it converged, crawled, thrashed, came to rest or broke down. */

import { angleOf, distanceOf, largestStep, type Run } from "./iteration.ts";
import { DEGREE, fixed } from "./numbers.ts";

export const TURN = 2 * Math.PI;
const RASH = 1; // rad: a longer step is none that the linear model can be trusted with
const SLOW = 40; // steps
const STILL = 0.05; // rad: what moves less at the end creeps

export interface Verdict {
  words: string;
  tone: "good" | "bad" | "plain";
}

/** Say how a solve ended, and whether its steps were wild or weary. */
export function judge(run: Run): Verdict {
  const count = run.accepted.length;
  const steps = `${count} step${count === 1 ? "" : "s"}`;
  const longest = largestStep(run);
  const size = `${fixed(longest, 2)} rad`;
  const twist = run.iterates[run.iterates.length - 1]?.twist ?? [];
  if (run.status === "converged") {
    if (longest > TURN) return { words: `thrashes, and lands after ${steps}, one of ${size}`, tone: "bad" };
    if (count > SLOW) return { words: `crawls: ${steps}, none above ${size}`, tone: "plain" };
    const tone = longest <= RASH ? "good" : "plain";
    return { words: `converged in ${steps}, the largest ${size}`, tone };
  }
  const off = `${fixed(1000 * distanceOf(twist), 0)} mm and ${fixed(angleOf(twist) / DEGREE, 0)}° off`;
  if (run.status === "stalled") return { words: `at rest after ${steps}, ${off}`, tone: "plain" };
  if (run.status === "not finite") return { words: `breaks down after ${steps}: no number is left`, tone: "bad" };
  const late = largestStep({ ...run, iterates: run.iterates.slice(-20) });
  if (late > TURN) return { words: `thrashes on and on, by up to ${size}`, tone: "bad" };
  if (late > STILL) return { words: `hops to and fro by ${fixed(late, 2)} rad, and never rests`, tone: "bad" };
  return { words: `crawls: after ${steps} still ${off}`, tone: "plain" };
}

/** Return the colour of a largest step [rad]. */
export function colourOf(longest: number): string {
  return longest <= RASH ? "green" : longest <= TURN ? "vermilion" : "purple";
}
