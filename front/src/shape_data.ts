/** Published shapes of arms, from the scripts that `front/shapes.py` writes. */

import type { Matrix } from "./kernels.ts";

const SAME = 1e-6; // of a screw’s entry

export interface ShapeData {
  credit: string;
  /** Screws of the arm, joint by joint. */
  screws: Matrix;
  /** A number k of a coordinate means low + k step [m]. */
  low: number[];
  step: number;
  /** Unsigned 16-bit numbers in base64: x, y, z of each vertex in {s} at q = 0; three vertices of each triangle. */
  links: { vertices: string; triangles: string }[];
}

declare global {
  var lessonsShapes: Record<string, ShapeData> | undefined;
}

/** Return author and licence of a shape. */
export function creditOf(name: string): string {
  return globalThis.lessonsShapes?.[name]?.credit ?? "";
}

/** Return the shape of an arm with these screws, if there is one. */
export function shapeFor(screws: Matrix): string | null {
  const shapeEntry = Object.entries(globalThis.lessonsShapes ?? {}).find(
    ([_, shape]) =>
      shape.screws.length === screws.length &&
      shape.screws.every((screw, i) => screw.every((entry, k) => Math.abs(entry - screws[i][k]) < SAME)),
  );
  return shapeEntry ? shapeEntry[0] : null;
}
