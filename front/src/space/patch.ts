/** A flat polygon with a rim, in one of some colours. */

import { BufferGeometry, DoubleSide, Float32BufferAttribute, Mesh, MeshBasicMaterial } from "three";
import type { Space } from "./scene.ts";
import { Way } from "./shapes.ts";

const OPACITY = 0.3;

/** Add a polygon; return the function that sets its corners, convex [m], and its colour. */
export function addPatch(space: Space, colours: string[]): (corners: number[][], colour: string) => void {
  const fills = colours.map((colour) => {
    const looks = { transparent: true, opacity: OPACITY, depthWrite: false, side: DoubleSide };
    const mesh = new Mesh(new BufferGeometry(), space.palette.paint(new MeshBasicMaterial(looks), colour));
    mesh.frustumCulled = false;
    space.add(mesh);
    return { own: colour, mesh, rim: new Way(space, colour, 3) };
  });
  return (corners, colour) => {
    const triangles = corners.slice(2).flatMap((corner, k) => [...corners[0], ...corners[k + 1], ...corner]);
    for (const { own, mesh, rim } of fills) {
      mesh.visible = own === colour;
      rim.through(own === colour ? [...corners, corners[0]] : []);
      if (own === colour) mesh.geometry.setAttribute("position", new Float32BufferAttribute(triangles, 3));
    }
  };
}
