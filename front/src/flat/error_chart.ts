/** Errors of solves over their steps: lengths solid, angles dashed, and the tolerance. */

import { drawElement, element, setAttributes } from "../page.ts";
import { angleOf, distanceOf, type Run, type Stop } from "../solver.ts";
import type { Stage } from "../view.ts";
import { Chart, powers, stepAxis } from "./chart.ts";

const POSE = "error twist: |v| [m] solid, |ω| [rad] dashed";
const POINT = "distance of the point [m]";
const LEAST = 1e-9; // the bottom of the chart, m and rad
const FEWEST = 5; // minimum range of steps

/** Add the chart, with a colour for each run. */
export function addErrorChart(
  stage: Stage<unknown>,
  root: Element,
  about: string,
  stop: Stop,
  colours: string[],
  height: number,
  name = POSE,
) {
  const chart = new Chart(element("div", "live-charts", root), height, about, stage.redraw);
  const level = drawElement("path", chart.svg, { class: "live-bound" });
  const curves = colours.map((colour) =>
    ["", " live-angle"].map((dash) => drawElement("path", chart.svg, { class: `live-curve${dash} live-${colour}` })),
  );
  const heads = colours.map((colour) => drawElement("circle", chart.svg, { class: `live-dot live-${colour}`, r: 5.5 }));
  return {
    chart,
    /** Draw the first iterates of each run: both halves of the error twist, or only the distance. */
    draw: (runs: Run[], count: number, angles = true) => {
      const last = Math.max(FEWEST, ...runs.map((run) => run.iterates.length - 1));
      chart.dress(stepAxis(last), powers(angles ? name : POINT, LEAST, 10, 2));
      setAttributes(level, { d: chart.line([0, stop.position], [last, stop.position]) });
      runs.forEach((run, i) => {
        const twists = run.iterates.slice(0, count).map(({ twist }) => twist);
        [distanceOf, angleOf].forEach((size, kind) => {
          const visible = kind === 0 || angles ? twists : [];
          setAttributes(curves[i][kind], { d: chart.path(visible.map((twist, k) => [k, size(twist)])) });
        });
        setAttributes(heads[i], chart.dot(twists.length - 1, distanceOf(twists[twists.length - 1])));
      });
    },
    dispose: () => chart.dispose(),
  };
}
