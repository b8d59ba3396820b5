/** Elements of pictures in space: lines, arrows, frames and a moving box. */

export { CapsuleGeometry, Mesh, MeshStandardMaterial } from "three";

import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Matrix } from "../kernels.ts";
import type { Space } from "./scene.ts";

const AXES = ["vermilion", "green", "blue"]; // x, y, z
const LEAST = 1e-6; // m: shorter arrows are hidden
const ALONG = new Vector3(0, 1, 0); // direction of three's cylinders

/** Return a pose as a three.js matrix. */
export function matrix4(T: Matrix): Matrix4 {
  return new Matrix4().fromArray(T.flat()).transpose();
}

/** Return the position of a pose [m]. */
export function positionOf(T: Matrix): number[] {
  return [T[0][3], T[1][3], T[2][3]];
}

export class Way {
  private readonly line: Line2;

  constructor(space: Space, colour: string, width: number, dash?: [number, number]) {
    const [dashSize, gapSize] = dash ?? [1, 0];
    const material = new LineMaterial({ linewidth: width, dashed: dash !== undefined, dashSize, gapSize });
    this.line = new Line2(new LineGeometry(), space.palette.paint(material, colour));
    this.line.frustumCulled = false;
    material.resolution.set(space.width, space.height);
    space.add(this.line);
  }

  /** Set the points [m]; fewer than two are no line. */
  through(points: number[][]): void {
    this.line.visible = points.length > 1;
    if (!this.line.visible) return;
    this.line.geometry.dispose();
    this.line.geometry = new LineGeometry();
    this.line.geometry.setPositions(points.flat());
    this.line.computeLineDistances();
  }

  /** Set both ends [m]. */
  between(from: number[], to: number[]): void {
    this.through([from, to]);
  }
}

export class SpaceArrow {
  readonly group = new Group();
  private readonly shaft: Mesh;
  private readonly head: Mesh;

  constructor(space: Space, colour: string, width: number, parent?: Group) {
    const material = space.palette.paint(new MeshStandardMaterial({ roughness: 0.55 }), colour);
    this.shaft = new Mesh(new CylinderGeometry(width, width, 1, 16), material);
    this.head = new Mesh(new ConeGeometry(2.6 * width, 7 * width, 20), material);
    this.group.add(this.shaft, this.head);
    if (parent) parent.add(this.group);
    else space.add(this.group);
  }

  /** Set root and vector [m]. */
  draw(root: number[], way: number[]): void {
    const arrow = new Vector3(way[0], way[1], way[2]);
    const length = arrow.length();
    this.group.visible = length > LEAST;
    if (!this.group.visible) return;
    const { height } = (this.head.geometry as ConeGeometry).parameters;
    const head = Math.min(height, length);
    this.head.scale.setScalar(head / height);
    this.head.position.y = length - head / 2;
    this.shaft.scale.y = Math.max(length - head, LEAST);
    this.shaft.position.y = (length - head) / 2;
    this.group.position.set(root[0], root[1], root[2]);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(ALONG, arrow.divideScalar(length)));
  }
}

/** The axes of a frame: x vermilion, y green, z blue. */
export class Frame {
  readonly group = new Group();

  constructor(space: Space, length: number, width: number) {
    this.group.matrixAutoUpdate = false;
    AXES.forEach((colour, axis) => {
      const way = [0, 0, 0];
      way[axis] = length;
      new SpaceArrow(space, colour, width, this.group).draw([0, 0, 0], way);
    });
    space.add(this.group);
  }

  place(T: Matrix): void {
    this.group.matrix.copy(matrix4(T));
  }
}

/** A box with edges, whose sides show its orientation. */
export class Box {
  readonly group = new Group();

  constructor(space: Space, size: number[], colour: string, opacity = 1) {
    const shape = new BoxGeometry(size[0], size[1], size[2]);
    const looks = { roughness: 0.7, transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
    const body = new Mesh(shape, space.palette.paint(new MeshStandardMaterial(looks), colour));
    const edge = new LineBasicMaterial({ transparent: opacity < 1, opacity: Math.min(1, 1.6 * opacity) });
    const rim = new LineSegments(new EdgesGeometry(shape), space.palette.paint(edge, "ink"));
    this.group.add(body, rim);
    this.group.matrixAutoUpdate = false;
    space.add(this.group);
  }

  place(T: Matrix | undefined): void {
    this.group.visible = T !== undefined;
    if (T) this.group.matrix.copy(matrix4(T));
  }
}

export class Ball {
  private readonly mesh: Mesh;

  constructor(space: Space, radius: number, colour: string, opacity = 1) {
    const looks = { roughness: 0.6, transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
    const material = space.palette.paint(new MeshStandardMaterial(looks), colour);
    this.mesh = new Mesh(new SphereGeometry(radius, 48, 32), material);
    space.add(this.mesh);
  }

  /** Set the centre [m] and a scale. */
  place(centre: number[], times = 1): void {
    this.mesh.position.set(centre[0], centre[1], centre[2]);
    this.mesh.scale.setScalar(times);
    this.mesh.visible = times > 0;
  }
}
