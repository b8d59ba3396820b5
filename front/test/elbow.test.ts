import assert from "node:assert/strict";
import { test } from "node:test";
import { answersTo } from "../../lessons_lib/course/inverse_kinematics/view.ts";
import type { Kernels } from "../src/kernels.ts";

/** Kernels that return given counts, so that only the view's choices are tested. */
function fakeKernels(count: number, gaps: number[]): Kernels {
  return {
    count_kernel: () => ({ count_and_gaps: [count, ...gaps] as never }),
    angles_kernel: (_tip, _gaps, _lengths, sign) => ({ q: [-Math.PI, (sign as number[])[0]] as never }),
  };
}

test("there are as many answers as the kernel counts, the positive elbow first", () => {
  assert.deepEqual(answersTo(fakeKernels(0, [0, 0]), [9, 0], [1, 1]).q, []);
  assert.deepEqual(
    answersTo(fakeKernels(2, [1, 1]), [1, 0], [1, 1]).q.map((q) => q[1]),
    [1, -1],
  );
});

test("half a turn has one name", () =>
  assert.equal(answersTo(fakeKernels(1, [0, 1]), [-2, 0], [1, 1]).q[0][0], Math.PI));

test("joint 1 is free only where equal links are folded", () => {
  assert.ok(answersTo(fakeKernels(1, [1, 0]), [0, 0], [1, 1]).free);
  assert.ok(!answersTo(fakeKernels(1, [1, 0]), [0.3, 0], [1, 0.7]).free);
  assert.ok(!answersTo(fakeKernels(1, [0, 1]), [2, 0], [1, 1]).free);
});
