/** A planar picture: an SVG in metres, as wide as its container, and at most a fraction of the window high. */

import type { Point } from "../handle.ts";
import { fixed } from "../numbers.ts";
import { drawElement, element, setAttributes, show } from "../page.ts";

const BELOW = 16; // pixels from an axis to its numbers
const ASIDE = 4; // pixels from a line to its number
const HIGH = 14; // pixels of a number at the upper edge

export interface Bounds {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export class Plane {
  readonly svg: SVGSVGElement;
  readonly root: HTMLElement;
  scale = 1; // pixels per metre
  width = 0;
  height = 0;
  private aside = 0; // pixels left of the bounds, if the picture is too low for its width
  private above = 0; // pixels over the bounds, if it is too high
  private readonly frame: HTMLElement;
  private readonly bounds: Bounds;
  private readonly watcher: ResizeObserver;

  constructor(root: HTMLElement, bounds: Bounds, about: string, resized: () => void) {
    this.root = root;
    this.bounds = bounds;
    this.frame = element("div", "live-picture", root);
    this.frame.style.aspectRatio = `${bounds.right - bounds.left} / ${bounds.top - bounds.bottom}`;
    this.svg = drawElement("svg", this.frame, { role: "img", "aria-label": about });
    this.measure();
    this.watcher = new ResizeObserver(() => {
      if (this.measure()) resized();
    });
    for (const box of [root, this.frame]) this.watcher.observe(box); // either may grow alone
  }

  /** Return the pixel of a point [m]. */
  at([x, y]: Point | number[]): Point {
    return [this.aside + (x - this.bounds.left) * this.scale, this.above + (this.bounds.top - y) * this.scale];
  }

  /** Return the point of a pixel [m]. */
  from([x, y]: Point): Point {
    return [this.bounds.left + (x - this.aside) / this.scale, this.bounds.top - (y - this.above) / this.scale];
  }

  /** Return a path through points [m]. */
  path(points: (Point | number[])[], closed = false): string {
    const places = points.map((point) =>
      this.at(point)
        .map((number) => number.toFixed(2))
        .join(","),
    );
    return places.length > 0 ? `M${places.join("L")}${closed ? "Z" : ""}` : "";
  }

  /** Return a path between two points [m]. */
  line(from: Point, to: Point): string {
    return this.path([from, to]);
  }

  dispose(): void {
    this.watcher.disconnect();
  }

  private measure(): boolean {
    const [wide, high] = [this.bounds.right - this.bounds.left, this.bounds.top - this.bounds.bottom];
    const width = this.root.clientWidth || 400;
    const height = this.frame.clientHeight || (width * high) / wide;
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    this.scale = Math.min(width / wide, height / high);
    this.aside = (width - wide * this.scale) / 2;
    this.above = (height - high * this.scale) / 2;
    setAttributes(this.svg, { viewBox: `0 0 ${width} ${height.toFixed(2)}` });
    return true;
  }
}

/** Draw grid lines every metre or other unit, with numbers; return the function that places them. */
export function drawGrid(plane: Plane, extent: number, numbered = [-2, -1, 1, 2], unit = "m"): () => void {
  const far = 20;
  const whole = [...Array(2 * Math.ceil(extent) + 1).keys()].map((k) => k - Math.ceil(extent));
  const lines = drawElement("path", plane.svg, { class: "live-grid" });
  const within = numbered.filter((metre) => Math.abs(metre) < extent);
  const labels = within.flatMap((metre) =>
    [unit, ""].map((name) => {
      const words = `${fixed(metre, 0)} ${name}`.trim();
      const label = drawElement("text", plane.svg, { class: "live-tick" }, words);
      return { label, metre, along: name !== "" };
    }),
  );
  return () => {
    const d = whole.flatMap((k) => [plane.line([k, -far], [k, far]), plane.line([-far, k], [far, k])]).join("");
    setAttributes(lines, { d });
    for (const { label, metre, along } of labels) {
      const [x, y] = plane.at(along ? [metre, 0] : [0, metre]); // below the axis, where an arm on it hides no number
      const beyond = along && x + ASIDE + label.getComputedTextLength() > plane.width;
      const anchor = beyond ? "end" : "start"; // the right edge cuts no number
      const place = { x: beyond ? x - ASIDE : x + ASIDE, y: along ? y + BELOW : y - ASIDE };
      setAttributes(label, { ...place, "text-anchor": anchor });
      show(label, along ? x >= 0 : y > HIGH);
    }
  };
}
