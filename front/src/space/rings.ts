/** A flat disc of rings around the origin, in one colour with variable opacity. */

import { DoubleSide, Mesh, MeshBasicMaterial, RingGeometry } from "three";
import type { Space } from "./scene.ts";

const AROUND = 72;
const THICKEST = 0.85;

/** Draw rings up to a radius; `shares` is the opacity of each from the middle on, 0 to 1. */
export function layRings(space: Space, colour: string, radius: number, shares: number[]): void {
  const width = radius / shares.length;
  shares.forEach((share, k) => {
    const looks = { transparent: true, opacity: THICKEST * share, depthWrite: false, side: DoubleSide };
    const ring = new RingGeometry(k * width, (k + 1) * width, AROUND);
    space.add(new Mesh(ring, space.palette.paint(new MeshBasicMaterial(looks), colour)));
  });
}
