import assert from "node:assert/strict";
import { test } from "node:test";
import { dot, length, transposed } from "../src/matrix.ts";
import { applied, nullSpace, svd } from "../src/svd.ts";

const close = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-14, `${one} is not ${other}`);
const J = [
  [0.3, -1.2, 0.5, 2.0],
  [1.1, 0.4, -0.7, 0.1],
  [-0.2, 0.9, 1.6, -0.8],
];

test("the parts make the matrix again, and their directions are perpendicular and of length one", () => {
  const { sigma, u, y } = svd(J);
  J.forEach((row, i) => {
    row.forEach((entry, j) => {
      close(
        sigma.reduce((sum, value, k) => sum + value * u[k][i] * y[k][j], 0),
        entry,
      );
    });
  });
  for (const rows of [u, y]) {
    rows.forEach((one, i) => {
      rows.forEach((other, j) => {
        close(dot(one, other), Number(i === j));
      });
    });
  }
  assert.ok(sigma[0] >= sigma[1] && sigma[1] >= sigma[2]);
});

test("a direction that no column has is found, with a singular value of zero", () => {
  const flat = [J[0], J[1], J[0].map((entry, j) => 2 * entry - J[1][j])];
  const { sigma, u } = svd(flat);
  close(sigma[2], 0);
  close(length(u[2]), 1);
  for (const [entry] of applied(transposed(flat), [u[2]])) close(entry, 0);
});

test("fewer columns than rows leave as many zeros", () => {
  const { sigma, u } = svd([[3], [4], [0]]);
  assert.deepEqual(
    sigma.map((value) => Number(value.toFixed(12))),
    [5, 0, 0],
  );
  close(Math.abs(dot(u[0], [0.6, 0.8, 0])), 1);
});

test("what the matrix makes nothing of is its null space", () => {
  const [only, ...more] = nullSpace(J);
  assert.equal(more.length, 0);
  close(length(only), 1);
  for (const [entry] of applied(J, [only])) close(entry, 0);
  assert.equal(nullSpace([J[0], J[0]]).length, 3);
});
