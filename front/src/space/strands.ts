/** Many lines as one object: an arm at all its iterates, each a pale line through its corners. */

import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Space } from "./scene.ts";

/** Add an object; return the function that sets the points of each line [m]. */
export function addStrands(space: Space, colour: string, width: number, opacity: number) {
  const material = new LineMaterial({ linewidth: width, transparent: true, opacity, depthWrite: false });
  const strands = new LineSegments2(new LineSegmentsGeometry(), space.palette.paint(material, colour));
  strands.frustumCulled = false;
  material.resolution.set(space.width, space.height);
  space.add(strands);
  return (lines: number[][][]) => {
    const pieces = lines.flatMap((points) => points.slice(1).flatMap((point, k) => [...points[k], ...point]));
    strands.visible = pieces.length > 0;
    if (!strands.visible) return;
    strands.geometry.dispose();
    strands.geometry = new LineSegmentsGeometry();
    strands.geometry.setPositions(pieces);
  };
}
