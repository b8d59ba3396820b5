/** Lesson 21: all solutions of a pose beside a post; colliding ones are red. Distances by the printed code. */

import type { ClosedForm } from "../../../front/src/closed_form.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import { type Matrix, type PrintedFunction, packMatrix } from "../../../front/src/kernels.ts";
import { fixed } from "../../../front/src/numbers.ts";
import { element } from "../../../front/src/page.ts";
import { paleArms, SpaceArm } from "../../../front/src/space/arm.ts";
import type { ArmData } from "../../../front/src/space/arm_scene.ts";
import { Space } from "../../../front/src/space/scene.ts";
import { CapsuleGeometry, Frame, Mesh, MeshStandardMaterial, positionOf } from "../../../front/src/space/shapes.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { type Answer, answersTo, apart } from "../branches/view.ts";

const RATIO = 1.5; // width over height
const MOST = 8; // solutions
const COLOURS = ["blue", "vermilion"]; // colours of free and of colliding arms
const STEP = 0.01; // m per key

interface Data extends ArmData {
  begin: number[];
  closed: ClosedForm;
  hand: number[];
  post: number;
  scene: {
    joints: Matrix;
    carriers: number[];
    bodies: Matrix;
    first: number[];
    second: number[];
    pairs: string[][];
  };
}

/** Smallest distance of a solution, and its pair of bodies [m]. */
interface Room {
  least: number;
  pair: string[];
}

export function obstacle(stage: Stage<Data>): View {
  const { state, kernels, data } = stage;
  const picture = element("div", "live-panel-picture", stage.root);
  const space = new Space(picture, data.centre, data.eye, stage.specification.about, stage.redraw, RATIO);
  space.layFloor(1.25, 0.25);
  const solid = new SpaceArm(space, data, { shell: "shell", joint: "ink" });
  const ghosts = COLOURS.map((colour) => paleArms(space, data, colour, MOST));
  const post = new Mesh(undefined, space.palette.paint(new MeshStandardMaterial({ roughness: 0.6 }), "steel"));
  post.rotation.x = Math.PI / 2; // three's capsules are along y
  space.add(post);
  let drawnHeight = -1; // the displayed height of the post
  const goal = new Frame(space, 0.17 * data.reach, 0.011 * data.reach);
  let standing = data.begin;

  const target = (): Matrix => kernels.target_kernel(state.numbersOf("x", "y", "z"), data.hand).T;
  const dragged = (name: string, x: string, y: string, height: string) =>
    controlHandle(picture, state, name, "ink live-hollow", { [x]: STEP, [y]: STEP }, (pixel) =>
      space.onFloor(pixel, state.number(height)),
    );
  const handle = dragged("target", "x", "y", "z");
  const grip = dragged("post", "px", "py", "height");

  /** Return the clearance of each solution. */
  function roomsOf(answers: Answer[]): Room[] {
    if (answers.length === 0) return [];
    const { joints, carriers, first, second, pairs } = data.scene;
    const [x, y, high] = state.numbersOf("px", "py", "height");
    const bodies = [...data.scene.bodies.slice(0, -1), [x, y, 0, 0, 0, high, data.post]];
    const table = { at: new Float64Array(answers.length * pairs.length), rows: answers.length, columns: pairs.length };
    const [Q, A, B] = [answers.map(({ q }) => q), joints, bodies].map(packMatrix);
    const distances = kernels.distances_of as unknown as PrintedFunction;
    distances(A, Q, carriers, B, first, second, [], table, { at: new Float64Array(0), rows: 0, columns: 0 });
    return answers.map((_, i) => {
      const each = [...table.at.slice(i * pairs.length, (i + 1) * pairs.length)];
      const least = Math.min(...each);
      return { least, pair: pairs[each.indexOf(least)] };
    });
  }

  function standPost(): void {
    const [x, y, high] = state.numbersOf("px", "py", "height");
    if (high !== drawnHeight) {
      post.geometry.dispose();
      post.geometry = new CapsuleGeometry(data.post, high, 12, 24);
      drawnHeight = high;
    }
    post.position.set(x, y, 0.5 * high);
    grip.placePoint(space.at([x, y, high]), [x, y]);
  }

  return {
    draw(): Reading {
      const T = target();
      const answers = answersTo(kernels, data.closed, T, 0);
      const rooms = roomsOf(answers);
      const far = answers.map(({ q }, i) => (rooms[i].least > 0 ? apart(q, standing) : Number.POSITIVE_INFINITY));
      const least = Math.min(...far);
      const nearest = Number.isFinite(least) ? far.indexOf(least) : -1;
      if (nearest >= 0) standing = answers[nearest].q;
      solid.show(nearest >= 0);
      if (nearest >= 0) solid.place(kernels.arm_ur10(standing));
      ghosts.forEach((show, k) => {
        const others = answers.filter((_, i) => i !== nearest && rooms[i].least > 0 === (k === 0));
        show(others.map(({ q }) => kernels.arm_ur10(q)));
      });
      goal.place(T);
      standPost();
      space.render();
      handle.placePoint(space.at(positionOf(T)), positionOf(T));
      return read(answers, rooms, nearest);
    },
    reset: () => {
      standing = data.begin;
    },
    parts: () => [space],
  };
}

function read(answers: Answer[], rooms: Room[], nearest: number): Reading {
  const count = answers.length;
  const free = rooms.filter(({ least }) => least > 0).length;
  const facts = { count, free };
  if (count === 0) return { sentence: "No solution: the pose is out of reach.", tone: "bad", facts };
  const many = `${count} ${count === 1 ? "solution" : "solutions"}`;
  const pair = nearest >= 0 ? rooms[nearest].pair.join(" and ") : "";
  const solid = nearest >= 0 ? `The solid arm shows the nearest free solution: ${answers[nearest].name}. ` : "";
  return {
    sentence:
      free > 0
        ? `${many}, ${free} free. ${solid}Its smallest clearance is between ${pair}.`
        : `${many}, and each of them touches something.`,
    tone: free > 0 ? "plain" : "bad",
    heads: ["solution", "clearance [mm]"],
    rows: answers.map(({ name }, i) => [name, clearance(rooms[i].least)]),
    colours: rooms.map(({ least }) => COLOURS[least > 0 ? 0 : 1]),
    facts,
  };
}

/** Return a clearance without decimals, if that is not zero [mm]. */
function clearance(least: number): string {
  const text = fixed(1000 * least, 0);
  return Number(text) === 0 ? String(Number((1000 * least).toPrecision(1))).replace("-", "−") : text;
}
