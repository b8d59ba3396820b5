/** A swarm of starts around one start: each result is a dot at its number of steps, a few per frame. */

import { Chart, even } from "../../../front/src/flat/chart.ts";
import { drawElement, element, setAttributes } from "../../../front/src/page.ts";

const AT_ONCE = 24; // starts of a method solved between two frames
const HEIGHT = 180; // pixels
const HIGH = 12; // minimum height in dots
const WIDE = 12; // minimum range in steps
const RADIUS = 2.6;
const RING = 5.5;

/** Result of one start. */
export interface End {
  steps: number;
  solved: boolean;
}

export class Swarm {
  private readonly chart: Chart;
  private readonly groups: SVGGElement[];
  private readonly rings: SVGCircleElement[];
  private readonly counts: Text[];
  private readonly size: number;
  private key = "";
  private ends: End[][] = [];
  private edge = WIDE; // position of the failed ones

  constructor(parent: Element, colours: string[], size: number, redraw: () => void) {
    this.size = size;
    const half = element("div", "", parent);
    this.chart = new Chart(half, HEIGHT, "How many steps the starts around the start take.", redraw);
    this.groups = colours.map((colour) =>
      drawElement("g", this.chart.svg, { class: `live-swarm-dots live-${colour}` }),
    );
    this.rings = colours.map(() => drawElement("circle", this.chart.svg, { class: "live-swarm-ring", r: RING }));
    const key = element("p", "live-key live-swarm-key", half);
    this.counts = colours.map((colour) => {
      const line = element("span", "live-swarm-line", key);
      element("span", `live-${colour}`, line);
      return line.appendChild(document.createTextNode(""));
    });
  }

  /**
   * Solve some more of the starts, and draw all results.
   *
   * @param key - The problem; another one clears all results.
   * @param endOf - Solves start k by a method.
   * @param own - Result of the central start, by each method.
   * @returns Whether some are left.
   */
  draw(key: string, endOf: (method: number, k: number) => End, own: End[]): boolean {
    if (key !== this.key) {
      this.key = key;
      this.ends = this.groups.map(() => []);
    }
    const first = this.ends[0].length;
    const last = Math.min(first + AT_ONCE, this.size);
    this.ends.forEach((ends, method) => {
      for (let k = first; k < last; k++) ends.push(endOf(method, k));
    });
    this.place(own);
    return last < this.size;
  }

  dispose(): void {
    this.chart.dispose();
  }

  private place(own: End[]): void {
    const successes = [...this.ends.flat(), ...own].filter((end) => end.solved);
    this.edge = Math.max(WIDE, ...successes.map(({ steps }) => steps)) + 2;
    const stacks = this.ends.map((ends) => {
      const stack = new Map<number, number>();
      for (const end of ends) stack.set(this.column(end), (stack.get(this.column(end)) ?? 0) + 1);
      return stack;
    });
    const high = Math.max(HIGH, ...stacks.flatMap((stack) => [...stack.values()]));
    const x = even("steps", 0, this.edge + 1, this.edge > 30 ? 10 : 2);
    x.ticks = [...x.ticks.filter(([at]) => at < this.edge - 1), [this.edge, "not"]];
    this.chart.dress(x, {
      name: "starts of the swarm",
      part: (value) => (value + high) / (2 * high),
      ticks: [[0, ""]],
    });
    this.ends.forEach((ends, method) => {
      const way = method === 0 ? 1 : -1; // one method above the line, the other below
      const stacked = new Map<number, number>();
      const dots = ends.map((end) => {
        const column = this.column(end);
        const level = (stacked.get(column) ?? 0) + 1;
        stacked.set(column, level);
        const [cx, cy] = this.chart.at(column, way * level);
        return { end, cx, cy };
      });
      const group = this.groups[method];
      while (group.childElementCount > dots.length) group.lastElementChild?.remove();
      while (group.childElementCount < dots.length) drawElement("circle", group, { r: RADIUS });
      dots.forEach(({ end, cx, cy }, k) => {
        setAttributes(group.children[k], { class: end.solved ? "live-dot" : "live-dot live-never", cx, cy });
      });
      const [cx, cy] = this.chart.at(this.column(own[method]), way);
      setAttributes(this.rings[method], { cx, cy });
      this.counts[method].data = summary(ends);
    });
  }

  private column(end: End): number {
    return end.solved ? end.steps : this.edge;
  }
}

/** Describe how many were solved, and in how many steps. */
function summary(ends: End[]): string {
  const steps = ends.filter(({ solved }) => solved).map((end) => end.steps);
  steps.sort((a, b) => a - b);
  const share = `${steps.length} of ${ends.length} solved`;
  if (steps.length === 0) return share;
  const middle = steps[Math.floor(steps.length / 2)];
  return `${share}, ${steps[0]} to ${steps[steps.length - 1]} steps, median ${middle}`;
}
