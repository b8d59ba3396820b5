/** The support polygon from above with the robot facing up, and its centre of mass. */

import { drawn, element, put } from "../../../front/src/page.ts";

const [AHEAD, BEHIND, ASIDE] = [0.52, 0.38, 0.34]; // m
const FOOT = 0.02;
const CENTRE = 0.022;

export class SupportPlan {
  private readonly polygon: SVGPathElement;
  private readonly trunk: SVGPathElement;
  private readonly feet: SVGCircleElement[];
  private readonly mark: SVGGElement;

  constructor(root: HTMLElement, title: string, feet: number) {
    element("p", "live-bars-head", root, title);
    const box = `${-ASIDE} ${-AHEAD} ${2 * ASIDE} ${AHEAD + BEHIND}`;
    const svg = drawn("svg", element("div", "live-plan", root), { viewBox: box, role: "img", "aria-label": title });
    this.polygon = drawn("path", svg, { class: "live-support" });
    this.trunk = drawn("path", svg, { class: "live-outline" });
    this.feet = Array.from({ length: feet }, () => drawn("circle", svg, { class: "live-sole", r: String(FOOT) }));
    this.mark = drawn("g", svg, { class: "live-mass" });
    drawn("circle", this.mark, { r: String(CENTRE) });
    const quarter = (a: number, b: number) => `M0,0L${a},0A${CENTRE},${CENTRE} 0 0 1 0,${b}Z`;
    drawn("path", this.mark, { d: `${quarter(CENTRE, CENTRE)}${quarter(-CENTRE, -CENTRE)}` });
  }

  /** Show corners, feet on the ground, outline of the trunk, all in order, and the centre of mass [m]. */
  show(corners: number[][], feet: number[][], outline: number[][], centre: number[], colour: string): void {
    put(this.polygon, { d: closed(corners), class: `live-support live-${colour}` });
    put(this.trunk, { d: closed(outline) });
    this.feet.forEach((foot, k) => {
      foot.style.display = feet[k] ? "" : "none";
      if (feet[k]) put(foot, { cx: String(-feet[k][1]), cy: String(-feet[k][0]) });
    });
    put(this.mark, { transform: `translate(${-centre[1]},${-centre[0]})` });
  }
}

function closed(points: number[][]): string {
  return `M${points.map(([x, y]) => `${(-y).toFixed(4)},${(-x).toFixed(4)}`).join("L")}Z`;
}
