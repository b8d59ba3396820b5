/** Lesson 06: a planar arm whose joints are dragged, its Jacobian's columns as arrows, the screws being carried. */

import { Handle, type Point } from "../handle.ts";
import type { Matrix } from "../kernels.ts";
import { DEGREE, degrees, fixed } from "../numbers.ts";
import { drawn, put, show } from "../page.ts";
import type { Reading, Stage, View } from "../view.ts";
import { FlatArm } from "./arm.ts";
import { Arrow } from "./arrow.ts";
import { Grid, Plane } from "./plane.ts";
import { ellipse, principal } from "./velocities.ts";

const COLOURS = ["blue", "vermilion", "green", "purple"];
const LEAST = 1e-6; // m per rad: a shorter arrow has no direction that means anything

interface Body {
  joints: number[];
  kinds: string[];
  reach: number;
  scale: number;
}

export function columns(stage: Stage): View {
  const { state, kernels } = stage;
  const body = stage.specification.data as unknown as Body;
  const n = body.joints.length;
  const half = body.reach + 0.6 * body.scale * body.reach;
  const bounds = { left: -half, right: half, bottom: -0.8 * half, top: 0.8 * half };
  const plane = new Plane(stage.root, bounds, stage.specification.about, stage.redraw);
  const grid = new Grid(plane, half);
  const outline = drawn("path", plane.svg, { class: "live-ellipse" });
  const colour = colourOf;
  const levers = body.joints.map((_, i) => drawn("path", plane.svg, { class: `live-lever live-${colour(i)}` }));
  const carried = body.joints.map((_, i) => drawn("path", plane.svg, { class: `live-carried live-${colour(i)}` }));
  const arm = new FlatArm(plane, n, "live-ink");
  const tips = body.joints.map((_, i) => new Arrow(plane, `live-${colour(i)}`, `J${subscript(i + 1)}`));
  const origins = body.joints.map((_, i) => new Arrow(plane, `live-dashed live-${colour(i)}`, `v${subscript(i + 1)}`));

  const factor = (i: number) => (body.kinds[i] === "prismatic" ? 1 : DEGREE);
  const configuration = () => body.joints.map((_, i) => state.number(`q${i + 1}`) * factor(i));
  const shape = () => kernels.arm_kernel(configuration());
  const through = (points: Matrix) => [...body.joints.map((corner) => points[corner]), points[points.length - 1]];
  const home = through(kernels.arm_kernel(body.joints.map(() => 0)).points);

  const handles = body.joints.map((_, i) => {
    const name = `q${i + 1}`;
    return new Handle(stage.root, {
      name: `joint ${i + 1}`,
      colour: colour(i),
      dragTo: (place) => {
        const points = through(shape().points);
        const [root, held, wanted] = [points[i], points[i + 1], plane.from(place)];
        if (body.kinds[i] === "prismatic") return;
        const turn = angleOf(root, wanted) - angleOf(root, held);
        const control = state.control(name);
        let next = state.number(name) + turn / DEGREE;
        if (next > control.high) next -= 360;
        if (next < control.low) next += 360;
        state.setOnGrid({ [name]: next });
      },
      step: (right, up) => state.setOnGrid({ [name]: state.number(name) + (right + up) * state.control(name).step }),
    });
  });

  return {
    draw(): Reading {
      const { T, J_s, J_p, points } = shape();
      const corners = through(points);
      const tip: Point = [T[0][3], T[1][3]];
      grid.draw();
      arm.draw(corners, Math.atan2(T[1][0], T[0][0]));
      const flat = [J_p[0], J_p[1]];
      put(outline, {
        d: plane.path(
          ellipse(flat).map(([x, y]) => [tip[0] + body.scale * x, tip[1] + body.scale * y]),
          true,
        ),
      });
      body.joints.forEach((_, i) => {
        tips[i].draw(tip, [body.scale * flat[0][i], body.scale * flat[1][i]]);
        origins[i].draw([0, 0], [body.scale * J_s[3][i], body.scale * J_s[4][i]]);
        show(origins[i].group, state.on("space"));
        put(levers[i], { d: body.kinds[i] === "revolute" ? plane.path([corners[i], tip]) : "" });
        put(carried[i], { d: i > 0 ? wayOf(plane, home[i], corners[i]) : "" });
        const told =
          body.kinds[i] === "prismatic"
            ? `${fixed(state.number(`q${i + 1}`), 2)} m`
            : `${fixed(state.number(`q${i + 1}`), 0)}°`;
        handles[i].place(plane.at(corners[i + 1]), told, state.number(`q${i + 1}`));
      });
      return read(flat, state.on("space") ? J_s : undefined);
    },
    dispose: () => plane.dispose(),
  };
}

function read(J: Matrix, J_s: Matrix | undefined): Reading {
  const names = J[0].map((_, i) => `J${subscript(i + 1)}`);
  const rows = names.map((name, i) => [
    name,
    fixed(J[0][i], 2),
    fixed(J[1][i], 2),
    fixed(Math.hypot(J[0][i], J[1][i]), 2),
  ]);
  const screws = (J_s ? names : []).map((_, i) => [
    `v${subscript(i + 1)}`,
    ...[3, 4].map((row) => fixed(J_s?.[row][i] ?? 0, 2)),
    "at {s}",
  ]);
  const [longest, shortest] = principal(J);
  const heads = ["m/rad", "x", "y", "length"];
  const table = [...rows, ...screws];
  const colours = table.map((_, i) => colourOf(i % names.length));
  if (J[0].length === 2) {
    const lengths = [0, 1].map((i) => Math.hypot(J[0][i], J[1][i]));
    if (Math.min(...lengths) < LEAST) {
      const gone = lengths[0] < LEAST ? 0 : 1;
      return {
        sentence: `${names[gone]} has vanished: the tip lies on its axis.`,
        tone: "bad",
        heads,
        rows: table,
        colours,
      };
    }
    const cross = J[0][0] * J[1][1] - J[1][0] * J[0][1];
    const between = Math.atan2(Math.abs(cross), J[0][0] * J[0][1] + J[1][0] * J[1][1]);
    if (shortest < LEAST) {
      const sentence =
        "Both arrows are parallel, and the ellipse is a line: whatever the joints do, the tip moves along it.";
      return { sentence, tone: "bad", heads, rows: table, colours };
    }
    const sentence =
      `The arrows are ${degrees(between, 0)} apart. At joint rates of length 1 rad/s the tip moves ` +
      `at ${fixed(shortest, 2)} to ${fixed(longest, 2)} m/s.`;
    return { sentence, tone: "plain", heads, rows: table, colours };
  }
  const sentence = `At joint rates of length 1 the tip moves at ${fixed(shortest, 2)} to ${fixed(longest, 2)} m/s.`;
  return { sentence, tone: "plain", heads, rows: table, colours };
}

/** Return the arc on which a joint's axis was carried from its home place, about the base. */
function wayOf(plane: Plane, from: number[], to: number[]): string {
  const [start, end] = [angleOf([0, 0], from), angleOf([0, 0], to)];
  const [before, after] = [Math.hypot(from[0], from[1]), Math.hypot(to[0], to[1])];
  const turn = Math.atan2(Math.sin(end - start), Math.cos(end - start));
  const steps = [...Array(33).keys()].map((k) => k / 32);
  return plane.path(
    steps.map((part) => {
      const r = before + (after - before) * part;
      return [r * Math.cos(start + part * turn), r * Math.sin(start + part * turn)];
    }),
  );
}

function angleOf(root: number[], point: number[]): number {
  return Math.atan2(point[1] - root[1], point[0] - root[0]);
}

function colourOf(i: number): string {
  return COLOURS[i % COLOURS.length];
}

function subscript(i: number): string {
  return [...String(i)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");
}
