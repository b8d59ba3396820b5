/** The velocities of a tip for unit joint rates: an ellipsoid with its half axes. */

import { DoubleSide, Matrix4, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from "three";
import type { Space } from "./scene.ts";
import { Way } from "./shapes.ts";

const COLOURS = ["blue", "green", "vermilion"]; // of the half axes, from the longest to the shortest
const FLAT = 0.004; // of the longest half axis: a thinner face cannot be shaded

export class Ellipsoid {
  private readonly body: Mesh;
  private readonly axes: Way[];

  constructor(space: Space) {
    const looks = { roughness: 0.6, transparent: true, opacity: 0.3, depthWrite: false, side: DoubleSide };
    const skin = space.palette.paint(new MeshStandardMaterial(looks), "sky");
    this.body = new Mesh(new SphereGeometry(1, 48, 32), skin);
    this.body.matrixAutoUpdate = false;
    space.add(this.body);
    this.axes = COLOURS.map((colour) => new Way(space, colour, 3.2));
  }

  /** Set the centre, and the half axes by length and direction, the longest first [m]. */
  place(centre: number[], directions: number[][], lengths: number[]): void {
    const least = FLAT * Math.max(...lengths, 1e-9);
    const [a, b, c] = directions.map(([x, y, z], k) =>
      new Vector3(x, y, z).multiplyScalar(Math.max(lengths[k], least)),
    );
    this.body.matrix.copy(new Matrix4().makeBasis(a, b, c).setPosition(centre[0], centre[1], centre[2]));
    this.axes.forEach((axis, k) => {
      const end = (sign: number) => centre.map((at, i) => at + sign * lengths[k] * directions[k][i]);
      axis.through(lengths[k] > least ? [end(-1), end(1)] : []);
    });
  }
}
