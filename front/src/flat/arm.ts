/** A planar arm with a body: tapering links, joints with a rim, two fingers at the tip. */

import { drawElement, setAttributes, show } from "../page.ts";
import type { Plane } from "./plane.ts";

const WIDTH = 0.17; // m, of the first link
const TAPER = 0.8; // of each link, relative to the one before
const FINGERS = [0.17, 0, 0, 0.17].map((along, i) => [along, i < 2 ? 0.085 : -0.085]); // m, in the tip's frame

export type FlatArm = ReturnType<typeof drawArm>;

/** Draw an arm of two links, hidden at first. */
export function drawArm(plane: Plane, className: string) {
  const group = drawElement("g", plane.svg, { class: `live-arm ${className}` });
  const part = (tag: "path" | "circle", name: string) => drawElement(tag, group, { class: `live-${name}` });
  const [foot, hand] = [part("path", "foot"), part("path", "hand")];
  const links = [part("path", "link"), part("path", "link")].reverse();
  const joints = [0, 1].map(() => [part("circle", "joint"), part("circle", "core")]);

  /** Return the outline of two circles and their common tangents [m]. */
  function tapered(from: number[], to: number[], before: number, after: number): string {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const [length, way] = [Math.hypot(dx, dy), Math.atan2(dy, dx)];
    const open = length > Math.abs(before - after) ? Math.acos((before - after) / length) : Math.PI / 2;
    const corner = ([x, y]: number[], radius: number, side: number) =>
      plane.path([[x + radius * Math.cos(way + side), y + radius * Math.sin(way + side)]]).slice(1);
    const [r, t] = [before * plane.scale, after * plane.scale];
    const far = `${corner(to, after, open)}A${t},${t} 0 0 1 ${corner(to, after, -open)}`;
    const near = `${corner(from, before, -open)}A${r},${r} 0 1 1 ${corner(from, before, open)}`;
    return `M${corner(from, before, open)}L${far}L${near}Z`;
  }
  return {
    group,
    /** Draw the arm through its joints to its tip, or hide it without points [m]. */
    draw: (points: number[][] | undefined, heading: number) => {
      show(group, points !== undefined);
      if (!points) return;
      const { scale } = plane;
      links.forEach((link, i) => {
        const start = WIDTH * TAPER ** i;
        setAttributes(link, { d: tapered(points[i], points[i + 1], start / 2, (start * TAPER) / 2) });
      });
      joints.forEach(([joint, core], i) => {
        const [cx, cy] = plane.at(points[i]);
        const r = 0.62 * WIDTH * TAPER ** i * scale;
        setAttributes(joint, { cx, cy, r });
        setAttributes(core, { cx, cy, r: 0.32 * r });
      });
      const tip = points[points.length - 1];
      const [c, s] = [Math.cos(heading), Math.sin(heading)];
      const fingers = FINGERS.map(([u, v]) => [tip[0] + c * u - s * v, tip[1] + s * u + c * v]);
      setAttributes(hand, { d: plane.path(fingers), "stroke-width": 0.055 * scale });
      const [x, y] = plane.at(points[0]);
      const [w, h] = [0.17 * scale, 0.26 * scale];
      setAttributes(foot, { d: `M${x - 0.5 * w},${y}L${x - w},${y + h}H${x + w}L${x + 0.5 * w},${y}Z` });
    },
  };
}
