import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run, Status } from "../src/solver.ts";
import { colourOf, judge } from "../src/verdict.ts";

/** A run of one joint through some angles [rad], which stops 100 mm and 57° off unless it has converged. */
function run(status: Status, ...angles: number[]): Run {
  return runWith(status === "converged" ? 0 : 1, status, angles);
}

function runWith(left: number, status: Status, angles: number[]): Run {
  const twist = [0, 0, left, 0.1 * left, 0, 0];
  const iterates = angles.map((angle) => ({ q: [angle], twist }));
  return { iterates, steps: Math.max(0, angles.length - 1), status };
}

test("quick, slow and wild solves that converge have tones of their own", () => {
  assert.deepEqual(judge(run("converged", 0, 0.5, 0.75)), {
    words: "converged in 2 steps, the largest 0.50 rad",
    tone: "good",
  });
  assert.equal(judge(run("converged", 0, 2, 2.1)).tone, "plain");
  assert.deepEqual(judge(run("converged", 0, 44.37, 1)), {
    words: "converged in 2 steps, the largest 44.37 rad",
    tone: "bad",
  });
  const slowly = [...Array(42).keys()].map((k) => 0.01 * k);
  assert.deepEqual(judge(run("converged", ...slowly)), {
    words: "converged in 41 steps, the largest 0.01 rad",
    tone: "plain",
  });
  assert.equal(judge(run("converged", 0, 0.004)).words, "converged in 1 step, the largest less than 0.01 rad");
  assert.equal(judge(run("out of steps", 0, 0.01)).words, "did not converge in 1 step: still 100 mm and 57° off");
});

test("what does not converge is told without NaN", () => {
  assert.equal(judge(run("stalled", 0, 0.5, 0.5)).words, "became stationary after 2 steps, 100 mm and 57° off");
  assert.equal(judge(run("out of steps", 0, 50, 0)).words, "did not converge in 2 steps, the largest 50.00 rad");
  const back = "did not converge: the last steps go back and forth, by up to 2.00 rad";
  assert.equal(judge(run("out of steps", 0, 2, 0)).words, back);
  const steadily = [...Array(22).keys()].map((k) => 0.1 * k);
  assert.equal(judge(run("out of steps", ...steadily)).words, "did not converge in 21 steps: still 100 mm and 57° off");
  const once = judge(run("out of steps", 0, 0.5, 0.4, 0.3, 0.2, 0.1)).words;
  assert.equal(once, "did not converge in 5 steps: still 100 mm and 57° off");
  const near = runWith(1.9e-4, "out of steps", [0, 0.01]);
  assert.equal(judge(near).words, "did not converge in 1 step: still 0.02 mm and 0.01° off");
  assert.equal(judge(runWith(1e-15, "stalled", [0]), true).words, "became stationary after 0 steps, 0 mm off");
  assert.equal(judge(run("not finite")).words, "failed after 0 steps: its numbers are no longer finite");
});

test("the colour is that of the largest step", () => {
  assert.deepEqual([0.9, 1.1, 7].map(colourOf), ["green", "vermilion", "purple"]);
});
