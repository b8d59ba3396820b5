/** The support polygon from above with the robot facing up, and its centre of mass. */

import { drawElement, element, setAttributes } from "../../../front/src/page.ts";

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
    const svg = drawElement("svg", element("div", "live-plan", root), {
      viewBox: box,
      role: "img",
      "aria-label": title,
    });
    this.polygon = drawElement("path", svg, { class: "live-support" });
    this.trunk = drawElement("path", svg, { class: "live-outline" });
    this.feet = Array.from({ length: feet }, () => drawElement("circle", svg, { class: "live-sole", r: String(FOOT) }));
    this.mark = drawElement("g", svg, { class: "live-mass" });
    drawElement("circle", this.mark, { r: String(CENTRE) });
    const quarter = (a: number, b: number) => `M0,0L${a},0A${CENTRE},${CENTRE} 0 0 1 0,${b}Z`;
    drawElement("path", this.mark, { d: `${quarter(CENTRE, CENTRE)}${quarter(-CENTRE, -CENTRE)}` });
  }

  /** Show corners, feet on the ground, outline of the trunk, all in order, and the centre of mass [m]. */
  show(corners: number[][], feet: number[][], outline: number[][], centre: number[], colour: string): void {
    setAttributes(this.polygon, { d: closePath(corners), class: `live-support live-${colour}` });
    setAttributes(this.trunk, { d: closePath(outline) });
    this.feet.forEach((foot, k) => {
      foot.style.display = feet[k] ? "" : "none";
      if (feet[k]) setAttributes(foot, { cx: String(-feet[k][1]), cy: String(-feet[k][0]) });
    });
    setAttributes(this.mark, { transform: `translate(${-centre[1]},${-centre[0]})` });
  }
}

function closePath(points: number[][]): string {
  return `M${points.map(([x, y]) => `${(-y).toFixed(4)},${(-x).toFixed(4)}`).join("L")}Z`;
}
