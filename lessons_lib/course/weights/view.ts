/** Lesson 13: six weights, the best compromise, and its errors in degrees and millimetres. */

import { addBar } from "../../../front/src/bars.ts";
import { controlHandle, type Handle, type Point } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { aboutZ } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addTwo, element, say } from "../../../front/src/page.ts";
import { angleOf, distanceOf, type Method, type Run, Solver, type Stop } from "../../../front/src/solver.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { positionOf, Way } from "../../../front/src/space/shapes.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";

const RATIO = 1.2; // width over height
const NAMES = ["omega_x", "omega_y", "omega_z", "v_x", "v_y", "v_z"];
const COLOURS = ["vermilion", "green", "blue"]; // of the axes x, y, z
const NICE = [1, 2, 5, 10];
const EQUAL = [1, 1, 1];
const NONE = [1e-6, 1e-6, 1e-6]; // relative to EQUAL: practically zero, while the other error is still minimal

interface Task extends ArmData {
  begins: number[][];
  /** Components of the error that a motion of the arm can change. */
  counts: boolean[];
}

export function weights(stage: Stage<{ tasks: Task[]; stop: Stop; method: Method }>): View {
  const { state, kernels } = stage;
  const { tasks, stop, method } = stage.data;
  const solvers = tasks.map((task) => new Solver(kernels, task.tag, task.joints.length));
  const [picture, side] = addTwo(stage.root, "live-split", "live-bars");
  const groups = ["angle error", "position error"].map((name) => {
    const head = element("p", "live-bars-head", side);
    return { head, name, bars: COLOURS.map((colour) => addBar(side, colour)) };
  });

  let scene: ArmScene | undefined;
  const drawnOf = memo<{ here: ArmScene; gap: Way; handle: Handle }>();
  const scale = memo<number[]>();

  const flat = (k: number) => !tasks[k].counts.every(Boolean);
  const target = (k: number): Matrix => {
    const turn = flat(k) ? state.number("turn") * DEGREE : 0;
    return aboutZ(turn, flat(k) ? [...state.numbersOf("x", "y"), 0] : state.numbersOf("ur_x", "ur_y", "ur_z"));
  };

  /** Return the best result of all starts. */
  const best = (k: number, desiredWeights: number[]): Run => {
    const request = { ...method, weights: desiredWeights };
    const runs = tasks[k].begins.map((begin) => solvers[k].solve(target(k), begin, request, stop));
    const cost = (run: Run) =>
      run.iterates[run.iterates.length - 1].twist.reduce((sum, entry, i) => sum + desiredWeights[i] * entry * entry, 0);
    return runs.reduce((one, other) => (cost(other) < cost(one) ? other : one));
  };

  const build = (k: number) => {
    scene?.dispose();
    const here = new ArmScene(stage, picture, tasks[k], RATIO);
    scene = here;
    const gap = new Way(here.space, "purple", 4, [0.035, 0.025]);
    const steps: Record<string, number> = flat(k) ? { x: 0.01, y: 0.01 } : { ur_x: 0.01, ur_y: 0.01 };
    const hit = (pixel: Point) => here.space.onFloor(pixel, target(k)[2][3]);
    return { here, gap, handle: controlHandle(picture, state, "target", "ink", steps, hit) };
  };

  /** Return the upper end of the bars: beyond both compromises that weight only one half of the error. */
  const endsOf = (k: number): number[] => {
    const only = (all: number[]) => {
      const desiredWeights = all.map((weight, i) => (tasks[k].counts[i] ? weight : 0));
      const { iterates } = best(k, desiredWeights);
      return iterates[iterates.length - 1].twist;
    };
    const angle = angleOf(only([...NONE, ...EQUAL])) / DEGREE;
    return [nice(Math.min(angle, 180)), nice(1000 * distanceOf(only([...EQUAL, ...NONE])))];
  };

  return {
    draw(): Reading {
      const k = tasks.findIndex(({ name }) => name === state.optionOf("arm"));
      const { here, gap, handle } = drawnOf(k, () => build(k));
      const goal = target(k);
      const desiredWeights = NAMES.map((name, i) => (tasks[k].counts[i] ? state.number(name) : 0));
      const request = desiredWeights.some((weight) => weight > 0);
      const run = request ? best(k, desiredWeights) : undefined;
      const last = run?.iterates[run.iterates.length - 1];
      here.aim(goal);
      here.stand([last?.q ?? tasks[k].begins[0]], 0);
      gap.through(last ? [positionOf(here.shape(last.q).T), positionOf(goal)] : []);
      here.space.render();
      handle.placePoint(here.space.at(positionOf(goal)), positionOf(goal));
      const ends = scale([k, goal], () => endsOf(k));
      groups.forEach(({ head, name, bars }, half) => {
        say(head, `${name}, ${half === 0 ? "°" : "mm"} (scale ±${ends[half]})`);
        bars.forEach((bar, axis) => {
          const i = 3 * half + axis;
          const value = (last?.twist[i] ?? 0) * (half === 0 ? 1 / DEGREE : 1000);
          bar.row.hidden = !tasks[k].counts[i];
          bar.row.classList.toggle("live-free", desiredWeights[i] === 0);
          bar.show(`${"ωv"[half]}_{${"xyz"[axis]}}`, value / ends[half], last ? fixed(value, 1) : "–");
        });
      });
      return read(run, desiredWeights, tasks[k].counts);
    },
    parts: () => (scene ? [scene] : []),
  };
}

/** Return the next of 1, 2, 5, 10, … [at least one unit]. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * (NICE.find((digit) => digit * power >= value * 0.999) ?? 10);
}

function read(run: Run | undefined, desiredWeights: number[], counts: boolean[]): Reading {
  if (!run) return { sentence: "All weights are zero, so every posture is equally good.", tone: "bad" };
  const { twist } = run.iterates[run.iterates.length - 1];
  const [angle, distance] = [angleOf(twist) / DEGREE, 1000 * distanceOf(twist)];
  const errors = [`${amount(angle, 2)}°`, `${amount(distance, 1)} mm`];
  const rows = [["remaining", fixed(angle, 2), fixed(distance, 1), String(run.steps)]];
  const heads = ["", "angle error [°]", "position error [mm]", "steps"];
  if (run.status !== "converged") {
    const cause = run.status === "stalled" ? ". These weights leave" : ` in ${run.steps} steps, which leave`;
    return { sentence: `The pose is not reached${cause} errors of ${errors.join(" and ")}.`, heads, rows };
  }
  const free = errors.filter((_, half) => desiredWeights.some((w, i) => w === 0 && counts[i] && i >= 3 === half > 0));
  const others = `Every error with a nonzero weight is zero. The others amount to ${free.join(" and ")}.`;
  const sentence = free.length > 0 ? others : "The pose is reached, so the weights make no difference.";
  return { sentence, tone: "good", heads, rows };
}
