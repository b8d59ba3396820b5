/** The velocities of a tip for unit joint rates: an ellipsoid with its semi-axes. */

import { DoubleSide, Matrix4, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from "three";
import type { Space } from "./scene.ts";
import { Way } from "./shapes.ts";

const COLOURS = ["blue", "green", "vermilion"]; // of the semi-axes, from the longest to the shortest
const FLAT = 0.004; // of the longest semi-axis: a thinner face cannot be shaded

/** Add an ellipsoid; return the function that sets its centre, and the semi-axes, the longest first [m]. */
export function addEllipsoid(space: Space) {
  const looks = { roughness: 0.6, transparent: true, opacity: 0.3, depthWrite: false, side: DoubleSide };
  const skin = space.palette.paint(new MeshStandardMaterial(looks), "sky");
  const body = new Mesh(new SphereGeometry(1, 48, 32), skin);
  body.matrixAutoUpdate = false;
  space.add(body);
  const axes = COLOURS.map((colour) => new Way(space, colour, 3.2));
  return (centre: number[], directions: number[][], lengths: number[]) => {
    const least = FLAT * Math.max(...lengths, 1e-9);
    const drawn = (k: number) => new Vector3(...directions[k]).multiplyScalar(Math.max(lengths[k], least));
    const turned = new Matrix4().makeBasis(drawn(0), drawn(1), drawn(2));
    body.matrix.copy(turned.setPosition(centre[0], centre[1], centre[2]));
    axes.forEach((axis, k) => {
      const end = (sign: number) => centre.map((at, i) => at + sign * lengths[k] * directions[k][i]);
      axis.through(lengths[k] > least ? [end(-1), end(1)] : []);
    });
  };
}
