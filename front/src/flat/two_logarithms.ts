/** Two logarithms of one rotation, and a chart of what they lose near half a turn. */

import { type Kernels, type Matrix, type Printed, packed } from "../kernels.ts";
import { drawn, element, put } from "../page.ts";
import { type Axis, Chart, power, powers } from "./chart.ts";

const NAMES = ["arccos", "atan2"];
const COLOURS = ["vermilion", "purple"];
const NONE = 10; // where an error is drawn that is no number: above 2, the most that there can be
const TOP = 300; // of the chart
const LEAST = 1e-17;
const NEAREST = 1e-13; // rad, from half a turn

export interface Answer {
  omega: number[];
  /** max |exp(log R) − R|; infinite where there is no number. */
  error: number;
}

/** Return the logarithm by the arc cosine, and the library's by atan2. */
export function bothLogarithms(kernels: Kernels, R: Matrix): Answer[] {
  const ours = [0, 0, 0];
  (kernels.log_rotation_kernel as unknown as Printed)(packed(pose(R)), ours);
  return [kernels.textbook_kernel(R).omega as number[], ours].map((omega) => ({
    omega,
    error: miss(kernels, omega, R),
  }));
}

/** Return a rotation as a pose at the origin. */
export function pose(R: Matrix): Matrix {
  return [...R.map((line) => [...line, 0]), [0, 0, 0, 1]];
}

function miss(kernels: Kernels, omega: number[], R: Matrix): number {
  if (!omega.every(Number.isFinite)) return Number.POSITIVE_INFINITY;
  const back: Matrix = kernels.exp_so3_kernel(omega).R;
  return Math.max(...back.flatMap((line, i) => line.map((entry, j) => Math.abs(entry - R[i][j]))));
}

export class LogChart {
  private readonly chart: Chart;
  private readonly gaps: number[];
  private readonly unit: number;
  private readonly curves: SVGPathElement[];
  private readonly dots: SVGCircleElement[];
  private readonly cursor: SVGPathElement;
  private readonly axes: [Axis, Axis];
  private drawnFor = "";
  private heights: number[][] = [];

  /** Make the chart; `gaps` are the distances from half a turn of its curves [rad], and `unit` is a rounding. */
  constructor(root: Element, gaps: number[], unit: number, redraw: () => void) {
    const panel = element("div", "live-charts", root);
    this.chart = new Chart(panel, 170, "Errors of two logarithms near half a turn.", redraw);
    this.gaps = gaps;
    this.unit = unit;
    const { svg } = this.chart;
    this.curves = COLOURS.map((colour) => drawn("path", svg, { class: `live-curve live-${colour}` }));
    this.cursor = drawn("path", svg, { class: "live-cursor" });
    this.dots = COLOURS.map((colour) => drawn("circle", svg, { class: `live-dot live-${colour}`, r: 5.5 }));
    const key = element("p", "live-key", panel);
    NAMES.forEach((name, k) => {
      element("span", `live-${COLOURS[k]}`, key);
      key.append(`${name} `);
    });
    const scale = powers("", NEAREST, 3.2);
    const nearer = [1, 1e-3, 1e-6, 1e-9, 1e-12];
    this.axes = [
      {
        name: "distance from half a turn, |π − θ| [rad]",
        part: (value) => 1 - scale.part(value),
        ticks: nearer.map((value) => [value, power(Math.round(Math.log10(value)))]),
      },
      {
        ...powers("|exp(log R) − R|", LEAST, TOP),
        ticks: [-16, -12, -8, -4, 0].map((k) => [10 ** k, power(k)]),
      },
    ];
  }

  /** Draw the curves anew where they are for another axis, `key`; and both dots at a distance from half a turn [rad]. */
  draw(gap: number, answers: Answer[], key: string, at: (gap: number) => Answer[]): void {
    this.chart.dress(...this.axes);
    if (this.drawnFor !== key) {
      this.heights = this.gaps.map((one) => at(one).map(({ error }) => this.height(error)));
      this.drawnFor = key;
    }
    const x = Math.min(Math.max(gap, NEAREST), Math.PI);
    answers.forEach(({ error }, k) => {
      put(this.curves[k], { d: this.chart.path(this.gaps.map((one, i) => [one, this.heights[i][k]])) });
      const [cx, cy] = this.chart.at(x, this.height(error));
      put(this.dots[k], { cx, cy });
    });
    put(this.cursor, { d: `M${this.chart.at(x, TOP)}L${this.chart.at(x, LEAST)}` });
  }

  dispose(): void {
    this.chart.dispose();
  }

  /** Return where an error is drawn: no number above everything, and nothing below u. */
  private height(error: number): number {
    return Number.isFinite(error) ? Math.max(error, this.unit) : NONE;
  }
}
