/** Bring your robot: the page reads a URDF or a table of rows, draws the robot, and solves it as a generic chain. */

import { type Chain, isCoupled, kernelsOf, TAG } from "../../../front/src/any_chain.ts";
import { allSolutions, type Form, type FormWords, formOf, type Solutions } from "../../../front/src/closed_form.ts";
import { Handle, type Point } from "../../../front/src/handle.ts";
import { type Kernels, logarithm, type Matrix } from "../../../front/src/kernels.ts";
import { poseAt } from "../../../front/src/matrix.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addButton, addMenu, element, fillTable, say } from "../../../front/src/page.ts";
import { addPlayer } from "../../../front/src/player.ts";
import { shapeFor } from "../../../front/src/shape_data.ts";
import { angleOf, distanceOf, type Run, Solver, type Stop } from "../../../front/src/solver.ts";
import { paleArms } from "../../../front/src/space/arm.ts";
import { ArmScene } from "../../../front/src/space/arm_scene.ts";
import { positionOf } from "../../../front/src/space/shapes.ts";
import { addStrands } from "../../../front/src/space/strands.ts";
import type { Value } from "../../../front/src/specification.ts";
import { svd } from "../../../front/src/svd.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { CONVENTIONS, chainOfRows, readRows } from "./dh.ts";
import { robotControls } from "./robot_controls.ts";
import { chainBetween, longestWay, MOST_BYTES, type Robot, readRobot, UrdfProblem } from "./urdf.ts";
import { type CauseWords, why } from "./why.ts";
import { parseXml, tooLarge } from "./xml.ts";

const RATIO = 1.25; // width over height
const EYE = [0.85, -2.2, 0.95]; // camera position, in lengths of the arm
const AXIS = 0.16; // half of a drawn axis, in lengths of the arm
const MOST = 8; // solutions of a closed form
const NAME_LENGTH = 40; // letters of a name that are shown
const TWIST = ["ω_{x}", "ω_{y}", "ω_{z}", "v_{x}", "v_{y}", "v_{z}"];
const PLACE = ["x", "y", "z"];

interface Sample {
  name: string;
  urdf: string;
  starts: Record<string, number>;
}

interface Data {
  samples: Sample[];
  stop: Stop;
  /** Initial text of the box for rows. */
  rows: string;
  forms: FormWords;
  causes: CauseWords;
}

/** The displayed arm and its data. */
interface LoadedRobot {
  chain: Chain;
  kernels: Kernels;
  solver: Solver;
  scene: ArmScene;
  axes: ReturnType<typeof addStrands>;
  handle: Handle;
  /** Shows further arms, one per solution. */
  pale: ReturnType<typeof paleArms>;
}

export function robot(stage: Stage<Data>): View {
  const { state } = stage;
  const { samples, stop, rows, forms, causes } = stage.data;
  const bar = element("div", "live-buttons live-load", stage.root);
  const ends = element("div", "live-buttons live-load", stage.root);
  addRows(rows, (text, convention) =>
    attempt(() => {
      show(chainOfRows(stage.kernels, readRows(text), convention), {});
      ends.replaceChildren();
      return "";
    }),
  );
  const errorMessage = element("p", "live-refused", stage.root);
  errorMessage.setAttribute("role", "alert");
  const picture = element("div", "live-panel-picture", stage.root);
  const player = addPlayer(stage.root, stage.redraw);
  const summary = element("p", "live-known", stage.root);
  const tables = [
    "Screws in {s} at q = 0, rad and m",
    "Home pose M: axes and origin of {b} in {s}, m",
    "Body Jacobian J_{b} at the step shown",
  ].map((title) => addTable(stage.root, title));

  let loadedRobot: LoadedRobot | undefined;
  let last = { start: "", goal: "" };
  let request = 0; // number of files so far: of two that are loading, the later one counts
  let run: Run | undefined;

  const start = ({ kinds }: Chain) =>
    kinds.map((kind, i) => state.number(`q${i + 1}`) * (kind === "prismatic" ? 1 : DEGREE));
  const target = (): Matrix => {
    const turn = PLACE.map((axis) => state.number(`w${axis}`) * DEGREE);
    return poseAt(stage.kernels.exp_so3_kernel(turn).R, state.numbersOf(...PLACE));
  };

  /** Show the chain between two links. */
  const showLinks = (from: Robot, base: string, tip: string, starts?: Record<string, Value>): void => {
    show(chainBetween(stage.kernels, from, base, tip), starts);
    addEnds(from, base, tip);
  };
  const show = (chain: Chain, starts?: Record<string, Value>): void => {
    const kernels = kernelsOf(stage.kernels, chain);
    const { controls, reach } = robotControls(chain, state.controls, (q) => {
      const { T } = kernels[`chain_${TAG}`](q);
      return [...positionOf(T), ...logarithm(kernels, T).slice(0, 3)];
    });
    loadedRobot?.scene.dispose();
    loadedRobot = undefined;
    const q = chain.names.map(() => 0);
    const points: Matrix = kernels[`arm_${TAG}`](q).points;
    const span = PLACE.map((_, i) => points.map((point) => point[i]));
    const centre = span.map((along) => (Math.min(...along) + Math.max(...along)) / 2);
    const eye = centre.map((middle, i) => middle + EYE[i] * reach);
    const { name, names, moves, carriers, joints } = chain;
    const kinds = moves.map(({ slides }) => (slides ? "prismatic" : "revolute"));
    const view = { tag: TAG, eye, centre, floor: Math.min(0, ...span[2]), grips: moves.map(() => null) };
    const data = { ...view, name, reach, joints, carriers, kinds, shape: shapeFor(chain.screws) };
    const scene = new ArmScene({ ...stage, kernels }, picture, data, RATIO);
    const axes = addStrands(scene.space, "purple", 2.5, 0.9);
    const solver = new Solver(kernels, TAG, names.length);
    const most = formOf(kernels, forms, chain, q).closed ? MOST : 0;
    const pale = paleArms(scene.space, data, "green", most);
    loadedRobot = { chain, kernels, solver, scene, axes, handle: targetHandle(scene, reach), pale };
    last = { start: "", goal: "" };
    if (starts) {
      state.replace(controls.map((control) => ({ ...control, start: starts[control.name] ?? control.start }) as never));
    }
  };

  /** Run the action of a file or a choice and report its result; on an error, keep the displayed arm. */
  const attempt = (what: () => string): void => {
    try {
      errorMessage.textContent = what();
    } catch (problem) {
      if (!(problem instanceof UrdfProblem)) throw problem;
      errorMessage.textContent = `${problem.message}. The previous robot is still shown.`;
    }
  };
  /** Show the contents of a file; return what was skipped. */
  const open = (text: string, file: string, starts?: Record<string, Value>): string => {
    const { root, warning } = parseXml(text, file);
    const loaded = readRobot(root, file);
    const [base, tip] = longestWay(loaded);
    showLinks(loaded, base, tip, starts);
    return warning;
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const own = ++request;
    const name = file.name.slice(0, NAME_LENGTH);
    const text = file.size > MOST_BYTES ? undefined : await file.text().catch(() => "");
    if (own !== request) return;
    attempt(() => {
      if (text === undefined) throw tooLarge(name);
      return open(text, name, {});
    });
  };

  const label = element("label", "live-file", bar, "Open a URDF …");
  const input = element("input", "", label);
  input.type = "file";
  input.accept = ".urdf,.xml";
  input.setAttribute("aria-label", "a URDF file");
  input.addEventListener("change", () => {
    void take(input.files?.[0]);
    input.value = ""; // so that the same corrected file can be chosen again
  });
  for (const { name, urdf, starts } of samples) {
    addButton(bar, name, () => attempt(() => open(urdf, name, starts)));
  }
  stage.root.addEventListener("dragover", (event) => event.preventDefault());
  stage.root.addEventListener("drop", (event) => {
    event.preventDefault();
    void take(event.dataTransfer?.files[0]);
  });
  open(samples[0].urdf, samples[0].name);

  /** Offer the links as ends of the chain. */
  function addEnds(from: Robot, base: string, tip: string): void {
    const now = [base, tip];
    ends.replaceChildren();
    const menus = ["base", "tip"].map((role, k) => {
      const menu = addMenu(ends, role, from.links, NAME_LENGTH);
      menu.value = now[k];
      menu.addEventListener("change", () => {
        attempt(() => {
          showLinks(from, menus[0].value, menus[1].value, {});
          return "";
        });
        menus.forEach((one, j) => {
          one.value = now[j];
        });
      });
      return menu;
    });
  }

  function targetHandle(scene: ArmScene, reach: number): Handle {
    const go = (at: number[]) => state.setOnGrid(Object.fromEntries(PLACE.map((axis, i) => [axis, at[i]])));
    const at = () => state.numbersOf(...PLACE);
    return new Handle(picture, {
      name: "target",
      looks: "ink",
      dragTo: (place: Point) => go(scene.space.beside(place, at())),
      step: (right, up) => go(at().map((entry, i) => entry + 0.02 * reach * [right, 0, up][i])),
    });
  }

  return {
    draw(): Reading {
      if (!loadedRobot) return { sentence: "" };
      const { chain, kernels, solver, scene, axes, handle, pale } = loadedRobot;
      const [begin, goal] = [start(chain), target()];
      const counts = Number(state.on("oriented"));
      const method = { name: "chan", kind: counts > 0 ? "body" : "exact", parameter: state.number("damping") };
      const weights = [counts, counts, counts, 1, 1, 1];
      const key = { start: JSON.stringify(begin), goal: JSON.stringify([goal, method, weights]) };
      if (key.start !== last.start || key.goal !== last.goal) {
        const limits = chain.limits.map((own) => [...own, 0]);
        run = solver.solve(goal, begin, { ...method, weights }, stop, limits);
        player.rest(key.goal === last.goal ? 0 : undefined); // show the moved joint, not the solution
        last = key;
      }
      const iterates = run?.iterates ?? [];
      player.bound(Math.max(iterates.length - 1, 0));
      const here = iterates[player.at];
      const q = here?.q ?? begin;
      scene.aim(goal);
      scene.from(begin);
      scene.stand(iterates.length > 0 ? iterates.map((one) => one.q) : [begin], player.at);
      const { points, J_s } = scene.shape(q);
      axes(chain.joints.map((corner, i) => alongAxis(points[corner], J_s, i, chain)));
      const form = formOf(kernels, forms, chain, begin);
      const answers = form.closed && allSolutions(kernels, form.closed, goal);
      const every = (answers?.solutions ?? []).map((solution) => wholeOf(solution.q, form.fixedJoint, begin));
      pale(state.on("every") ? every.map((one) => scene.shape(one)) : []);
      say(summary, knownOf(form, answers, chain, counts > 0));
      scene.space.render();
      const at = positionOf(goal);
      const words = PLACE.map((axis, i) => `${axis} ${fixed(at[i], 2)} m`).join(", ");
      handle.place(scene.space.at(at), words, at[0]);
      const J_b: Matrix = kernels[`chain_${TAG}`](q).J_b;
      const columns = chain.names.map((_, k) => `q_{${k + 1}}`);
      const fill = (which: number, heads: string[], names: string[], rows: Matrix) => {
        const body = names.map((name, k) => [name.slice(0, NAME_LENGTH), ...rows[k].map(format)]);
        fillTable(tables[which], ["", ...heads], body);
      };
      const moved = chain.moves.map(({ name }) => name);
      fill(0, TWIST, moved, chain.screws);
      fill(1, [...PLACE.map((axis) => `${axis}_{b}`), "p"], PLACE, chain.home);
      fill(2, columns, TWIST, J_b);
      const end = run?.iterates[run.steps];
      const reasons = () => {
        if (!end) return [];
        const there = { twist: end.twist, J_b: kernels[`chain_${TAG}`](end.q).J_b };
        const failure = { chain, form, goal, oriented: counts > 0, ...there, tolerance: stop, length: scene.reach };
        return why(kernels, causes, failure);
      };
      return reading(chain, run, player.at, counts > 0, J_b, kernels, reasons);
    },
    parts: () => [player, ...(loadedRobot ? [loadedRobot.scene] : [])],
  };

  /** Add a text box for rows. */
  function addRows(text: string, take: (text: string, convention: string) => void): void {
    const fold = element("details", "live-rows", stage.root);
    element("summary", "", fold, "Type Denavit-Hartenberg rows …");
    element("p", "", fold, ROWS);
    const box = element("textarea", "", fold);
    box.value = text;
    box.rows = text.split("\n").length;
    box.spellcheck = false;
    box.setAttribute("aria-label", "Denavit-Hartenberg rows");
    const line = element("div", "live-buttons", fold);
    const menu = addMenu(line, "convention", CONVENTIONS);
    addButton(line, "Show this arm", () => take(box.value, menu.value));
  }

  /** Return both ends of the line of a joint axis [m]. */
  function alongAxis(at: number[], J_s: Matrix, i: number, chain: Chain): Matrix {
    const first = chain.moves[i].slides ? 3 : 0;
    const far = AXIS * (loadedRobot?.scene.reach ?? 1);
    return [-far, far].map((part) => at.map((entry, k) => entry + part * J_s[first + k][i]));
  }
}

const ROWS =
  "One line for each joint: a α d, or a α d θ, in m and rad; 90° and -pi/2 are also accepted. Two more numbers are the " +
  "joint’s limits; the line may end with the word prismatic or fixed.";

function reading(
  chain: Chain,
  run: Run | undefined,
  at: number,
  oriented: boolean,
  J_b: Matrix,
  kernels: Kernels,
  reasons: () => string[],
): Reading {
  const count = chain.names.length;
  const steps = run?.steps ?? 0;
  const left = run?.iterates[steps]?.twist ?? [];
  const angle = oriented ? ` and ${amount(angleOf(left) / DEGREE, 2)}°` : "";
  const reached = run?.status === "converged";
  const plural = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
  const ending = `after ${plural(steps, "step")}`;
  const few =
    count < 6 && oriented ? " An arm with fewer than six joints reaches few poses: try the position alone." : "";
  const why = reached || !left.length ? "" : because(reasons(), few);
  const far = `: ${amount(1000 * distanceOf(left), 2)} mm${angle} left`;
  const end = reached ? `The target is reached ${ending}.` : `The target is not reached ${ending}${far}.${why}`;
  const verdict = left.length ? end : "The solve breaks down: its numbers are no longer finite.";
  const q = run?.iterates[steps]?.q ?? [];
  const atLimit = chain.names
    .filter((_, i) => chain.limits[i].includes(q[i]))
    .map((name) => name.slice(0, NAME_LENGTH));
  const summaryText = atLimit.slice(0, 4).join(", ") + (atLimit.length > 4 ? ", …" : "");
  const warning = atLimit.length > 0 ? ` At a joint limit: ${summaryText}.` : "";
  const twist = run?.iterates[at]?.twist ?? [];
  const residual = [`step ${at}`, fixed(1000 * distanceOf(twist), 3), fixed(angleOf(twist) / DEGREE, 4)];
  const { sigma } = svd(kernels, J_b);
  const values = sigma.slice(0, Math.min(count, 6)).map((value, i) => [`σ_{${i + 1}}`, fixed(value, 4)]);
  const robotName = chain.name.slice(0, NAME_LENGTH);
  const joints = isCoupled(chain)
    ? `${plural(chain.moves.length, "joint")}, moved by ${plural(count, "coordinate")}`
    : plural(count, "joint");
  return {
    sentence: `${robotName}, ${joints}. ${verdict}${warning}`,
    tone: !left.length ? "bad" : reached ? "good" : "plain",
    heads: ["residual", "mm", "°"],
    rows: [residual, ["singular values", ""], ...values],
  };
}

/** Return the causes as sentences, or a default one if none is established. */
function because(causes: string[], otherwise: string): string {
  return causes.length > 0 ? causes.map((cause) => ` ${cause[0].toUpperCase()}${cause.slice(1)}`).join("") : otherwise;
}

/** Return a solution of all joints; a fixed one stays at its start. */
function wholeOf(q: number[], fixedJoint: number | undefined, begin: number[]): number[] {
  return fixedJoint === undefined ? q : [...q.slice(0, fixedJoint), begin[fixedJoint], ...q.slice(fixedJoint)];
}

/** Describe an arm, and the number of solutions of the pose. */
function knownOf({ sentence }: Form, answers: Solutions | undefined, chain: Chain, oriented: boolean): string {
  const form = `${chain.name.slice(0, NAME_LENGTH)}: ${sentence}.`;
  if (!answers || !oriented) return form;
  const { solutions, doubtful } = answers;
  const alone = solutions.filter(({ free }) => !free).length;
  const curves = solutions.length > alone ? ", and curves of solutions along which a joint is free" : "";
  const count = `${alone} solution${alone === 1 ? "" : "s"} within the joint limits${curves}`;
  const doubt = doubtful ? " This count depends on rounding; Python computes with more digits." : "";
  return `${form} The pose has ${count}.${doubt} In Python, all_solutions reports whether it is proven that none is missing.`;
}

function format(value: number): string {
  return Math.abs(value) >= 1e5 ? value.toExponential(2) : fixed(value, 4);
}

/** Add a table with its own horizontal scrolling, by keys as well. */
function addTable(root: Element, title: string): HTMLTableElement {
  say(element("p", "live-bars-head", root), title);
  const frame = element("div", "live-wide", root);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", title.replace(/_\{(\w)\}/g, "$1"));
  return element("table", "live-reading", frame);
}
