import assert from "node:assert/strict";
import test from "node:test";
import { linesOf, traceProgram } from "../../lessons_lib/course/code_generation/listing.ts";

const NAMES = ["q0", "x0", "T"];
const SCRIPT = `/** q0 is not assigned here. */
function kernel(q) {
  const q0 = q[0];
  const x0 = 2*q0;
  const T = [
    [x0, 0],
    [q0, 1],
  ];
  return {T};
}`;
const NUMPY = `def kernel(q):
    q0 = q[..., 0]
    batch = numpy.broadcast_shapes(q.shape[:-1])
    T = numpy.zeros((*batch, 2, 2))
    T[..., 0, 1] = x0
    return T`;

test("each line of a script tells its name, its place in an array, and what it uses", () => {
  const lines = linesOf(SCRIPT, NAMES).map(({ name, entry, uses }) => [name, entry, [...uses]]);
  assert.deepEqual(lines.slice(2, 9), [
    ["q0", [], []],
    ["x0", [], ["q0"]],
    ["T", [], []],
    ["T", [0], ["x0"]],
    ["T", [1], ["q0"]],
    ["T", [], []],
    [undefined, [], []],
  ]);
  assert.deepEqual(lines[0], [undefined, [], []]);
});

test("a line of NumPy adds an entry, and what is no line of the program has no name", () => {
  const lines = linesOf(NUMPY, NAMES).map(({ name, entry, uses }) => [name, entry, [...uses]]);
  assert.deepEqual(lines.slice(1), [
    ["q0", [], []],
    [undefined, [], []],
    ["T", [], []],
    ["T", [0, 1], ["x0"]],
    [undefined, [], []],
  ]);
});

test("a printed function gives back what every line has bound", () => {
  assert.deepEqual(traceProgram(SCRIPT, NAMES)([3]), {
    q0: 3,
    x0: 6,
    T: [
      [6, 0],
      [3, 1],
    ],
  });
});
