/** Errors of solves over their steps: lengths solid, angles dashed, and the tolerance. */

import { drawElement, element, setAttributes } from "../page.ts";
import { angleOf, distanceOf, type Run, type Stop } from "../solver.ts";
import { Chart, even, powers } from "./chart.ts";

const POSE = "error twist: |v_b| [m] solid, |ω_b| [rad] dashed";
const POINT = "distance of the point [m]";
const LEAST = 1e-9; // the bottom of the chart, m and rad
const FEWEST = 5; // minimum range of steps

export class ErrorChart {
  readonly chart: Chart;
  private readonly stop: Stop;
  private readonly name: string;
  private readonly level: SVGPathElement;
  private readonly curves: SVGPathElement[][];
  private readonly heads: SVGCircleElement[];

  constructor(
    root: Element,
    about: string,
    stop: Stop,
    colours: string[],
    height: number,
    resized: () => void,
    name = POSE,
  ) {
    this.chart = new Chart(element("div", "live-charts", root), height, about, resized);
    this.stop = stop;
    this.name = name;
    this.level = drawElement("path", this.chart.svg, { class: "live-bound" });
    this.curves = colours.map((colour) =>
      ["", " live-angle"].map((dash) =>
        drawElement("path", this.chart.svg, { class: `live-curve${dash} live-${colour}` }),
      ),
    );
    this.heads = colours.map((colour) =>
      drawElement("circle", this.chart.svg, { class: `live-dot live-${colour}`, r: 5.5 }),
    );
  }

  /** Draw the first iterates of each run: both halves of the error twist, or only the distance. */
  draw(runs: Run[], count: number, angles = true): void {
    const last = Math.max(FEWEST, ...runs.map((run) => run.iterates.length - 1));
    const every = last > 15 ? 5 : 1;
    this.chart.dress(even("step", 0, last, every), powers(angles ? this.name : POINT, LEAST, 10, 2));
    setAttributes(this.level, { d: this.chart.line([0, this.stop.position], [last, this.stop.position]) });
    runs.forEach((run, i) => {
      const twists = run.iterates.slice(0, count).map(({ twist }) => twist);
      [distanceOf, angleOf].forEach((size, kind) => {
        const visible = kind === 0 || angles ? twists : [];
        setAttributes(this.curves[i][kind], { d: this.chart.path(visible.map((twist, k) => [k, size(twist)])) });
      });
      const [cx, cy] = this.chart.at(twists.length - 1, distanceOf(twists[twists.length - 1]));
      setAttributes(this.heads[i], { cx, cy });
    });
  }

  dispose(): void {
    this.chart.dispose();
  }
}
