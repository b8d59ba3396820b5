/** Lesson 02: the arrow of a rotation in the ball of radius π, the body that it turns, and what two logarithms lose. */

import { power } from "../flat/chart.ts";
import { type Answer, bothLogarithms, LogChart, pose } from "../flat/two_logarithms.ts";
import { Handle, type Point } from "../handle.ts";
import type { Matrix } from "../kernels.ts";
import { DEGREE, fixed } from "../numbers.ts";
import { element } from "../page.ts";
import type { Reading, Stage, View } from "../view.ts";
import { Label } from "./label.ts";
import { Space } from "./scene.ts";
import { Ball, Box, Frame, SpaceArrow, Way } from "./shapes.ts";

const RATIO = 1.05; // width over height
const EYE = [3.5, -4.7, 2.7];
const EDGE = 12; // pixels that a handle keeps from the edge of its picture
const BELOW = 27; // pixels from the tip of an arrow to its name
const SIZE = [1.15, 0.8, 0.4]; // m, of the body
const SEEN = 1e-4; // an error that the eye may see
const LEAST = DEGREE / 2; // rad: a shorter arrow has vanished
const NEARLY = 1e-15; // rad: nearer to half a turn than this, rounding chooses the side
const FEW = 1e-9; // an error worth a word

export function logarithm(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { gaps, unit } = specification.data as unknown as { gaps: number[]; unit: number };
  const row = element("div", "live-pair", stage.root);
  const [left, right] = [0, 1].map(() => element("div", "live-panel-picture", row));
  const ball = new Space(left, [0, 0, 0], EYE, specification.about, stage.redraw, RATIO);
  const room = new Space(right, [0, 0, 0], EYE, "A box, turned by the arrow.", stage.redraw, RATIO);
  new Ball(ball, 1, "sky", 0.13);
  for (const circle of circles()) new Way(ball, "sky", 1.2).through(circle);
  const through = new Way(ball, "steel", 1.8, [0.03, 0.03]);
  const made = new Way(ball, "steel", 3, [0.05, 0.035]);
  const doors = [0, 1].map(() => new Ball(ball, 0.028, "ink"));
  const arrow = new SpaceArrow(ball, "purple", 0.018);
  const other = new SpaceArrow(ball, "purple", 0.009);
  const lost = new SpaceArrow(ball, "vermilion", 0.013);
  const names = ["log R", "π", "arccos"].map((name, k) => new Label(left, name, ["purple", "ink", "vermilion"][k]));
  const axis = new Way(room, "steel", 2, [0.06, 0.04]);
  new Box(room, SIZE, "steel", 0.14).place(pose(identity()));
  const body = new Box(room, SIZE, "sky");
  const frame = new Frame(room, 1.05, 0.022);
  const astray = new Box(room, SIZE, "vermilion", 0.5);
  const astrayName = new Label(right, "by arccos", "vermilion");

  const chart = new LogChart(stage.root, gaps, unit, stage.redraw);

  const setting = (angle: number) => [state.number("azimuth") * DEGREE, state.number("elevation") * DEGREE, angle];
  const theta = () => state.number("turn") * DEGREE - state.number("short");
  const turned = (angle: number) => kernels.arrow_kernel(setting(angle)).arrow as number[];
  let eye = String(EYE);

  const handle = new Handle(left, {
    name: "tip of the arrow",
    colour: "purple",
    hollow: true,
    dragTo: (place) => {
      const [x, y, z] = ball.beside(place, turned(theta() / Math.PI));
      const length = Math.hypot(x, y, z);
      if (length === 0) return;
      state.setOnGrid({
        turn: Math.min((Math.PI * length) / DEGREE, state.control("turn").high),
        short: 0,
        azimuth: Math.atan2(y, x) / DEGREE,
        elevation: Math.asin(z / length) / DEGREE,
      });
    },
    step: (right, up) => state.setOnGrid({ turn: state.number("turn") + up, azimuth: state.number("azimuth") + right }),
  });

  /** Let both pictures follow the one that was turned. */
  const turnTogether = () => {
    const [one, two] = String(ball.eye) !== eye ? [ball, room] : [room, ball];
    two.lookFrom(one.eye);
    eye = String(one.eye);
  };

  return {
    draw(): Reading {
      if (String(ball.eye) !== eye || String(room.eye) !== eye) turnTogether();
      const angle = theta();
      const whole = turned(angle);
      const R = kernels.exp_so3_kernel(whole).R;
      const answers = bothLogarithms(kernels, R);
      const [textbook, ours] = answers;
      const inBall = (omega: number[]) => omega.map((entry) => entry / Math.PI);
      const wall = turned(1);
      const half = Math.abs(angle - Math.PI) < NEARLY;
      through.through([wall.map((entry) => -entry), wall]);
      made.through(angle > 0 ? [[0, 0, 0], inBall(whole)] : []);
      doors.forEach((door, k) => {
        door.place(wall.map((entry) => (k === 0 ? entry : -entry)));
      });
      arrow.draw([0, 0, 0], inBall(ours.omega));
      other.draw([0, 0, 0], half ? inBall(ours.omega).map((entry) => -entry) : [0, 0, 0]);
      const wrong = textbook.error > SEEN && Number.isFinite(textbook.error);
      lost.draw([0, 0, 0], wrong ? inBall(textbook.omega) : [0, 0, 0]);
      const beyond = (omega: number[], far: number) => ball.at(inBall(omega).map((entry) => far * entry));
      names[0].show(Math.hypot(...ours.omega) > 0.5);
      names[0].placeBeside(ball.at([0, 0, 0]), beyond(ours.omega, 1));
      names[1].place(ball.at([0, 0, 1.08]));
      const [x, y] = beyond(textbook.omega, 1);
      names[2].place([x, y + BELOW]);
      names[2].show(wrong);
      axis.through([wall.map((entry) => -1.3 * entry), wall.map((entry) => 1.3 * entry)]);
      body.place(pose(R));
      frame.place(pose(R));
      astray.place(wrong ? pose(kernels.exp_so3_kernel(textbook.omega).R) : undefined);
      astrayName.show(wrong);
      astrayName.place(room.at([0, 0, -1.25]));
      handle.place(within(ball, beyond(whole, 1)), `turned by ${fixed(angle / DEGREE, 1)}°`, angle / DEGREE);
      ball.render();
      room.render();
      chart.draw(Math.abs(Math.PI - angle), answers, String(setting(0)), (gap) => {
        return bothLogarithms(kernels, kernels.exp_so3_kernel(turned(Math.PI - gap)).R);
      });
      return read(angle, state.number("short"), half, textbook, ours, whole);
    },
    dispose: () => {
      ball.dispose();
      room.dispose();
      chart.dispose();
    },
  };
}

function read(angle: number, short: number, half: boolean, textbook: Answer, ours: Answer, whole: number[]): Reading {
  const cells = (name: string, omega: number[], error: string) => {
    return [name, ...omega.map((entry) => fixed(Number.isFinite(entry) ? entry : Number.NaN, 3)), error];
  };
  const rows = [
    cells("turn θa", whole, ""),
    cells("atan2", ours.omega, sized(ours.error)),
    cells("arccos", textbook.omega, sized(textbook.error)),
  ];
  const length = Math.hypot(...ours.omega);
  const turned = `Turned by ${fixed((angle + short) / DEGREE, 1)}°${short > 0 ? ` less ${short} rad` : ""}.`;
  const where = half
    ? "Half a turn: the arrow ends on the wall, and the one to the opposite point is the same rotation."
    : length < LEAST
      ? `${angle > Math.PI ? "A whole turn is none" : "No turn"}: the arrow has vanished.`
      : angle <= Math.PI
        ? `${turned} The arrow is ${fixed(length, 2)} rad long and ends inside the ball.`
        : `${turned} The arrow went through the wall and came in on the other side: the same place is reached by ${fixed(length / DEGREE, 1)}° about −a.`;
  const digits = Math.max(0, Math.floor(-Math.log10(textbook.error)));
  const kept = Number.isFinite(textbook.error) ? `keeps ${digits} of 16 digits` : "gives no number";
  const bad = textbook.error > FEW;
  const sentence = bad ? `${where} So near to ${length > 1 ? "half a turn" : "I"} the arc cosine ${kept}.` : where;
  const tone = bad ? "bad" : "plain";
  return { sentence, tone, heads: ["rad", "x", "y", "z", "error"], rows, colours: ["ink", "purple", "vermilion"] };
}

/** Return the nearest place that lies within a picture [pixels]. */
function within(space: Space, [x, y]: Point): Point {
  const clamp = (value: number, end: number) => Math.min(Math.max(value, EDGE), end - EDGE);
  return [clamp(x, space.width), clamp(y, space.height)];
}

/** Return the nearest power of ten. */
function sized(error: number): string {
  if (!Number.isFinite(error)) return "no number";
  return error > 0 ? power(Math.round(Math.log10(error))) : "0";
}

/** Return three great circles of the ball of radius one. */
function circles(): number[][][] {
  const round = [...Array(97).keys()].map((k) => (2 * Math.PI * k) / 96);
  return [0, 1, 2].map((axis) =>
    round.map((part) => {
      const point = [0, 0, 0];
      point[(axis + 1) % 3] = Math.cos(part);
      point[(axis + 2) % 3] = Math.sin(part);
      return point;
    }),
  );
}

function identity(): Matrix {
  return [0, 1, 2].map((i) => [0, 1, 2].map((j) => Number(i === j)));
}
