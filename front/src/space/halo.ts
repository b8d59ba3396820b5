/** A pale ball around a joint at a limit. */

import { Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import type { Space } from "./scene.ts";

const OPACITY = 0.55;

/** Add a ball; return the function that sets its position [m] and colour, or hides it. */
export function addHalo(space: Space, radius: number, colours = ["purple", "green"]) {
  const shape = new SphereGeometry(radius, 28, 18);
  const balls = colours.map((colour): [string, Mesh] => {
    const looks = { transparent: true, opacity: OPACITY, depthWrite: false, roughness: 0.6 };
    return [colour, new Mesh(shape, space.palette.paint(new MeshStandardMaterial(looks), colour))];
  });
  space.add(...balls.map(([_, ball]) => ball));
  return (point: number[] | undefined, colour: string) => {
    for (const [own, ball] of balls) {
      ball.visible = point !== undefined && own === colour;
      if (point) ball.position.set(point[0], point[1], point[2]);
    }
  };
}
