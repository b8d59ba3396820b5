/** Lesson 11: two methods from one start to one target, and their errors. */

import { addErrorChart } from "../../../front/src/flat/error_chart.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { translation } from "../../../front/src/matrix.ts";
import { DEGREE, fixed } from "../../../front/src/numbers.ts";
import { element } from "../../../front/src/page.ts";
import { addPlayer } from "../../../front/src/player.ts";
import {
  angleOf,
  distanceOf,
  EQUAL,
  largestStep,
  type Method,
  type Run,
  Solver,
  type Stop,
} from "../../../front/src/solver.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { jointHandles } from "../../../front/src/space/joint_handle.ts";
import { judge } from "../../../front/src/verdict.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";
import { anglesTo } from "../inverse_kinematics/view.ts";
import { addSwarm } from "./swarm.ts";

const RATIO = 1.55; // width over height
const COLOURS = ["blue", "vermilion"];

interface Racer {
  words: string;
  name: string;
  kind: string;
}

interface Track extends ArmData {
  /** Names of the start's controls, one per joint, degrees. */
  starts: string[];
  /** Whether the target is a position for the tip of a planar arm, with the hand's direction of a solution. */
  flat: boolean;
}

interface Data {
  tracks: Track[];
  stop: Stop;
  racers: Racer[];
  /** Link length of the planar arm [m]. */
  reach: number;
  /** Relative offsets of the swarm's starts. */
  offsets: number[][];
}

export function race(stage: Stage<Data>): View {
  const { state, kernels } = stage;
  const { tracks, stop, racers, reach, offsets } = stage.data;
  const solvers = tracks.map((track) => new Solver(kernels, track.tag, track.joints.length));
  const key = element("p", "live-key", stage.root);
  const labels = COLOURS.map((colour) => {
    element("span", `live-${colour}`, key);
    return key.appendChild(document.createTextNode(""));
  });
  const picture = element("div", "live-panel-picture", stage.root);
  const player = addPlayer(stage.root, stage.redraw);
  const about = "Lengths of both parts of the error twist at each step, for both methods.";
  const charts = element("div", "live-pair", stage.root);
  const chart = addErrorChart(stage, charts, about, stop, COLOURS, 180);
  const swarm = addSwarm(element("div", "live-charts", charts), COLOURS, offsets.length, stage.redraw);

  let scene: ArmScene | undefined;
  let handles: { place(): void }[] = [];
  const sceneOf = memo<ArmScene>();
  const solved = memo<Run[]>(() => player.rest());

  const start = (track: Track) => track.starts.map((name) => state.number(name) * DEGREE);
  const target = (k: number): Matrix => {
    const track = tracks[k];
    if (!track.flat) return translation(state.numbersOf("x", "y", "z"));
    const T = solvers[k].pose(["t1", "t2"].map((name) => state.number(name) * DEGREE));
    const far = 1 + state.number("beyond") / Math.max(Math.hypot(T[0][3], T[1][3]), 1e-9);
    return T.map((row, i) => row.map((entry, j) => (i < 2 && j === 3 ? far * entry : entry)));
  };
  const method = (which: number): Method => {
    const words = state.optionOf(`method_${which + 1}`);
    const { name, kind } = racers.find((one) => one.words === words) ?? racers[0];
    return { name, kind, parameter: state.number(`damping_${which + 1}`), weights: EQUAL };
  };

  const build = (k: number): ArmScene => {
    scene?.dispose();
    const { starts, grips } = tracks[k];
    const here = new ArmScene(stage, picture, tracks[k], RATIO, COLOURS);
    const pixelOf = (q: number[], corner: number) => here.corner(q, corner);
    const ofStart = jointHandles(picture, state, starts, "start, joint", (i) => grips[i], pixelOf);
    handles = [...ofStart, targetHandle(here, k)];
    return here;
  };

  return {
    draw(): Reading {
      const k = tracks.findIndex(({ name }) => name === state.optionOf("arm"));
      const here = sceneOf(k, () => build(k));
      scene = here;
      const goal = target(k);
      const begin = start(tracks[k]);
      const methods = [0, 1].map(method);
      const problem = [k, goal, begin, methods];
      const runs = solved(problem, () => methods.map((one) => solvers[k].solve(goal, begin, one, stop)));
      player.bound(Math.max(...runs.map((run) => run.iterates.length - 1)));
      labels.forEach((text, i) => {
        text.data = `${state.optionOf(`method_${i + 1}`)} `;
      });
      here.aim(goal);
      here.from(begin);
      runs.forEach((run, i) => {
        const configurations = run.iterates.map(({ q }) => q);
        here.stand(configurations, Math.min(player.at, configurations.length - 1), i);
      });
      here.space.render();
      for (const handle of handles) handle.place();
      chart.draw(runs, player.at + 1);
      const spread = state.number("spread") * DEGREE;
      const near = (n: number) => begin.map((angle, i) => clamp(angle + spread * offsets[n][i], Math.PI));
      const endOf = (i: number, n: number) => outcomeOf(solvers[k].end(goal, near(n), methods[i], stop));
      if (swarm.draw([problem, spread], endOf, runs.map(outcomeOf))) stage.redraw();
      return read(runs, methods);
    },
    parts: () => [player, ...(scene ? [scene] : []), chart, swarm],
  };

  function read(runs: Run[], methods: Method[]): Reading {
    const verdicts = runs.map((run) => judge(run));
    const name = (i: number) => state.optionOf(`method_${i + 1}`);
    const rows = runs.map((run, i) => {
      const { twist } = run.iterates[Math.min(player.at, run.iterates.length - 1)];
      const figures = [`${fixed(1000 * distanceOf(twist), 1)}`, fixed(angleOf(twist) / DEGREE, 1)];
      return [methods[i].name, String(run.steps), fixed(largestStep(run.iterates), 2), ...figures];
    });
    const sentence = verdicts.map(({ words }, i) => `${name(i)} ${words}.`).join(" ");
    const tones = verdicts.map(({ tone }) => tone);
    const tone = tones.includes("bad") ? "bad" : tones.includes("plain") ? "plain" : "good";
    return { sentence, tone, heads: ["", "steps", "largest [rad]", "mm off", "° off"], rows, colours: COLOURS };
  }

  /** The handle of the target: in the plane it sets the joints of a solution, in space the position. */
  function targetHandle(here: ArmScene, k: number): { place(): void } {
    const at = () => [0, 1, 2].map((i) => target(k)[i][3]);
    const go = ([x, y]: Point) => {
      if (!tracks[k].flat) return state.setOnGrid({ x, y });
      const q = anglesTo(kernels, [x, y], reach, state.number("t2") < 0 ? -1 : 1);
      const [t1, t2] = q.map((angle) => angle / DEGREE);
      state.setOnGrid({ t1, t2, beyond: Math.max(Math.hypot(x, y) - reach, 0) });
    };
    const handle = new Handle(picture, {
      name: "target",
      looks: "ink",
      dragTo: (pixel) => {
        const hit = here.space.onFloor(pixel, at()[2]);
        if (hit) go(hit);
      },
      step: (right, up) => go([at()[0] + 0.04 * right, at()[1] + 0.04 * up]),
    });
    return { place: () => handle.placePoint(here.space.at(at()), at()) };
  }
}

function outcomeOf({ steps, status }: Pick<Run, "steps" | "status">): { steps: number; solved: boolean } {
  return { steps, solved: status === "converged" };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}
