/** Lesson 13: six weights, the best compromise, and its errors in degrees and millimetres. */

import { Bar } from "../../../front/src/bars.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { DEGREE, fixed } from "../../../front/src/numbers.ts";
import { element, say } from "../../../front/src/page.ts";
import { angleOf, distanceOf, type Method, type Run, Solver, type Stop } from "../../../front/src/solver.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { positionOf, Way } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

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

export function weights(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { tasks, stop, method } = specification.data as unknown as { tasks: Task[]; stop: Stop; method: Method };
  const solvers = tasks.map((task) => new Solver(kernels, task.tag, task.joints.length));
  const split = element("div", "live-split", stage.root);
  const picture = element("div", "live-panel-picture", split);
  const side = element("div", "live-bars", split);
  const groups = ["angles left", "distances left"].map((name) => {
    const head = element("p", "live-bars-head", side);
    return { head, name, bars: COLOURS.map((colour) => new Bar(side, colour)) };
  });

  let scene: ArmScene | undefined;
  let gap: Way | undefined;
  let built = -1;
  let handle: Handle | undefined;
  let scale = { key: "", ends: [1, 1] };

  const chosenArm = () => tasks.findIndex(({ name }) => name === state.optionOf("arm"));
  const flat = (k: number) => !tasks[k].counts.every(Boolean);
  const target = (k: number): Matrix => {
    const turn = flat(k) ? state.number("turn") * DEGREE : 0;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const [x, y, z] = flat(k)
      ? [state.number("x"), state.number("y"), 0]
      : ["x", "y", "z"].map((a) => state.number(`ur_${a}`));
    return [
      [c, -s, 0, x],
      [s, c, 0, y],
      [0, 0, 1, z],
      [0, 0, 0, 1],
    ];
  };
  const drag = (k: number, [x, y]: Point) => state.setOnGrid(flat(k) ? { x, y } : { ur_x: x, ur_y: y });

  /** Return the best result of all starts. */
  const best = (k: number, desiredWeights: number[]): Run => {
    const request = { ...method, weights: desiredWeights };
    const runs = tasks[k].begins.map((begin) => solvers[k].solve(target(k), begin, request, stop));
    const cost = (run: Run) =>
      run.iterates[run.iterates.length - 1].twist.reduce((sum, entry, i) => sum + desiredWeights[i] * entry * entry, 0);
    return runs.reduce((one, other) => (cost(other) < cost(one) ? other : one));
  };

  const build = (k: number): ArmScene => {
    if (scene && built === k) return scene;
    scene?.dispose();
    built = k;
    scene = new ArmScene(picture, kernels, tasks[k], specification.about, stage.redraw, RATIO);
    gap = new Way(scene.space, "purple", 4, [0.035, 0.025]);
    handle = new Handle(picture, {
      name: "target",
      colour: "ink",
      dragTo: scene.space.follow(
        (hit) => drag(k, hit),
        () => target(k)[2][3],
      ),
      step: (right, up) => drag(k, [target(k)[0][3] + 0.01 * right, target(k)[1][3] + 0.01 * up]),
    });
    return scene;
  };

  /** Return the upper end of the bars: beyond both compromises that weight only one half of the error. */
  const endsOf = (k: number): number[] => {
    const key = JSON.stringify([k, target(k)]);
    if (scale.key !== key) {
      const only = (desiredWeights: number[]) => {
        const { iterates } = best(
          k,
          desiredWeights.map((weight, i) => (tasks[k].counts[i] ? weight : 0)),
        );
        return iterates[iterates.length - 1].twist;
      };
      const angle = angleOf(only([...NONE, ...EQUAL])) / DEGREE;
      scale = { key, ends: [nice(Math.min(angle, 180)), nice(1000 * distanceOf(only([...EQUAL, ...NONE])))] };
    }
    return scale.ends;
  };

  return {
    draw(): Reading {
      const k = chosenArm();
      const here = build(k);
      const goal = target(k);
      const desiredWeights = NAMES.map((name, i) => (tasks[k].counts[i] ? state.number(name) : 0));
      const request = desiredWeights.some((weight) => weight > 0);
      const run = request ? best(k, desiredWeights) : undefined;
      const last = run?.iterates[run.iterates.length - 1];
      here.aim(goal);
      here.stand([last?.q ?? tasks[k].begins[0]], 0);
      gap?.through(last ? [positionOf(here.shape(last.q).T), positionOf(goal)] : []);
      here.space.render();
      const [x, y, z] = positionOf(goal);
      handle?.place(here.space.at([x, y, z]), `x ${fixed(x, 2)} m, y ${fixed(y, 2)} m`, x);
      const ends = endsOf(k);
      groups.forEach(({ head, name, bars }, half) => {
        say(head, `${name}, ${half === 0 ? "°" : "mm"} (to ±${ends[half]})`);
        bars.forEach((bar, axis) => {
          const i = 3 * half + axis;
          const value = (last?.twist[i] ?? 0) * (half === 0 ? 1 / DEGREE : 1000);
          drawBar(bar, half, axis, value, ends[half], last !== undefined, tasks[k].counts[i], desiredWeights[i]);
        });
      });
      return read(run, desiredWeights, tasks[k].counts);
    },
    parts: () => (scene ? [scene] : []),
  };
}

function drawBar(
  bar: Bar,
  half: number,
  axis: number,
  value: number,
  end: number,
  known: boolean,
  counts: boolean,
  weight: number,
): void {
  bar.row.hidden = !counts;
  bar.row.classList.toggle("live-free", weight === 0);
  bar.show(`${"ωv"[half]}_{${"xyz"[axis]}}`, known ? value / end : 0, known ? fixed(value, 1) : "–");
}

/** Return the next of 1, 2, 5, 10, … [at least one unit]. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * (NICE.find((digit) => digit * power >= value * 0.999) ?? 10);
}

function read(run: Run | undefined, desiredWeights: number[], counts: boolean[]): Reading {
  if (!run) {
    const sentence = "All weights are zero, so every posture is equally good.";
    return { sentence, tone: "bad", heads: [], rows: [] };
  }
  const { twist } = run.iterates[run.iterates.length - 1];
  const [angle, distance] = [angleOf(twist) / DEGREE, 1000 * distanceOf(twist)];
  const errors = `${fixed(angle, 2)}° and ${fixed(distance, 1)} mm`;
  const rows = [["left", fixed(angle, 2), fixed(distance, 1), String(run.steps)]];
  const heads = ["", "angle [°]", "distance [mm]", "steps"];
  const free = desiredWeights.some((weight, i) => weight === 0 && counts[i]);
  if (run.status === "converged") {
    const sentence = free
      ? `Every error with a weight is zero. The others leave ${errors}.`
      : "The pose is reached, so the weights make no difference.";
    return { sentence, tone: "good", heads, rows };
  }
  const sentence = `The pose is out of reach. These weights leave ${errors}.`;
  return { sentence, tone: "plain", heads, rows };
}
