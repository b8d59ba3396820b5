import assert from "node:assert/strict";
import { test } from "node:test";
import {
  amount,
  asTyped,
  decimalsAbove,
  decimalsOf,
  degrees,
  degreesTurned,
  fixed,
  nearestPlace,
} from "../src/numbers.ts";

test("a number has a true minus, and zero has none", () => {
  assert.equal(fixed(-1.005, 1), "−1.0");
  assert.equal(fixed(-0.001, 2), "0.00");
  assert.equal(fixed(-0, 0), "0");
});

test("what is no number is never shown as one", () => {
  assert.equal(fixed(Number.NaN, 2), "–");
  assert.equal(fixed(Number.POSITIVE_INFINITY, 2), "∞");
  assert.equal(fixed(Number.NEGATIVE_INFINITY, 2), "−∞");
});

test("a size that is not zero is never printed as zero", () => {
  assert.deepEqual(
    [0, 1e-13, 0.004, 0.006].map((size) => amount(size, 2)),
    ["0.00", "0.00", "less than 0.01", "0.01"],
  );
  assert.equal(amount(0.3, 0), "less than 1");
});

test("a number above a limit is printed above it", () => {
  assert.deepEqual(
    [20.3, 20.04, 20.0007].map((size) => decimalsAbove(size, 20, 1)),
    [1, 2, 3],
  );
});

test("the rotation of a joint prints as zero only if it is zero except for rounding", () => {
  const shown = [0, 1e-9, -0.004, 0.04, -0.06, 49.17].map((angle) => degreesTurned((angle * Math.PI) / 180));
  assert.deepEqual(shown, ["0.0°", "0.0°", "−0.004°", "0.04°", "−0.1°", "49.2°"]);
});

test("angles are printed in degrees", () => assert.equal(degrees(-Math.PI / 2, 0), "−90°"));

test("a step knows its decimals", () => {
  assert.deepEqual([1, 0.05, 5, 1e-6].map(decimalsOf), [0, 2, 0, 6]);
});

test("a place on the grid has no rounding of the product in it", () => {
  assert.equal(nearestPlace(0.3000001, 0.1), 0.3);
  assert.equal(nearestPlace(-0.02, 0.05), 0);
  assert.ok(Object.is(nearestPlace(-0.001, 0.01), 0));
});

test("a value typed off the grid is printed as typed", () => {
  assert.equal(asTyped(0.7, 0.01), "0.70");
  assert.equal(asTyped(0.7123, 0.01), "0.7123");
  assert.equal(asTyped(-0, 0.01), "0.00");
  assert.equal(asTyped(0.125, 0), "0.125");
  assert.equal(asTyped(0.00012, 0), "0.00012");
});
