/** A chart below a picture: two axes with ticks, and the map from values to pixels. */

import type { Point } from "../handle.ts";
import { drawElement, element, setAttributes } from "../page.ts";

export interface Axis {
  name: string;
  /** Position of a value, 0 at the beginning of the axis and 1 at its end. */
  part(value: number): number;
  ticks: [number, string][];
}

const LEFT = 50; // pixels, for the numbers of the vertical axis
const RIGHT = 14;
const TOP = 24; // for its name
const BOTTOM = 36; // for the numbers and the name of the horizontal axis
const LINE = 11; // between two numbers of the vertical axis
const BARE = 8; // if another chart below has them

export class Chart {
  readonly svg: SVGSVGElement;
  readonly root: HTMLElement;
  private readonly frame: SVGGElement;
  private readonly bottom: number;
  private readonly watcher: ResizeObserver;
  height = 0;
  private width = 0;
  private axes: [Axis, Axis] | undefined;

  constructor(parent: Element, height: number, about: string, resized: () => void, bare = false) {
    this.root = element("div", "live-chart", parent);
    this.root.style.setProperty("--live-tall", `${height}px`); // a narrow or low window takes a part of it
    this.bottom = bare ? BARE : BOTTOM;
    this.svg = drawElement("svg", this.root, { role: "img", "aria-label": about });
    this.frame = drawElement("g", this.svg);
    this.measure();
    this.watcher = new ResizeObserver(() => {
      if (this.measure()) resized();
    });
    this.watcher.observe(this.root);
  }

  /** Redraw the axes; later positions refer to them. */
  dress(x: Axis, y: Axis): void {
    this.axes = [x, y];
    this.frame.replaceChildren();
    const low = this.height - this.bottom;
    const lines = y.ticks.map(([value]) => `M${LEFT},${this.y(value)}H${this.width - RIGHT}`);
    drawElement("path", this.frame, { class: "live-grid", d: lines.join("") });
    let last = Number.POSITIVE_INFINITY;
    for (const [value, text] of y.ticks) {
      const at = this.y(value);
      if (Math.abs(last - at) < LINE) continue; // in a low chart numbers would lie on each other
      this.write(text, LEFT - 7, at + 4, "end");
      last = at;
    }
    this.write(y.name, 4, 14, "start");
    if (this.bottom === BARE) return;
    drawElement("path", this.frame, { class: "live-axis", d: `M${LEFT},${low}H${this.width - RIGHT}` });
    for (const [value, text] of x.ticks) this.write(text, this.x(value), low + 15, "middle");
    this.write(x.name, this.width - RIGHT, low + 31, "end");
  }

  at(x: number, y: number): Point {
    return [this.x(x), this.y(y)];
  }

  /** Return the centre of a circle at a point. */
  dot(x: number, y: number): { cx: number; cy: number } {
    return { cx: this.x(x), cy: this.y(y) };
  }

  /** Return the relative position of a pixel on the horizontal axis. */
  partAt(x: number): number {
    return (x - LEFT) / (this.width - LEFT - RIGHT);
  }

  path(points: [number, number][]): string {
    const places = points.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(y).toFixed(1)}`);
    return places.length > 0 ? `M${places.join("L")}` : "";
  }

  /** Return the path between two points. */
  line(from: [number, number], to: [number, number]): string {
    return this.path([from, to]);
  }

  dispose(): void {
    this.watcher.disconnect();
  }

  private x(value: number): number {
    return LEFT + (this.axes?.[0].part(value) ?? 0) * (this.width - LEFT - RIGHT);
  }

  private y(value: number): number {
    const part = Math.min(Math.max(this.axes?.[1].part(value) ?? 0, 0), 1);
    return this.height - this.bottom - part * (this.height - this.bottom - TOP);
  }

  private write(text: string, x: number, y: number, anchor: string): void {
    drawElement("text", this.frame, { class: "live-tick", x, y, "text-anchor": anchor }, text);
  }

  private measure(): boolean {
    const [width, height] = [this.root.clientWidth || 400, this.root.clientHeight || 200];
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    setAttributes(this.svg, { viewBox: `0 0 ${width} ${height}` });
    return true;
  }
}

/** Return an axis from end to end with ticks at the multiples of a step. */
export function even(
  name: string,
  low: number,
  high: number,
  step: number,
  format: (value: number) => string = String,
): Axis {
  const ticks: [number, string][] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    const value = Number((k * step).toFixed(9)) + 0;
    ticks.push([value, format(value)]);
  }
  return { name, part: (value) => (value - low) / (high - low), ticks };
}

/** Return an axis of steps from 0, with so few ticks that their numbers do not lie on each other. */
export function stepAxis(last: number): Axis {
  return even("step", 0, last, last > 100 ? 50 : last > 50 ? 10 : last > 15 ? 5 : 1);
}

/** Return an axis of powers of ten. */
export function powers(name: string, least: number, most: number, every = 1): Axis {
  const [low, high] = [least, most].map(Math.log10);
  const ticks: [number, string][] = [];
  for (let k = Math.ceil(low); k <= high + 1e-9; k += every) ticks.push([10 ** k, power(k)]);
  return { name, part: (value) => (Math.log10(Math.max(value, 1e-300)) - low) / (high - low), ticks };
}

/** Return the text of a power of ten. */
export function power(k: number): string {
  if (k >= -3 && k <= 3) return String(Number((10 ** k).toPrecision(1)));
  return `10${[...String(k)].map((digit) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(digit)]).join("")}`;
}
