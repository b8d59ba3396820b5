/** A planar arrow with its name at the head; one of zero length is hidden. */

import { drawElement, setAttributes, show } from "../page.ts";
import type { Plane } from "./plane.ts";

const HEAD = 13; // pixels
const NAME = 14; // pixels from the head to the middle of the name
export const BEYOND_HANDLE = 28; // the same, if there is a handle at the head
const HALF_NAME = 6; // pixels of the line's width
const LEAST = 1; // pixels

export class Arrow {
  readonly group: SVGGElement;
  private readonly shaft: SVGPathElement;
  private readonly head: SVGPathElement;
  private readonly name: SVGTextElement;
  private readonly plane: Plane;
  private readonly away: number;

  constructor(plane: Plane, className: string, name: string, away = NAME) {
    this.plane = plane;
    this.away = away;
    this.group = drawElement("g", plane.svg, { class: `live-arrow ${className}` });
    this.shaft = drawElement("path", this.group, { class: "live-shaft" });
    this.head = drawElement("path", this.group, { class: "live-head" });
    this.name = drawElement("text", this.group, { class: "live-name" });
    this.name.textContent = name;
  }

  /** Draw it from a root along a vector, both in m of the picture. */
  draw(root: number[], way: number[]): void {
    const [x, y] = this.plane.at(root);
    const [dx, dy] = [way[0] * this.plane.scale, -way[1] * this.plane.scale];
    const length = Math.hypot(dx, dy);
    const drawable = length >= LEAST;
    for (const part of [this.shaft, this.head, this.name]) show(part, drawable);
    if (!drawable) return;
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(HEAD, length);
    const neck = [x + dx - head * ux, y + dy - head * uy];
    setAttributes(this.shaft, { d: `M${x},${y}L${neck[0]},${neck[1]}` });
    const wing = 0.45 * head;
    setAttributes(this.head, {
      d:
        `M${x + dx},${y + dy}L${neck[0] - wing * uy},${neck[1] + wing * ux}` +
        `L${neck[0] + wing * uy},${neck[1] - wing * ux}Z`,
    });
    const ahead = x + dx + this.away * ux < this.plane.width - HALF_NAME; // otherwise beside the head
    const [sx, sy] = ahead ? [ux, uy] : [uy, -ux];
    setAttributes(this.name, { x: x + dx + this.away * sx, y: y + dy + this.away * sy });
  }
}
