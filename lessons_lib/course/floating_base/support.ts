/** The support polygon from above with the robot facing up, and its centre of mass. */

import { drawElement, element, setAttributes, show } from "../../../front/src/page.ts";

const [AHEAD, BEHIND, ASIDE] = [0.52, 0.38, 0.34]; // m
const FOOT = 0.02;
const CENTRE = 0.022;

/** Add the drawing; return the function that shows the corners, feet on the ground, trunk, and centre of mass [m]. */
export function addSupportPlan(root: HTMLElement, title: string, count: number) {
  element("p", "live-bars-head", root, title);
  const viewBox = `${-ASIDE} ${-AHEAD} ${2 * ASIDE} ${AHEAD + BEHIND}`;
  const svg = drawElement("svg", element("div", "live-plan", root), { viewBox, role: "img", "aria-label": title });
  const polygon = drawElement("path", svg, { class: "live-support" });
  const trunk = drawElement("path", svg, { class: "live-outline" });
  const soles = Array.from({ length: count }, () =>
    drawElement("circle", svg, { class: "live-sole", r: String(FOOT) }),
  );
  const mark = drawElement("g", svg, { class: "live-mass" });
  drawElement("circle", mark, { r: String(CENTRE) });
  const quarter = (a: number, b: number) => `M0,0L${a},0A${CENTRE},${CENTRE} 0 0 1 0,${b}Z`;
  drawElement("path", mark, { d: `${quarter(CENTRE, CENTRE)}${quarter(-CENTRE, -CENTRE)}` });
  return (corners: number[][], feet: number[][], outline: number[][], centre: number[], colour: string) => {
    setAttributes(polygon, { d: closePath(corners), class: `live-support live-${colour}` });
    setAttributes(trunk, { d: closePath(outline) });
    soles.forEach((sole, k) => {
      show(sole, feet[k] !== undefined);
      if (feet[k]) setAttributes(sole, { cx: String(-feet[k][1]), cy: String(-feet[k][0]) });
    });
    setAttributes(mark, { transform: `translate(${-centre[1]},${-centre[0]})` });
  };
}

function closePath(points: number[][]): string {
  return `M${points.map(([x, y]) => `${(-y).toFixed(4)},${(-x).toFixed(4)}`).join("L")}Z`;
}
