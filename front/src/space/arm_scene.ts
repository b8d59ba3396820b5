/** An arm on its floor: its start, its target, and pale copies at its iterates. */

import type { Kernels, Matrix } from "../kernels.ts";
import type { Stage } from "../view.ts";
import { type BodyData, SpaceArm } from "./arm.ts";
import { Space } from "./scene.ts";
import { Frame, positionOf, Way } from "./shapes.ts";
import { addStrands } from "./strands.ts";

const MOST = 60; // pale copies; of more iterates some are skipped
const SQUARE = 0.25; // m: side of the floor's squares for an arm of
const REACH = 1.9; // m; it doubles and halves with the arm
const INNER = 0.55; // relative thickness of a second arm, so that it is visible within the first

/** Data of an arm from Python: `live/arm_data.py`. */
export interface ArmData extends BodyData {
  name: string;
  /** Suffix of the kernel names. */
  tag: string;
  /** Camera position and point looked at [m]. */
  eye: number[];
  centre: number[];
  floor: number;
}

export class ArmScene {
  readonly space: Space;
  private readonly kernels: Kernels;
  private readonly data: ArmData;
  private readonly arms: SpaceArm[];
  private readonly ghosts: ReturnType<typeof addStrands>[];
  private readonly ways: Way[];
  private readonly begin: Way;
  private readonly goal: Frame;
  private readonly hands: Frame[];

  /** Create the picture with an arm in each of some colours. */
  constructor(stage: Stage<unknown>, root: HTMLElement, data: ArmData, ratio: number, colours = ["blue"]) {
    const { reach } = data;
    this.kernels = stage.kernels;
    this.data = data;
    this.space = new Space(root, data.centre, data.eye, stage.specification.about, stage.redraw, ratio);
    const side = SQUARE * 2 ** Math.ceil(Math.log2(reach / REACH));
    this.space.layFloor(5 * side, side, [0, 0], data.floor);
    const alone = colours.length === 1;
    const looks = (joint: string, k: number) =>
      alone
        ? { shell: "shell", joint }
        : { shell: joint, joint, slim: k === 0 ? 1 : INNER, opacity: k === 0 ? 0.5 : 1 };
    this.arms = colours.map((joint, k) => new SpaceArm(this.space, data, looks(joint, k)));
    this.ghosts = colours.map((colour) => addStrands(this.space, colour, 2.5, 0.38));
    this.ways = colours.map((colour) => new Way(this.space, colour, 2.5, [0.03 * reach, 0.02 * reach]));
    this.begin = new Way(this.space, "steel", 5);
    this.goal = new Frame(this.space, 0.17 * reach, 0.011 * reach);
    this.goal.group.visible = false; // until there is a solve
    this.hands = colours.map(() => new Frame(this.space, 0.1 * reach, 0.006 * reach));
  }

  get reach(): number {
    return this.data.reach;
  }

  aim(target: Matrix): void {
    this.goal.group.visible = true;
    this.goal.place(target);
  }

  /** Show the start of a solve. */
  from(start: number[]): void {
    this.begin.through(this.shape(start).points);
  }

  /** Show an iterate, with pale copies of those before. */
  stand(iterates: number[][], at: number, which = 0): void {
    const before = iterates.slice(0, at + 1).map((q) => this.shape(q));
    const every = Math.ceil(before.length / MOST);
    this.arms[which].place(before[at]);
    this.hands[which].place(before[at].T);
    this.ghosts[which](before.filter((_, k) => k % every === 0).map((shape) => shape.points));
    this.ways[which].through(before.map((shape) => positionOf(shape.T)));
  }

  /** Return the pixel of a body's corner at a configuration. */
  corner(q: number[], corner: number): [number, number] {
    return this.space.at(this.shape(q).points[corner]);
  }

  shape(q: number[]): Record<string, Matrix> {
    return this.kernels[`arm_${this.data.tag}`](q);
  }

  reset(): void {
    this.space.reset();
  }

  dispose(): void {
    this.space.dispose();
    this.space.root.replaceChildren();
  }
}
