/** Many lines as one object: an arm at all its iterates, each a pale line through its corners. */

import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Space } from "./scene.ts";

export class Strands {
  private readonly lines: LineSegments2;

  constructor(space: Space, colour: string, width: number, opacity: number) {
    const material = new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false });
    this.lines = new LineSegments2(new LineSegmentsGeometry(), space.palette.paint(material, colour));
    this.lines.frustumCulled = false;
    material.resolution.set(space.width, space.height);
    space.add(this.lines);
  }

  /** Set the points of each line [m]. */
  through(lines: number[][][]): void {
    const pieces = lines.flatMap((points) => points.slice(1).flatMap((point, k) => [...points[k], ...point]));
    this.lines.visible = pieces.length > 0;
    if (!this.lines.visible) return;
    this.lines.geometry.dispose();
    this.lines.geometry = new LineSegmentsGeometry();
    this.lines.geometry.setPositions(pieces);
  }
}
