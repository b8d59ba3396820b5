/** The axes of a frame in the plane: x vermilion, y green. */

import type { Matrix } from "../kernels.ts";
import { drawElement, setAttributes, show } from "../page.ts";
import type { Plane } from "./plane.ts";

const LENGTH = 0.42; // m

/** Draw a frame; return the function that sets its pose, or hides it. */
export function drawFrame(plane: Plane, looks = ""): (T: Matrix | undefined) => void {
  const group = drawElement("g", plane.svg, { class: `live-frame ${looks}` });
  const axes = ["x", "y"].map((axis) => drawElement("path", group, { class: `live-axis-${axis}` }));
  return (T) => {
    show(group, T !== undefined);
    if (!T) return;
    axes.forEach((line, axis) => {
      const end = [0, 1].map((i) => T[i][3] + LENGTH * T[i][axis]);
      setAttributes(line, { d: plane.path([[T[0][3], T[1][3]], end]) });
    });
  };
}
