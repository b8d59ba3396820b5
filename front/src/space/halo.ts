/** A pale ball around a joint at a limit. */

import { Mesh, MeshStandardMaterial, SphereGeometry } from "three";
import type { Space } from "./scene.ts";

const OPACITY = 0.55;

export class Halo {
  private readonly balls: Map<string, Mesh>;

  constructor(space: Space, radius: number, colours = ["purple", "green"]) {
    const shape = new SphereGeometry(radius, 28, 18);
    this.balls = new Map(
      colours.map((colour) => {
        const looks = { transparent: true, opacity: OPACITY, depthWrite: false, roughness: 0.6 };
        return [colour, new Mesh(shape, space.palette.paint(new MeshStandardMaterial(looks), colour))];
      }),
    );
    space.add(...this.balls.values());
  }

  /** Set position [m] and colour, or hide it. */
  place(point: number[] | undefined, colour: string): void {
    for (const [own, ball] of this.balls) {
      ball.visible = point !== undefined && own === colour;
      if (point) ball.position.set(point[0], point[1], point[2]);
    }
  }
}
