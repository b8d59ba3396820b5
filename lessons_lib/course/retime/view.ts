/** Lesson 22: a hand on a line past the base, its speed over its position, and the joint that limits it. */

import { FlatArm } from "../../../front/src/flat/arm.ts";
import { Chart, even } from "../../../front/src/flat/chart.ts";
import { Grid, Plane } from "../../../front/src/flat/plane.ts";
import { Handle } from "../../../front/src/handle.ts";
import type { Matrix } from "../../../front/src/kernels.ts";
import { fixed } from "../../../front/src/numbers.ts";
import { addKey, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const BOUNDS = { left: -1.65, right: 1.65, bottom: -1.15, top: 1.35 }; // m
const HEIGHT = 330; // pixels of the chart
const BORDER = 240; // samples of the limit curves
const COLOURS = ["vermilion", "green"]; // of both joints
const OVER = 1 + 1e-9; // relative tolerance of a limit: rounding

interface Data {
  span: number;
  points: number;
  speed: number;
  acceleration: number;
  top: number;
  fine: number;
}

/** State of a joint at one position of the line. */
interface Moment {
  s: number;
  speed: number;
  rates: number[];
  accelerations: number[];
  corners: Matrix;
  q: number[];
}

export function timing(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { span, points, speed, acceleration, top, fine } = specification.data as unknown as Data;
  const pair = element("div", "live-pair", stage.root);
  const left = element("div", "live-panel-picture", pair);
  const plane = new Plane(left, BOUNDS, "The arm, and the line of its hand.", stage.redraw);
  const grid = new Grid(plane, BOUNDS.right, [-1, 1]);
  const line = drawElement("path", plane.svg, { class: "live-curve live-blue" });
  const arm = new FlatArm(plane, 2, "live-ink");
  const about = "The speed of the hand over its place, and the borders of what is allowed.";
  const chart = new Chart(element("div", "live-charts", pair), HEIGHT, about, stage.redraw);
  const borders = [...COLOURS, "purple"].map((colour) =>
    drawElement("path", chart.svg, { class: `live-curve live-angle live-${colour}` }),
  );
  const now = drawElement("path", chart.svg, { class: "live-bound" });
  const curve = drawElement("path", chart.svg, { class: "live-curve live-blue" });
  const objections = COLOURS.map((colour) =>
    drawElement("path", chart.svg, { class: `live-curve live-thick live-${colour}` }),
  );
  const [one, other] = COLOURS;
  const key = { [one]: "speed of joint 1", [other]: "speed of joint 2", purple: "both accelerations" };
  const rest = ` · limits: ${speed} rad/s and ${acceleration} rad/s² for each joint · thick: that joint exceeds a limit`;
  addKey(stage.root, Object.entries(key), rest);

  const names = [...Array(points).keys()].map((i) => `v${i + 1}`);
  const speeds = () => [0, ...names.map((name) => state.number(name)), 0];
  const placeOf = (i: number) => -span + (2 * span * i) / (points + 1);

  /** Return the states of the joints at a fraction of the segment after a point of the curve. */
  function momentAt(piece: number, part: number): Moment {
    const [before, after] = speeds().slice(piece, piece + 2);
    const length = placeOf(piece + 1) - placeOf(piece);
    const x = before ** 2 + part * (after ** 2 - before ** 2);
    const push = (after ** 2 - before ** 2) / (2 * length);
    const s = placeOf(piece) + part * length;
    const found = kernels.motion_kernel([s], [state.number("d")], [x, push]);
    return { s, speed: Math.sqrt(x), ...found } as unknown as Moment;
  }

  const heightAt = (pixel: number) => {
    const [low, high] = [chart.at(0, 0)[1], chart.at(0, top)[1]];
    return (top * (pixel - low)) / (high - low);
  };
  const knots = names.map(
    (name, i) =>
      new Handle(chart.root, {
        name: `speed ${i + 1}`,
        colour: "blue",
        dragTo: ([, y]) => state.setOnGrid({ [name]: heightAt(y) }),
        step: (right, up) => state.setOnGrid({ [name]: state.number(name) + 0.01 * (right + up) }),
      }),
  );
  const hand = new Handle(left, {
    name: "hand",
    colour: "ink",
    hollow: true,
    dragTo: (place) => state.setOnGrid({ s: plane.from(place)[0] }),
    step: (right, up) => state.setOnGrid({ s: state.number("s") + 0.01 * (right + up) }),
  });

  return {
    draw(): Reading {
      const d = state.number("d");
      const s = state.number("s");
      chart.dress(
        even("place s of the hand [m]", -span, span, 0.4, (s) => fixed(s, 1)),
        even("speed ṡ [m/s]", 0, top, 0.5),
      );
      const pieces = [...Array(points + 1).keys()].map((piece) =>
        [...Array(fine + 1).keys()].map((k) => momentAt(piece, k / fine)),
      );
      drawArm(d, s);
      drawBorders(d);
      const all = pieces.flat();
      setAttributes(curve, { d: chart.path(all.map((moment) => [moment.s, moment.speed])) });
      objections.forEach((path, joint) => {
        setAttributes(path, { d: pieces.map((moments) => overs(moments, joint)).join("") });
      });
      setAttributes(now, { d: chart.line([s, 0], [s, top]) });
      knots.forEach((knot, i) => {
        const height = state.number(names[i]);
        knot.place(
          chart.at(placeOf(i + 1), height),
          `${fixed(height, 2)} m/s at ${fixed(placeOf(i + 1), 1)} m`,
          height,
        );
      });
      return read(all, s);
    },
    parts: () => [plane, chart],
  };

  function here(s: number): Moment {
    const whole = ((s + span) / (2 * span)) * (points + 1);
    const piece = Math.min(Math.floor(whole), points);
    return momentAt(piece, whole - piece);
  }

  function drawArm(d: number, s: number): void {
    const { corners, q } = here(s);
    grid.draw();
    setAttributes(line, { d: plane.line([-span, d], [span, d]) });
    arm.draw([[0, 0], ...corners], q[0] + q[1]);
    hand.place(plane.at(corners[1]), `s ${fixed(s, 2)} m`, s);
  }

  function drawBorders(d: number): void {
    const places = [...Array(BORDER + 1).keys()].map((k) => -span + (2 * span * k) / BORDER);
    const ceilings = places.map((s) => kernels.motion_kernel([s], [d], [0, 0]).ceilings as number[]);
    borders.forEach((border, i) => {
      const points = places.map((s, k): [number, number] => [s, ceilings[k][i]]);
      setAttributes(border, {
        d: runs(points, ([, height]) => height <= top)
          .map((run) => chart.path(run))
          .join(""),
      });
    });
  }

  /** Return the path of the parts of a segment in which a joint exceeds a limit. */
  function overs(moments: Moment[], joint: number): string {
    const parts = runs(moments, (moment) => objects(moment, joint));
    return parts.map((part) => chart.path(part.map((moment) => [moment.s, moment.speed]))).join("");
  }

  function objects({ rates, accelerations }: Moment, joint: number): boolean {
    return Math.abs(rates[joint]) > OVER * speed || Math.abs(accelerations[joint]) > OVER * acceleration;
  }

  function read(all: Moment[], s: number): Reading {
    const at = here(s);
    const most = (of: "rates" | "accelerations", joint: number) =>
      all.reduce((worst, moment) => (Math.abs(moment[of][joint]) > Math.abs(worst[of][joint]) ? moment : worst));
    const rows = [0, 1].map((joint) => [
      `joint ${joint + 1}`,
      ...[at.rates, at.accelerations].map((values) => fixed(values[joint], 2)),
      fixed(Math.abs(most("rates", joint).rates[joint]), 2),
      fixed(Math.abs(most("accelerations", joint).accelerations[joint]), 2),
    ]);
    const heads = ["", "q̇ at s", "q̈ at s", "largest q̇", "and q̈"];
    const table = { heads, rows, colours: COLOURS };
    const way = speeds();
    const lasts = way.slice(1).map((after, i) => (2 * (placeOf(i + 1) - placeOf(i))) / (way[i] + after));
    const time = `The motion takes ${fixed(
      lasts.reduce((sum, last) => sum + last, 0),
      2,
    )} s.`;
    const worst = [0, 1]
      .flatMap((joint) => [
        { joint, moment: most("rates", joint), what: "turn at", unit: "rad/s", of: "rates" as const, limit: speed },
        {
          joint,
          moment: most("accelerations", joint),
          what: "be accelerated by",
          unit: "rad/s²",
          of: "accelerations" as const,
          limit: acceleration,
        },
      ])
      .map((one) => ({ ...one, value: Math.abs(one.moment[one.of][one.joint]) }))
      .reduce((a, b) => (b.value / b.limit > a.value / a.limit ? b : a));
    if (worst.value <= OVER * worst.limit) return { sentence: `All limits are kept. ${time}`, tone: "good", ...table };
    const place = `at s = ${fixed(worst.moment.s, 2)} m`;
    const sentence = `Joint ${worst.joint + 1} exceeds its limits most: ${place} it would ${worst.what} ${fixed(worst.value, 2)} ${worst.unit}; its limit is ${worst.limit}. ${time}`;
    return { sentence, tone: "bad", ...table };
  }
}

/** Return the runs of neighbours that satisfy a condition. */
function runs<T>(all: T[], holds: (one: T) => boolean): T[][] {
  const runs: T[][] = [];
  let open = false;
  for (const one of all) {
    const holdsNow = holds(one);
    if (holdsNow && !open) runs.push([]);
    if (holdsNow) runs[runs.length - 1].push(one);
    open = holdsNow;
  }
  return runs;
}
