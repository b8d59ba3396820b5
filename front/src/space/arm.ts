/** A robot's body, made from its screws alone: a limb between neighbouring axes, a drum on each hinge, a flange. */

import { CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Matrix } from "../kernels.ts";
import type { Space } from "./scene.ts";
import { Way } from "./shapes.ts";

const THICK = 0.034; // radius of the first limb, as a part of the body's length
const TAPER = 0.55; // of the last limb, as a part of the first
const DRUM = [1.28, 2.5]; // radius and length of a hinge, in radii of its limb
const LEAST = 1e-4; // m: a shorter limb is not drawn
const UP = new Vector3(0, 1, 0); // the direction of three's cylinders

export interface BodyData {
  joints: number[];
  carriers: number[];
  kinds: string[];
  reach: number;
  grips: (number | null)[];
}

export interface Looks {
  shell: string;
  hinge: string;
  /** Of its thickness, 1 as a rule. */
  slim?: number;
  /** 1 as a rule; through a lower one another arm is seen. */
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

export class SpaceArm {
  readonly group = new Group();
  private readonly data: BodyData;
  private readonly limbs: Limb[];
  private readonly hinges: Mesh[];
  private readonly flange: Mesh;
  private readonly shadow: Way;
  private readonly space: Space;

  constructor(space: Space, data: BodyData, looks: Looks) {
    this.data = data;
    this.space = space;
    const { opacity = 1 } = looks;
    const clear = { transparent: opacity < 1, opacity };
    const shell = space.palette.paint(new MeshStandardMaterial({ roughness: 0.45, ...clear }), looks.shell);
    const hinge = space.palette.paint(new MeshStandardMaterial({ roughness: 0.4, ...clear }), looks.hinge);
    const n = data.joints.length;
    const radius = (link: number) => THICK * data.reach * (looks.slim ?? 1) * (1 - (1 - TAPER) * (link / n));
    const { carriers } = data;
    this.limbs = carriers.slice(1).map((link, k) => new Limb(this.group, shell, radius(carriers[k]), radius(link)));
    this.hinges = data.kinds.map((kind, i) => {
      const r = radius(i) * DRUM[0];
      const shape = new CylinderGeometry(r, r, radius(i) * DRUM[1], 28);
      const drum = new Mesh(shape, hinge);
      drum.visible = kind !== "prismatic";
      return drum;
    });
    this.flange = new Mesh(new CylinderGeometry(1.1 * radius(n), 1.1 * radius(n), 0.7 * radius(n), 28), hinge);
    this.group.add(...this.hinges, this.flange);
    space.add(this.group);
    this.shadow = new Way(space, "line", 5);
  }

  show(visible: boolean): void {
    this.group.visible = visible;
    if (!visible) this.shadow.through([]);
  }

  /** Stand as the kernel says: the corners of the body, the carried screws, the pose of the tip. */
  place(points: Matrix, screws: Matrix, T: Matrix): void {
    this.limbs.forEach((limb, k) => {
      limb.place(points[k], points[k + 1]);
    });
    this.hinges.forEach((hinge, i) => {
      const at = points[this.data.joints[i]];
      hinge.position.set(at[0], at[1], at[2]);
      hinge.quaternion.setFromUnitVectors(UP, new Vector3(screws[0][i], screws[1][i], screws[2][i]).normalize());
    });
    this.flange.position.set(T[0][3], T[1][3], T[2][3]);
    this.flange.quaternion.setFromUnitVectors(UP, new Vector3(T[0][2], T[1][2], T[2][2]));
    this.shadow.through(points.map(([x, y]) => [x, y, this.space.floor]));
  }
}
