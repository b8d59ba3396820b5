/** Lesson 14: animate four paths between two poses: traces of the tip, joints and distance from the straight line. */

import { Chart, even } from "../../../front/src/flat/chart.ts";
import { controlHandle, type Point } from "../../../front/src/handle.ts";
import { logarithm, type Matrix } from "../../../front/src/kernels.ts";
import { dot, length } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed, wrapped } from "../../../front/src/numbers.ts";
import { addKey, drawCurves, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { addPlayer } from "../../../front/src/player.ts";
import { Solver } from "../../../front/src/solver.ts";
import { type ArmData, ArmScene } from "../../../front/src/space/arm_scene.ts";
import { Frame, positionOf, Way } from "../../../front/src/space/shapes.ts";
import { addStrands } from "../../../front/src/space/strands.ts";
import { memo, type Reading, type Stage, type View } from "../../../front/src/view.ts";
import { type Manner, pathsBetween, type Walk } from "./paths.ts";

const RATIO = 1.6; // width over height
const PACE = 70; // ms per segment of the path
const COLOURS = ["blue", "green", "purple", "vermilion"]; // of the paths
const [SCREW, JOINTS] = [0, 2]; // places of two paths
const JOINT_COLOURS = ["blue", "vermilion", "green", "purple", "ink", "steel"];
const NOSE = 0.3; // m, from the last frame to its rotation handle
const GHOSTS = 4; // segments between pale arms
const ROUND = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]; // steps of an axis, mm
const ANGLES = [10, 30, 45, 90, 180, 360]; // degrees

interface Data extends ArmData, Manner {
  begin: number[];
  paths: string[];
  jump: number;
}

interface DescribedWalk extends Walk {
  /** Distances of the tip from the straight line [m]. */
  off: number[];
  /** The largest change of a joint before each pose except the first [degrees]. */
  moves: number[];
  tips: number[][];
}

export function path(stage: Stage<Data>): View {
  const { state, kernels, data } = stage;
  const { parts, begin, jump } = data;
  const solver = new Solver(kernels, data.tag, begin.length);
  const picture = element("div", "live-panel-picture", stage.root);
  const format = (at: number) => `s = ${fixed(at / parts, 3)}`;
  const player = addPlayer(stage.root, stage.redraw, { name: "the path", pace: PACE, describe: format }, parts / 2);
  const charts = element("div", "live-charts live-pair", stage.root);
  const chart = (about: string, names: string[], colours: string[]) => {
    const half = element("div", "", charts);
    const drawn = new Chart(half, 170, about, stage.redraw);
    const key = names.map((name, i): [string, string] => [colours[i], name]);
    addKey(half, key);
    return drawn;
  };
  const names = begin.map((_, i) => `q${"₁₂₃₄₅₆₇"[i]}`);
  const angles = chart("The joint angles of the chosen path over s.", names, JOINT_COLOURS);
  const offs = chart("Distance of the tip from the straight line over s, on all paths.", data.paths, COLOURS);
  const leap = drawElement("path", angles.svg, { class: "live-leap" });
  const cursors = [angles, offs].map(({ svg }) => drawElement("path", svg, { class: "live-cursor" }));
  const joints = drawCurves(angles.svg, ...JOINT_COLOURS.slice(0, begin.length));
  const lines = drawCurves(offs.svg, ...COLOURS);

  const scene = new ArmScene(stage, picture, data, RATIO);
  const { space } = scene;
  const first = new Frame(space, 0.17 * data.reach, 0.011 * data.reach);
  const straight = new Way(space, "steel", 2, [0.03, 0.025]);
  const ghosts = addStrands(space, "steel", 2.5, 0.45);
  const traces = COLOURS.map((colour) => [2.2, 4.5].map((width) => new Way(space, colour, width)));
  const T_0 = solver.pose(begin);
  const end = (): Matrix =>
    kernels.end_kernel(T_0, [...state.numbersOf("dx", "dy", "dz"), state.number("turn") * DEGREE]).T_1;
  /** Return the horizontal vector to a pixel at the height of the last pose. */
  const fromPose = (T: Matrix, pixel: Point) => space.onFloor(pixel, end()[2][3])?.map((entry, i) => entry - T[i][3]);
  const steps = { dx: -0.02, dy: -0.02 };
  const handle = controlHandle(picture, state, "last pose", "ink live-hollow", steps, (pixel) => fromPose(T_0, pixel));
  const looks = "vermilion live-hollow";
  const turn = controlHandle(picture, state, "turn of the last pose", looks, { turn: 2 }, (pixel) => {
    const way = fromPose(end(), pixel);
    return way && [wrapped(Math.atan2(way[1], way[0]) - Math.atan2(T_0[1][0], T_0[0][0])) / DEGREE];
  });
  const pathsTo = memo<DescribedWalk[]>();

  return {
    draw(): Reading {
      const T_1 = end();
      const paths = pathsTo(T_1, () => {
        const walks = pathsBetween(kernels, solver, begin, [T_0, T_1], data);
        return walks.map((walk) => tell(walk, positionOf(T_0), positionOf(T_1)));
      });
      const index = Math.max(0, data.paths.indexOf(state.optionOf("path")));
      const path = paths[index];
      player.bound(parts);
      const visible = !stage.isVeiled();
      const at = Math.min(visible ? player.at : 0, path.q.length - 1);
      first.place(T_0);
      scene.aim(T_1);
      if (at >= 0) scene.stand([path.q[at]], 0);
      const every = path.q.filter((_, k) => visible && k % (parts / GHOSTS) === 0);
      ghosts(every.map((q) => scene.shape(q).points));
      straight.through([T_0, T_1].map(positionOf));
      traces.forEach(([thin, thick], i) => {
        thin.through(visible && i !== index ? paths[i].tips : []);
        thick.through(visible && i === index ? paths[i].tips : []);
      });
      space.render();
      handle.placePoint(space.at(positionOf(T_1)), positionOf(T_1));
      const nose = [0, 1, 2].map((i) => T_1[i][3] + NOSE * T_1[i][0]);
      turn.place(space.at(nose), `${fixed(state.number("turn"), 0)}°`, state.number("turn"));
      drawAngles(path);
      drawOffs(paths, index);
      return { ...read(paths, index, at), facts: { ...detour(T_1), reached: (paths[SCREW].q.length - 1) / parts } };
    },
    parts: () => [player, scene, angles, offs],
  };

  /** Return the tip's reached distance, and the distance of the screw's midpoint from the line [m]. */
  function detour(T_1: Matrix): { gone: number; halfway: number } {
    const xi = logarithm(kernels, kernels.between_kernel(T_0, T_1).T_between);
    const [from, middle, to] = [T_0, kernels.screw_kernel(T_0, xi, [0.5]).T, T_1].map(positionOf);
    const off = middle.map((entry, i) => entry - (from[i] + to[i]) / 2);
    return { gone: length(to.map((entry, i) => entry - from[i])), halfway: length(off) };
  }

  function tell(walk: Walk, from: number[], to: number[]): DescribedWalk {
    const tips = walk.q.map((q) => positionOf(solver.pose(q)));
    const along = to.map((entry, i) => entry - from[i]);
    const off = tips.map((tip) => {
      const away = tip.map((entry, i) => entry - from[i]);
      const part = length(along) > 0 ? dot(away, along) / dot(along, along) : 0;
      return length(away.map((entry, i) => entry - part * along[i]));
    });
    const largest = (q: number[], before: number[]) => Math.max(...q.map((angle, i) => Math.abs(angle - before[i])));
    const moves = walk.q.slice(1).map((q, k) => largest(q, walk.q[k]) / DEGREE);
    return { ...walk, off, moves, tips };
  }

  function drawAngles(path: DescribedWalk): void {
    const all = path.q.flat().map((angle) => angle / DEGREE);
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
    const step = ANGLES.find((size) => (high - low) / size <= 5) ?? 720;
    const whole = (value: number) => fixed(value, 0);
    const [bottom, top] = [Math.floor(low / step) * step, Math.max(Math.ceil(high / step), 1) * step];
    const name = `joint angles of “${state.optionOf("path")}” [°]`;
    angles.dress(even("s", 0, 1, 0.25), even(name, bottom, top, step, whole));
    const jumps = path.moves.map((move) => move > jump);
    joints.forEach((line, i) => {
      const pieces: [number, number][][] = [[]];
      path.q.forEach((q, k) => {
        if (k > 0 && jumps[k - 1]) pieces.push([]);
        pieces[pieces.length - 1].push([k / parts, q[i] / DEGREE]);
      });
      setAttributes(line, { d: pieces.map((piece) => angles.path(piece)).join("") });
    });
    const gaps = jumps.flatMap((jumped, k) => (jumped ? [k + 0.5] : []));
    setAttributes(leap, { d: gaps.map((k) => angles.line([k / parts, bottom], [k / parts, top])).join("") });
    drawCursor(0, bottom, top);
  }

  function drawOffs(paths: DescribedWalk[], index: number): void {
    const most = 1000 * Math.max(0.001, ...paths.flatMap(({ off }) => off));
    const step = ROUND.find((size) => most / size <= 5) ?? 2000;
    const top = Math.ceil(most / step) * step;
    offs.dress(even("s", 0, 1, 0.25), even("distance from the line [mm]", 0, top, step));
    lines.forEach((line, i) => {
      const d = offs.path(paths[i].off.map((far, k) => [k / parts, 1000 * far]));
      setAttributes(line, { d, class: `live-curve live-${COLOURS[i]}${i === index ? " live-thick" : ""}` });
    });
    drawCursor(1, 0, top);
  }

  function drawCursor(which: number, bottom: number, top: number): void {
    const s = player.at / parts;
    setAttributes(cursors[which], { d: [angles, offs][which].line([s, bottom], [s, top]) });
  }

  function read(paths: DescribedWalk[], index: number, at: number): Reading {
    const most = (values: number[]) => Math.max(0, ...values);
    const rows = paths.map(({ off, moves, steps }, i) => {
      const sizes = [1000 * most(off), most(moves)].map((size) => (moves.length > 0 ? fixed(size, 1) : "–"));
      return [data.paths[i], ...sizes, fixed(steps, 1)];
    });
    const heads = ["", "largest distance [mm]", "largest move [°]", "mean steps"];
    const path = paths[index];
    const jumps = path.moves.flatMap((move, k) => (move > jump ? [`s = ${fixed((k + 1) / parts, 3)}`] : []));
    const shortest = index === JOINTS ? SCREW : index; // the joint path ends where the screw path ends
    const reached = paths[shortest].q.length;
    const incomplete = reached <= parts;
    const here = incomplete
      ? `A pose is not reached: “${data.paths[shortest]}” ends before s = ${fixed(reached / parts, 3)}.`
      : `${format(at)}: the tip is ${amount(1000 * path.off[at], 1)} mm off the straight line.`;
    const leaps = `A joint jumps just before ${jumps.join(" and ")}, by up to ${fixed(most(path.moves), 0)}°.`;
    const sentence =
      `${here} ${jumps.length > 0 ? leaps : incomplete ? "" : `No joint jumps by more than ${jump}°.`}`.trim();
    return { sentence, tone: incomplete || jumps.length > 0 ? "bad" : "plain", heads, rows, colours: COLOURS };
  }
}
