/** A robot's body: its published shape, or tapering limbs between neighbouring axes. */

import { CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Matrix } from "../kernels.ts";
import { LinkShapes, linksOf } from "./link_shapes.ts";
import type { Space } from "./scene.ts";
import { Way } from "./shapes.ts";

const THICK = 0.034; // radius of the first limb, relative to the body's length
const TAPER = 0.55; // of the last limb, relative to the first
const DRUM = [1.28, 2.5]; // radius and length of a revolute joint, relative to its limb's radius
const LEAST = 1e-4; // m: shorter limbs are hidden
const UP = new Vector3(0, 1, 0); // direction of three's cylinders

export interface BodyData {
  joints: number[];
  carriers: number[];
  kinds: string[];
  reach: number;
  grips: (number | null)[];
  /** Of a published shape. */
  shape: string | null;
}

/** Outputs of the arm's kernel: pose of the tip, current screws, corners of the body, and motion of each link. */
export type ArmState = Record<string, Matrix>;

interface Dress {
  place(state: ArmState): void;
}

export interface Looks {
  shell: string;
  joint: string;
  /** Relative thickness, by default 1. */
  slim?: number;
  /** Opacity, by default 1; other arms are visible through a lower one. */
  opacity?: number;
}

/** A limb: a tapering rod with a ball at each end. */
class Limb {
  private readonly rod: Mesh;
  private readonly balls: Mesh[];

  constructor(group: Group, material: MeshStandardMaterial, before: number, after: number) {
    this.rod = new Mesh(new CylinderGeometry(after, before, 1, 24, 1, true), material);
    this.balls = [before, after].map((radius) => new Mesh(new SphereGeometry(radius, 24, 16), material));
    group.add(this.rod, ...this.balls);
  }

  place(from: number[], to: number[]): void {
    const [start, end] = [from, to].map((point) => new Vector3(point[0], point[1], point[2]));
    const along = end.clone().sub(start);
    const length = along.length();
    this.balls[0].position.copy(start);
    this.balls[1].position.copy(end);
    this.rod.visible = length > LEAST;
    if (!this.rod.visible) return;
    this.rod.position.copy(start).addScaledVector(along, 0.5);
    this.rod.scale.y = length;
    this.rod.quaternion.copy(new Quaternion().setFromUnitVectors(UP, along.divideScalar(length)));
  }
}

/** Limbs, a drum on each revolute joint, and a flange. */
class Rods implements Dress {
  private readonly data: BodyData;
  private readonly limbs: Limb[];
  private readonly drums: Mesh[];
  private readonly flange: Mesh;

  constructor(group: Group, data: BodyData, shell: MeshStandardMaterial, joint: MeshStandardMaterial, slim: number) {
    this.data = data;
    const n = data.joints.length;
    const radius = (link: number) => THICK * data.reach * slim * (1 - (1 - TAPER) * (link / n));
    const { carriers } = data;
    this.limbs = carriers.slice(1).map((link, k) => new Limb(group, shell, radius(carriers[k]), radius(link)));
    this.drums = data.kinds.map((kind, i) => {
      const r = radius(i) * DRUM[0];
      const shape = new CylinderGeometry(r, r, radius(i) * DRUM[1], 28);
      const drum = new Mesh(shape, joint);
      drum.visible = kind !== "prismatic";
      return drum;
    });
    this.flange = new Mesh(new CylinderGeometry(1.1 * radius(n), 1.1 * radius(n), 0.7 * radius(n), 28), joint);
    group.add(...this.drums, this.flange);
  }

  place({ points, J_s, T }: ArmState): void {
    this.limbs.forEach((limb, k) => {
      limb.place(points[k], points[k + 1]);
    });
    this.drums.forEach((drum, i) => {
      const at = points[this.data.joints[i]];
      drum.position.set(at[0], at[1], at[2]);
      drum.quaternion.setFromUnitVectors(UP, new Vector3(J_s[0][i], J_s[1][i], J_s[2][i]).normalize());
    });
    this.flange.position.set(T[0][3], T[1][3], T[2][3]);
    this.flange.quaternion.setFromUnitVectors(UP, new Vector3(T[0][2], T[1][2], T[2][2]));
  }
}

/** Return a function that shows slim arms of one colour at some states; at most `most`. */
export function paleArms(space: Space, data: BodyData, colour: string, most: number): (states: ArmState[]) => void {
  const looks = { shell: colour, joint: colour, slim: 0.4, opacity: 0.5 };
  const arms = Array.from({ length: most }, () => new SpaceArm(space, { ...data, shape: null }, looks));
  return (states) =>
    arms.forEach((arm, i) => {
      arm.show(i < states.length);
      if (i < states.length) arm.place(states[i]);
    });
}

export class SpaceArm {
  readonly group = new Group();
  private readonly dress: Dress;
  private readonly shadow: Way;
  private readonly space: Space;

  constructor(space: Space, data: BodyData, looks: Looks) {
    this.space = space;
    const { opacity = 1, slim = 1 } = looks;
    const clear = { transparent: opacity < 1, opacity };
    const shell = space.palette.paint(new MeshStandardMaterial({ roughness: 0.45, ...clear }), looks.shell);
    const joint = space.palette.paint(new MeshStandardMaterial({ roughness: 0.4, ...clear }), looks.joint);
    const links = linksOf(data.shape);
    this.dress = links ? new LinkShapes(this.group, links, shell) : new Rods(this.group, data, shell, joint, slim);
    space.add(this.group);
    this.shadow = new Way(space, "line", 5);
  }

  show(visible: boolean): void {
    this.group.visible = visible;
    if (!visible) this.shadow.through([]);
  }

  /** Set the pose from the kernel's outputs. */
  place(state: ArmState): void {
    this.dress.place(state);
    this.shadow.through(state.points.map(([x, y]) => [x, y, this.space.floor]));
  }
}
