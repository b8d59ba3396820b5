import assert from "node:assert/strict";
import { test } from "node:test";
import { ellipse, principal } from "../../lessons_lib/course/limits/velocities.ts";

const close = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-12, `${one} is not ${other}`);

test("of a diagonal matrix the singular values are its entries", () => {
  const [long, short] = principal([
    [0.5, 0],
    [0, -2],
  ]);
  close(long, 2);
  close(short, 0.5);
});

test("their product is the determinant, their squares add up to those of the entries", () => {
  const J = [
    [-0.71, -0.7],
    [1.7, 0.72],
  ];
  const [long, short] = principal(J);
  close(long * short, Math.abs(J[0][0] * J[1][1] - J[0][1] * J[1][0]));
  close(
    long ** 2 + short ** 2,
    J.flat().reduce((sum, entry) => sum + entry ** 2, 0),
  );
});

test("every point of the ellipse is reached at rates of length one", () => {
  const [a, b, c, d] = [-0.71, -0.7, 1.7, 0.72];
  const det = a * d - b * c;
  for (const [x, y] of ellipse([
    [a, b],
    [c, d],
  ])) {
    close(Math.hypot((d * x - b * y) / det, (a * y - c * x) / det), 1);
  }
});

test("a matrix of rank one has a line for an ellipse, and none of its numbers is NaN", () => {
  const J = [
    [1, 2],
    [2, 4],
  ];
  assert.equal(principal(J)[1], 0);
  assert.ok(ellipse(J).flat().every(Number.isFinite));
  assert.deepEqual(
    principal([
      [0, 0],
      [0, 0],
    ]),
    [0, 0],
  );
});
