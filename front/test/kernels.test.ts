import assert from "node:assert/strict";
import { test } from "node:test";
import { loadKernels } from "../src/kernels.ts";

const SOURCE = `"use strict";

/** Half of it. */
function half_kernel(q) {
  const result = [q[0] / 2];
  return {result};
}

function other_kernel(q) {
  return {result: half_kernel(q).result};
}
`;

test("every function of a script is found by its name", () => {
  const kernels = loadKernels(SOURCE);
  assert.deepEqual(Object.keys(kernels), ["half_kernel", "other_kernel"]);
  assert.deepEqual(kernels.other_kernel([3]).result, [1.5]);
});
