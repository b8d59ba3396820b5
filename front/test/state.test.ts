import assert from "node:assert/strict";
import { test } from "node:test";
import type { Control } from "../src/specification.ts";
import { type Channel, State, type Values } from "../src/state.ts";

const x: Control = {
  kind: "number",
  name: "x",
  words: "target",
  symbol: "x",
  unit: "m",
  low: -2,
  high: 2,
  step: 0.1,
  start: 0.5,
  only: null,
};
const robot: Control = { kind: "choice", name: "robot", words: "robot", options: ["a, b", "c"], start: "a, b" };
const axis: Control = { kind: "switch", name: "seen", words: "the axis", start: false };

function countCalls(state: State): () => number {
  let times = 0;
  state.listen(() => {
    times += 1;
  });
  return () => times;
}

test("a typed value is held as it is, a dragged one at the nearest place", () => {
  const state = new State([x, axis]);
  state.set({ x: 0.123456 });
  assert.equal(state.number("x"), 0.123456);
  state.setOnGrid({ x: 0.123456 });
  assert.equal(state.number("x"), 0.1);
});

test("beyond an end the end is held, and what is no number is not taken", () => {
  const state = new State([x, axis]);
  state.set({ x: 7 });
  assert.equal(state.number("x"), 2);
  state.set({ x: Number.NaN });
  assert.equal(state.number("x"), 2);
});

test("listeners hear a change once, and no change not at all", () => {
  const state = new State([x, axis]);
  const times = countCalls(state);
  state.set({ x: 0.5, seen: false });
  assert.equal(times(), 0);
  state.set({ x: 1, seen: true });
  assert.equal(times(), 1);
});

test("a state begins at the starts, and reset goes back to them", () => {
  const state = new State([x, axis]);
  assert.deepEqual(state.all(), { x: 0.5, seen: false });
  state.set({ x: 1, seen: true });
  state.reset();
  assert.deepEqual(state.all(), { x: 0.5, seen: false });
  assert.equal(state.asLink(), "");
});

test("a link restores the state, and knows only the figure's own names", () => {
  const state = new State([x, axis]);
  state.set({ x: 1.25, seen: true });
  const other = new State([x, axis]);
  other.fromLink(`${state.asLink()}&__proto__=1&y=3&x2=<b>`);
  assert.deepEqual(other.all(), state.all());
});

test("a channel is read at the start, written at a change, and heard", () => {
  const startValues: Values = { x: -1, seen: true };
  const heard: Record<string, () => void> = {};
  const written: Values[] = [];
  const channel: Channel = {
    read: (name) => startValues[name],
    write: (values) => written.push(values),
    listen: (name, tell) => {
      heard[name] = tell;
    },
  };
  const state = new State([x, axis], channel);
  assert.deepEqual(state.all(), startValues);
  assert.deepEqual(written, []);
  state.set({ x: 1 });
  assert.deepEqual(written, [{ x: 1 }]);
  const times = countCalls(state);
  startValues.x = 0.25;
  heard.x();
  assert.equal(state.number("x"), 0.25);
  assert.equal(times(), 1);
  assert.deepEqual(written, [{ x: 1 }]);
});

test("a choice holds one of its options, and a link tells it", () => {
  const state = new State([robot]);
  state.set({ robot: "d" });
  assert.equal(state.optionOf("robot"), "a, b");
  state.set({ robot: "c" });
  assert.equal(state.asLink(), "robot=c");
  const other = new State([{ ...robot, start: "c" } as Control]);
  other.set({ robot: "a, b" });
  state.fromLink(other.asLink());
  assert.equal(state.optionOf("robot"), "a, b");
});

test("a logarithmic slider moves between its places and keeps typed values", () => {
  const damping: Control = { ...x, name: "damping", low: 0, high: 1, step: 0, start: 0.1, places: [0, 0.01, 0.1, 1] };
  const state = new State([damping]);
  const nearest = [0.02, 0.05, 0.004, 0.008, 7, -1].map((value) => {
    state.setOnGrid({ damping: value });
    return state.number("damping");
  });
  assert.deepEqual(nearest, [0.01, 0.1, 0, 0.01, 1, 0]);
  state.set({ damping: 0.12345 });
  assert.equal(state.number("damping"), 0.12345);
  assert.equal(state.asLink(), "damping=0.12345");
});

test("other controls begin at their starts, and no trait hears of them", () => {
  const written: Values[] = [];
  const tell: (() => void)[] = [];
  const channel: Channel = {
    read: () => undefined,
    write: (values) => written.push(values),
    listen: (_, heard) => tell.push(heard),
  };
  const state = new State([x], channel);
  let rebuilt = 0;
  state.onReplaced(() => {
    rebuilt += 1;
  });
  state.set({ x: 1 });
  state.replace([{ ...x, start: 0.25 }, axis]);
  assert.deepEqual(state.all(), { x: 0.25, seen: false });
  state.set({ x: 2 });
  tell[0]();
  assert.deepEqual([state.number("x"), rebuilt, written.length], [2, 1, 1]);
  state.reset();
  assert.equal(state.number("x"), 0.25);
});

test("a choice sets its numbers, and tells when they are no longer its own", () => {
  const sets = { low: { x: -1 }, high: { x: 1 } };
  const tool: Control = { ...robot, name: "tool", options: ["low", "high", "own"], start: "own", sets };
  const state = new State([x, tool, axis]);
  state.set({ tool: "high" });
  assert.deepEqual(state.all(), { x: 1, tool: "high", seen: false });
  state.setOnGrid({ x: -1 });
  assert.equal(state.optionOf("tool"), "low");
  state.set({ x: 0.3, seen: true });
  assert.deepEqual(state.all(), { x: 0.3, tool: "own", seen: true });
  state.set({ tool: "low", x: 1 }); // as a link may contain it: the numbers count
  assert.deepEqual(state.all(), { x: 1, tool: "high", seen: true });
  state.reset();
  assert.deepEqual(state.all(), { x: 0.5, tool: "own", seen: false });
});
