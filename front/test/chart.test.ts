import assert from "node:assert/strict";
import { test } from "node:test";
import { even, powers, stepAxis } from "../src/flat/chart.ts";

test("an axis of powers of ten has each of them at its place", () => {
  const axis = powers("size", 1e-4, 100, 2);
  assert.deepEqual(axis.ticks, [
    [1e-4, "10⁻⁴"],
    [0.01, "0.01"],
    [1, "1"],
    [100, "100"],
  ]);
  assert.deepEqual([1e-4, 0.1, 100].map(axis.part), [0, 0.5, 1]);
  assert.ok(axis.part(0) < -1, "zero lies far below, and is no NaN");
});

test("an axis of steps has few ticks for any number of steps", () => {
  for (const last of [5, 15, 16, 50, 51, 100, 101, 200]) assert.ok(stepAxis(last).ticks.length <= 16, `${last}`);
  const places = stepAxis(200).ticks.map(([value]) => value);
  assert.deepEqual(places, [0, 50, 100, 150, 200]);
});

test("an even axis has its ticks at multiples of the step", () => {
  const axis = even("angle", -50, 100, 45, (value) => `${value}°`);
  assert.deepEqual(axis.ticks, [
    [-45, "-45°"],
    [0, "0°"],
    [45, "45°"],
    [90, "90°"],
  ]);
  assert.deepEqual([-50, 25, 100].map(axis.part), [0, 0.5, 1]);
  const places = even("s", 0, 1, 0.25).ticks.map(([value]) => value);
  assert.deepEqual(places, [0, 0.25, 0.5, 0.75, 1]);
});
