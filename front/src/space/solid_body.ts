/** A robot's body of solids, each attached to a frame: capsules, drums and rounded boxes. */

import {
  type BufferGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Matrix } from "../kernels.ts";
import type { Space } from "./scene.ts";
import { matrix4 } from "./shapes.ts";

const UP = new Vector3(0, 1, 0); // direction of three's cylinders
const AROUND = 28;
const ROUNDING = 4; // segments of a box’s edge

/** Data of a part from Python: `Part` in `live/tree_data.py`. */
export interface PartData {
  frame: string;
  kind: string;
  /** Capsule: both ends and radii; drum: centre, axis, radius, length; block: centre, size, bevel [m]. */
  measures: (number | number[])[];
  colour: string;
}

export class SolidBody {
  private readonly carriers = new Map<string, Group>();

  constructor(space: Space, parts: PartData[]) {
    const paints = new Map<string, MeshStandardMaterial>();
    for (const part of parts) {
      const plain = new MeshStandardMaterial({ roughness: 0.45 });
      const paint = paints.get(part.colour) ?? space.palette.paint(plain, part.colour);
      paints.set(part.colour, paint);
      const carrier = this.carriers.get(part.frame) ?? new Group();
      this.carriers.set(part.frame, carrier);
      carrier.matrixAutoUpdate = false;
      carrier.add(...solid(part, paint));
    }
    space.add(...this.carriers.values());
  }

  /** Set the poses from a kernel: T_FRAME of every frame with a solid. */
  place(state: Record<string, Matrix>): void {
    for (const [frame, carrier] of this.carriers) carrier.matrix.copy(matrix4(state[`T_${frame}`]));
  }
}

function solid({ kind, measures }: PartData, paint: MeshStandardMaterial): Mesh[] {
  const [first, second, third, fourth] = measures;
  if (kind === "capsule") {
    const [from, to] = [vector(first), vector(second)];
    const radii = third as number[];
    const along = to.clone().sub(from);
    const balls = [from, to].map((centre, k) => placeMesh(new SphereGeometry(radii[k], AROUND, 18), paint, centre));
    if (along.length() === 0) return balls.slice(0, 1);
    const rod = new CylinderGeometry(radii[1], radii[0], along.length(), AROUND, 1, true);
    return [...balls, placeMesh(rod, paint, from.addScaledVector(along, 0.5), along)];
  }
  if (kind === "drum") {
    const [radius, length] = [third as number, fourth as number];
    return [placeMesh(new CylinderGeometry(radius, radius, length, AROUND), paint, vector(first), vector(second))];
  }
  const [x, y, z] = second as number[];
  return [placeMesh(new RoundedBoxGeometry(x, y, z, ROUNDING, third as number), paint, vector(first))];
}

function placeMesh(shape: BufferGeometry, paint: MeshStandardMaterial, centre: Vector3, axis?: Vector3): Mesh {
  const mesh = new Mesh(shape, paint);
  mesh.position.copy(centre);
  if (axis) mesh.quaternion.copy(new Quaternion().setFromUnitVectors(UP, axis.clone().normalize()));
  return mesh;
}

function vector(numbers: number | number[]): Vector3 {
  return new Vector3(...(numbers as number[]));
}
