/** A planar arrow with its name at the head; one of zero length is hidden. */

import { drawElement, setAttributes, show } from "../page.ts";
import type { Plane } from "./plane.ts";

const HEAD = 13; // pixels
const NAME = 14; // pixels from the head to the middle of the name
export const BEYOND_HANDLE = 28; // the same, if there is a handle at the head
const HALF_NAME = 6; // pixels of the line's width
const LEAST = 1; // pixels

/** Draw an arrow; return the function that sets its root and its vector, both in m of the picture. */
export function drawArrow(plane: Plane, className: string, words: string, away = NAME) {
  const group = drawElement("g", plane.svg, { class: `live-arrow ${className}` });
  const shaft = drawElement("path", group, { class: "live-shaft" });
  const head = drawElement("path", group, { class: "live-head" });
  const name = drawElement("text", group, { class: "live-name" }, words);
  return (root: number[], way: number[]) => {
    const [x, y] = plane.at(root);
    const [dx, dy] = [way[0] * plane.scale, -way[1] * plane.scale];
    const length = Math.hypot(dx, dy);
    const drawable = length >= LEAST;
    for (const part of [shaft, head, name]) show(part, drawable);
    if (!drawable) return;
    const [ux, uy] = [dx / length, dy / length];
    const long = Math.min(HEAD, length);
    const [nx, ny] = [x + dx - long * ux, y + dy - long * uy];
    setAttributes(shaft, { d: `M${x},${y}L${nx},${ny}` });
    const [wx, wy] = [0.45 * long * uy, 0.45 * long * ux];
    setAttributes(head, { d: `M${x + dx},${y + dy}L${nx - wx},${ny + wy}L${nx + wx},${ny - wy}Z` });
    const ahead = x + dx + away * ux < plane.width - HALF_NAME; // otherwise beside the head
    const [sx, sy] = ahead ? [ux, uy] : [uy, -ux];
    setAttributes(name, { x: x + dx + away * sx, y: y + dy + away * sy });
  };
}
