/** The axes of a frame in the plane: x vermilion, y green. */

import type { Matrix } from "../kernels.ts";
import { drawElement, setAttributes, show } from "../page.ts";
import type { Plane } from "./plane.ts";

const LENGTH = 0.42; // m

export class FlatFrame {
  private readonly group: SVGGElement;
  private readonly axes: SVGPathElement[];
  private readonly plane: Plane;

  constructor(plane: Plane, looks = "") {
    this.plane = plane;
    this.group = drawElement("g", plane.svg, { class: `live-frame ${looks}` });
    this.axes = ["x", "y"].map((axis) => drawElement("path", this.group, { class: `live-axis-${axis}` }));
  }

  /** Set the pose, or hide the frame. */
  place(T: Matrix | undefined): void {
    show(this.group, T !== undefined);
    if (!T) return;
    this.axes.forEach((line, axis) => {
      const end = [0, 1].map((i) => T[i][3] + LENGTH * T[i][axis]);
      setAttributes(line, { d: this.plane.path([[T[0][3], T[1][3]], end]) });
    });
  }
}
