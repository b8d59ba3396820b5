import assert from "node:assert/strict";
import { test } from "node:test";
import { leastStep } from "../src/least_step.ts";

const FREE = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
const BACK = FREE.map((end) => -end);
const H = [
  [2, 1],
  [1, 2],
];

test("without bounds the slope is zero", () => {
  const { x, active } = leastStep(H, [-3, -3], BACK, FREE) ?? { x: [], active: [] };
  assert.ok(Math.abs(x[0] - 1) < 1e-15 && Math.abs(x[1] - 1) < 1e-15);
  assert.deepEqual(active, [0, 0]);
});

test("a bound that is broken holds, and the other coordinate goes on", () => {
  const { x, active } = leastStep(H, [-3, -3], [0, 0], [0.5, 9]) ?? { x: [], active: [] };
  assert.deepEqual(x, [0.5, 1.25]);
  assert.deepEqual(active, [1, 0]);
});

test("two bounds hold together", () => {
  const steep = [
    [1, 0.9],
    [0.9, 1],
  ];
  const { x, active } = leastStep(steep, [-3, -2.6], [-1, -1], [1, 1]) ?? { x: [], active: [] };
  assert.deepEqual(x, [1, 1]);
  assert.deepEqual(active, [1, 1]);
});

test("an equation holds exactly, and one that the bounds forbid has no step", () => {
  const { x } = leastStep(H, [0, 0], BACK, FREE, [[1, 1]], [2]) ?? { x: [] };
  assert.deepEqual(x, [1, 1]);
  assert.equal(leastStep(H, [0, 0], [0, 0], [0.5, 0.5], [[1, 1]], [2]), undefined);
});

test("where nothing costs there is no single least step", () => {
  const flat = [
    [1, 0],
    [0, 0],
  ];
  assert.equal(leastStep(flat, [1, 0], BACK, FREE), undefined);
});
