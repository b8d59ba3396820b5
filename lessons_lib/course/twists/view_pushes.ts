/** Lesson 03: pushes head to tail, each rotated by the rest of the motion; their sum is V v. */

import { BEYOND_HANDLE, drawArrow } from "../../../front/src/flat/arrow.ts";
import { drawGrid, Plane } from "../../../front/src/flat/plane.ts";
import { controlHandle } from "../../../front/src/handle.ts";
import { amount, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { drawElement, setAttributes } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const FINE = 90; // pushes of the limit curve

export function pushes(stage: Stage<{ reach: number }>): View {
  const { state, kernels } = stage;
  const { reach } = stage.data;
  const bounds = { left: -reach, right: reach, bottom: -0.8 * reach, top: 0.8 * reach };
  const plane = new Plane(stage.root, bounds, "The pushes, head to tail, and the position of the body.", stage.redraw);
  const grid = drawGrid(plane, reach, [-1, 1]);
  const limit = drawElement("path", plane.svg, { class: "live-level live-green" });
  const straight = drawArrow(plane, "live-vermilion", "v", BEYOND_HANDLE);
  const links = [...Array(state.control("count").high).keys()].map(() => drawArrow(plane, "live-blue", ""));
  const place = drawElement("path", plane.svg, { class: "live-spot live-green" });
  const name = drawElement("text", plane.svg, { class: "live-name live-green" }, "Vv");
  const end = drawElement("circle", plane.svg, { class: "live-dot live-ink", r: 4.5 });
  const { step } = state.control("v1");
  const looks = "vermilion live-hollow";
  const tip = controlHandle(stage.root, state, "tip of v", looks, { v1: step, v2: step }, (pixel) => plane.from(pixel));

  const velocity = () => state.numbersOf("v1", "v2");
  const turn = () => state.number("turn") * DEGREE;

  /** Return the pushes of one second, the first one unrotated. */
  function pushList(count: number): number[][] {
    const parts = [...Array(count).keys()].map((k) => k / count);
    return parts.map((part) => kernels.push_kernel([turn()], velocity(), [part, count]).push as number[]);
  }

  return {
    draw(): Reading {
      const count = Math.round(state.number("count"));
      const heads = chainPushes(pushList(count));
      const whole = kernels.whole_kernel([turn()], velocity()).whole as number[];
      grid();
      straight([0, 0], velocity());
      setAttributes(limit, { d: plane.path(chainPushes(pushList(FINE))) });
      links.forEach((link, k) => {
        const [from, to] = [heads[k] ?? [0, 0], heads[k + 1]];
        link(from, to ? to.map((x, i) => x - from[i]) : [0, 0]);
      });
      const [x, y] = plane.at(whole);
      setAttributes(place, { d: `M${x - 6},${y - 6}l12,12M${x - 6},${y + 6}l12,-12` });
      setAttributes(name, { x: x + 16, y: y - 12 });
      const [cx, cy] = plane.at(heads[count]);
      setAttributes(end, { cx, cy });
      const words = velocity().map((value, i) => `v_${i + 1} ${fixed(value, 2)} m/s`);
      tip.place(plane.at(velocity()), words.join(", "), state.number("v1"));
      return read(count, velocity(), heads[count], whole);
    },
    parts: () => [plane],
  };
}

/** Return the partial sums of pushes from the origin. */
function chainPushes(all: number[][]): number[][] {
  const heads = [[0, 0]];
  for (const push of all) heads.push(heads[heads.length - 1].map((x, i) => x + push[i]));
  return heads;
}

function read(count: number, v: number[], sum: number[], whole: number[]): Reading {
  const texts = (place: number[]) => place.map((x) => fixed(x, 3));
  const missing = Math.hypot(sum[0] - whole[0], sum[1] - whole[1]);
  const many = count === 1 ? "one push" : `${count} pushes`;
  return {
    sentence: `With ${many}, the position is off by ${amount(missing, 3)} m.`,
    heads: ["", "x [m]", "y [m]"],
    rows: [
      ["v for one second", ...texts(v)],
      ["sum", ...texts(sum)],
      ["Vv", ...texts(whole)],
    ],
  };
}
