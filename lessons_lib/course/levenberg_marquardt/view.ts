/** Lesson 11: two methods from one start to one target, and their errors. */

import { ErrorChart } from "../../../front/src/flat/error_chart.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { identity } from "../../../front/src/matrix.ts";
import { DEGREE, fixed } from "../../../front/src/numbers.ts";
import { element } from "../../../front/src/page.ts";
import { Player } from "../../../front/src/player.ts";
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
import { JointHandle, withAngle } from "../../../front/src/space/joint_handle.ts";
import { judge } from "../../../front/src/verdict.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { Swarm } from "./swarm.ts";

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

export function race(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { tracks, stop, racers, reach, offsets } = specification.data as unknown as Data;
  const solvers = tracks.map((track) => new Solver(kernels, track.tag, track.joints.length));
  const key = element("p", "live-key", stage.root);
  const labels = COLOURS.map((colour) => {
    element("span", `live-${colour}`, key);
    return key.appendChild(document.createTextNode(""));
  });
  const picture = element("div", "live-panel-picture", stage.root);
  const player = new Player(stage.root, stage.redraw);
  const about = "Position and orientation errors over the steps, of both methods.";
  const charts = element("div", "live-pair", stage.root);
  const chart = new ErrorChart(charts, about, stop, COLOURS, 180, stage.redraw);
  const swarm = new Swarm(element("div", "live-charts", charts), COLOURS, offsets.length, stage.redraw);

  let scene: ArmScene | undefined;
  let built = -1;
  let handles: { place(): void }[] = [];
  let solved = { key: "", runs: [] as Run[] };

  const chosenArm = () => tracks.findIndex(({ name }) => name === state.optionOf("arm"));
  const start = (track: Track) => track.starts.map((name) => state.number(name) * DEGREE);
  const target = (k: number): Matrix => {
    const track = tracks[k];
    if (!track.flat) {
      const place = ["x", "y", "z"].map((name) => state.number(name));
      return [...identity(3).map((row, i) => [...row, place[i]]), [0, 0, 0, 1]];
    }
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
    if (scene && built === k) return scene;
    scene?.dispose();
    built = k;
    scene = new ArmScene(picture, kernels, tracks[k], specification.about, stage.redraw, RATIO, COLOURS);
    handles = [...startHandles(scene, tracks[k]), targetHandle(scene, k)];
    return scene;
  };

  return {
    draw(): Reading {
      const k = chosenArm();
      const here = build(k);
      const goal = target(k);
      const begin = start(tracks[k]);
      const methods = [0, 1].map(method);
      const key = JSON.stringify([k, goal, begin, methods]);
      if (solved.key !== key) {
        solved = { key, runs: methods.map((one) => solvers[k].solve(goal, begin, one, stop)) };
        player.rest();
      }
      const { runs } = solved;
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
      const near = (k: number) => begin.map((angle, i) => clamp(angle + spread * offsets[k][i], Math.PI));
      const endOf = (i: number, k: number) => outcomeOf(solvers[built].end(goal, near(k), methods[i], stop));
      if (swarm.draw(`${key} ${spread}`, endOf, runs.map(outcomeOf))) stage.redraw();
      return read(runs, methods);
    },
    parts: () => [player, ...(scene ? [scene] : []), chart, swarm],
  };

  function read(runs: Run[], methods: Method[]): Reading {
    const verdicts = runs.map(judge);
    const name = (i: number) => state.optionOf(`method_${i + 1}`);
    const rows = runs.map((run, i) => {
      const { twist } = run.iterates[Math.min(player.at, run.iterates.length - 1)];
      const figures = [`${fixed(1000 * distanceOf(twist), 1)}`, fixed(angleOf(twist) / DEGREE, 1)];
      return [methods[i].name, String(run.steps), fixed(largestStep(run.iterates), 2), ...figures];
    });
    const sentence = verdicts.map(({ words }, i) => `${name(i)} ${words}.`).join(" ");
    const tone = verdicts.some((verdict) => verdict.tone === "bad")
      ? "bad"
      : verdicts.every(({ tone }) => tone === "good")
        ? "good"
        : "plain";
    return { sentence, tone, heads: ["", "steps", "largest [rad]", "mm off", "° off"], rows, colours: COLOURS };
  }

  /** Handles on the corners that the joints of the start move. */
  function startHandles(here: ArmScene, track: Track): { place(): void }[] {
    return track.starts.flatMap((name, i) => {
      const corner = track.grips[i];
      if (corner === null || corner === undefined) return [];
      const cornerAt = (angle: number) => here.corner(withAngle(start(track), i, angle), corner);
      return [new JointHandle(picture, state, name, `start, joint ${i + 1}`, cornerAt)];
    });
  }

  /** The handle of the target: in the plane it sets the joints of a solution, in space the position. */
  function targetHandle(here: ArmScene, k: number): { place(): void } {
    const at = () => [0, 1, 2].map((i) => target(k)[i][3]);
    const go = ([x, y]: Point) => {
      if (!tracks[k].flat) return state.setOnGrid({ x, y });
      const r = Math.hypot(x, y);
      const edge = Math.min(Math.max(r, 1e-3), reach);
      const inside: Point = r > 0 ? [(edge * x) / r, (edge * y) / r] : [edge, 0];
      const [, ...gaps] = kernels.answers_kernel([edge], [reach / 2, reach / 2]).answers as number[];
      const side = state.number("t2") < 0 ? -1 : 1;
      const [t1, t2] = (kernels.angles_kernel(inside, gaps, [reach / 2, reach / 2], [side]).q as number[]).map(
        (angle) => angle / DEGREE,
      );
      state.setOnGrid({ t1, t2, beyond: Math.max(r - reach, 0) });
    };
    const handle = new Handle(picture, {
      name: "target",
      colour: "ink",
      dragTo: here.space.follow(go, () => at()[2]),
      step: (right, up) => {
        const [x, y] = at();
        go([x + 0.04 * right, y + 0.04 * up]);
      },
    });
    return {
      place: () => {
        const [x, y] = at();
        handle.place(here.space.at(at()), `x ${fixed(x, 2)} m, y ${fixed(y, 2)} m`, x);
      },
    };
  }
}

function outcomeOf({ steps, status }: Pick<Run, "steps" | "status">): { steps: number; solved: boolean } {
  return { steps, solved: status === "converged" };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, -most), most);
}
