/** A swarm of starts around one start: each result is a dot at its number of steps, a few per frame. */

import { Chart, even } from "../../../front/src/flat/chart.ts";
import { drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { memo } from "../../../front/src/view.ts";

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

/** Add a swarm; each method has a colour. */
export function addSwarm(parent: Element, colours: string[], size: number, redraw: () => void) {
  const half = element("div", "", parent);
  const chart = new Chart(half, HEIGHT, "The number of steps from each nearby start.", redraw);
  const groups = colours.map((colour) => drawElement("g", chart.svg, { class: `live-swarm-dots live-${colour}` }));
  const rings = colours.map(() => drawElement("circle", chart.svg, { class: "live-swarm-ring", r: RING }));
  const key = element("p", "live-key live-swarm-key", half);
  const counts = colours.map((colour) => {
    const line = element("span", "live-swarm-line", key);
    element("span", `live-${colour}`, line);
    return line.appendChild(document.createTextNode(""));
  });
  const endsOf = memo<End[][]>();

  function place(all: End[][], own: End[]): void {
    const successes = [...all.flat(), ...own].filter((end) => end.solved);
    const edge = Math.max(WIDE, ...successes.map(({ steps }) => steps)) + 2; // position of the failed ones
    const column = (end: End) => (end.solved ? end.steps : edge);
    const stacks = all.map((ends) => {
      const heights = new Map<number, number>();
      return ends.map((end) => {
        const level = (heights.get(column(end)) ?? 0) + 1;
        heights.set(column(end), level);
        return { end, level };
      });
    });
    const high = Math.max(HIGH, ...stacks.flat().map(({ level }) => level));
    const x = even("steps", 0, edge + 1, edge > 30 ? 10 : 2);
    x.ticks = [...x.ticks.filter(([at]) => at < edge - 1), [edge, "failed"]];
    chart.dress(x, { name: "starts of the swarm", part: (value) => (value + high) / (2 * high), ticks: [[0, ""]] });
    stacks.forEach((stack, method) => {
      const way = method === 0 ? 1 : -1; // one method above the line, the other below
      const group = groups[method];
      while (group.childElementCount > stack.length) group.lastElementChild?.remove();
      while (group.childElementCount < stack.length) drawElement("circle", group, { r: RADIUS });
      stack.forEach(({ end, level }, k) => {
        const looks = end.solved ? "live-dot" : "live-dot live-never";
        setAttributes(group.children[k], { class: looks, ...chart.dot(column(end), way * level) });
      });
      setAttributes(rings[method], chart.dot(column(own[method]), way));
      counts[method].data = summary(all[method]);
    });
  }
  return {
    /**
     * Solve some more of the starts, and draw all results.
     *
     * @param problem - Another one clears all results.
     * @param endOf - Solves start k by a method.
     * @param own - Result of the central start, by each method.
     * @returns Whether some are left.
     */
    draw: (problem: unknown, endOf: (method: number, k: number) => End, own: End[]): boolean => {
      const all = endsOf(problem, () => colours.map(() => []));
      const last = Math.min(all[0].length + AT_ONCE, size);
      for (const [method, ends] of all.entries()) while (ends.length < last) ends.push(endOf(method, ends.length));
      place(all, own);
      return last < size;
    },
    dispose: () => chart.dispose(),
  };
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
