/** A planar arm with a body: tapering links, joints with a rim, two fingers at the tip. */

import { drawElement, setAttributes, show } from "../page.ts";
import type { Plane } from "./plane.ts";

const WIDTH = 0.17; // m, of the first link
const TAPER = 0.8; // of each link, relative to the one before
const FINGERS = [
  [0.17, 0.085],
  [0.0, 0.085],
  [0.0, -0.085],
  [0.17, -0.085],
]; // m, in the tip's frame along the last link

export class FlatArm {
  readonly group: SVGGElement;
  private readonly plane: Plane;
  private readonly links: SVGPathElement[] = [];
  private readonly joints: SVGCircleElement[] = [];
  private readonly cores: SVGCircleElement[] = [];
  private readonly hand: SVGPathElement;
  private readonly foot: SVGPathElement;

  constructor(plane: Plane, links: number, className: string) {
    this.plane = plane;
    this.group = drawElement("g", plane.svg, { class: `live-arm ${className}` });
    this.foot = drawElement("path", this.group, { class: "live-foot" });
    this.hand = drawElement("path", this.group, { class: "live-hand" });
    for (let i = links - 1; i >= 0; i--) this.links[i] = drawElement("path", this.group, { class: "live-link" });
    for (let i = 0; i < links; i++) {
      this.joints[i] = drawElement("circle", this.group, { class: "live-joint" });
      this.cores[i] = drawElement("circle", this.group, { class: "live-core" });
    }
  }

  /** Draw the arm through its joints to its tip, or hide it without points [m]. */
  draw(points: number[][] | undefined, heading: number): void {
    show(this.group, points !== undefined);
    if (!points) return;
    const { scale } = this.plane;
    this.links.forEach((link, i) => {
      const start = WIDTH * TAPER ** i;
      setAttributes(link, { d: this.tapered(points[i], points[i + 1], start / 2, (start * TAPER) / 2) });
    });
    this.joints.forEach((joint, i) => {
      const [cx, cy] = this.plane.at(points[i]);
      const r = 0.62 * WIDTH * TAPER ** i * scale;
      setAttributes(joint, { cx, cy, r });
      setAttributes(this.cores[i], { cx, cy, r: 0.32 * r });
    });
    const tip = points[points.length - 1];
    const [c, s] = [Math.cos(heading), Math.sin(heading)];
    setAttributes(this.hand, {
      d: this.plane.path(
        FINGERS.map(([along, across]) => [tip[0] + c * along - s * across, tip[1] + s * along + c * across]),
      ),
      "stroke-width": 0.055 * scale,
    });
    const [x, y] = this.plane.at(points[0]);
    const [w, h] = [0.17 * scale, 0.26 * scale];
    setAttributes(this.foot, { d: `M${x - 0.5 * w},${y}L${x - w},${y + h}H${x + w}L${x + 0.5 * w},${y}Z` });
  }

  /** Return the outline of two circles and their common tangents [m]. */
  private tapered(from: number[], to: number[], before: number, after: number): string {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const way = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const open = length > Math.abs(before - after) ? Math.acos((before - after) / length) : Math.PI / 2;
    const corner = (centre: number[], radius: number, side: number) =>
      this.plane
        .at([centre[0] + radius * Math.cos(way + side), centre[1] + radius * Math.sin(way + side)])
        .map((number) => number.toFixed(2))
        .join(",");
    const [r, t] = [before * this.plane.scale, after * this.plane.scale];
    return (
      `M${corner(from, before, open)}L${corner(to, after, open)}` +
      `A${t},${t} 0 0 1 ${corner(to, after, -open)}L${corner(from, before, -open)}` +
      `A${r},${r} 0 1 1 ${corner(from, before, open)}Z`
    );
  }
}
