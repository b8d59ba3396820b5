/** A flat disc of rings around the origin, in one colour that is laid on as thickly as a number says. */

import { DoubleSide, Mesh, MeshBasicMaterial, RingGeometry } from "three";
import type { Space } from "./scene.ts";

const AROUND = 72;
const THICKEST = 0.85;

/** Lay rings out to a radius; `shares` says for each, from the middle on, how thickly it is painted, from 0 to 1. */
export function layRings(space: Space, colour: string, radius: number, shares: number[]): void {
  const width = radius / shares.length;
  shares.forEach((share, k) => {
    const looks = { transparent: true, opacity: THICKEST * share, depthWrite: false, side: DoubleSide };
    const ring = new RingGeometry(k * width, (k + 1) * width, AROUND);
    space.add(new Mesh(ring, space.palette.paint(new MeshBasicMaterial(looks), colour)));
  });
}
