/** Lesson 02: rotate a box; its rotation vectors leave trails in a ball with an adjustable wall. */

import { Handle, type Point } from "../../../front/src/handle.ts";
import { type Kernels, type Matrix, type PrintedFunction, packMatrix } from "../../../front/src/kernels.ts";
import { poseAt } from "../../../front/src/matrix.ts";
import { asTyped, DEGREE, fixed } from "../../../front/src/numbers.ts";
import { addKey, addTwo } from "../../../front/src/page.ts";
import { addLabel } from "../../../front/src/space/label.ts";
import { layRings } from "../../../front/src/space/rings.ts";
import { Space, turner } from "../../../front/src/space/scene.ts";
import { Ball, Box, Frame, SpaceArrow, Way } from "../../../front/src/space/shapes.ts";
import { addStrands } from "../../../front/src/space/strands.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const RATIO = 1.05; // width over height
const EYE = [3.5, -4.7, 2.7];
const EDGE = 12; // pixels between a handle and the edge of its picture
const SIZE = [1.55, 1.1, 0.5]; // m, of the box
const SMALL = 0.2; // size of a box on the wall
const OUT = 1.5; // m, drawn length of 2π
const NAME = 0.7; // rad, from the wall down to its name
const ROLL = 3 * DEGREE; // rotation of the box per key
const WHOLE = 2 * Math.PI;
const HAIR = 1e-9; // rad
const JUMP = 1; // rad: a jump of this size begins a new trail
const LONGEST = 900; // points of a trail

export function logarithm(stage: Stage<{ rings: number }>): View {
  const { state, kernels, specification } = stage;
  const { rings } = stage.data;
  const left = (angle: number) => (kernels.across_kernel([angle]).left as number[])[0];
  const [one, other] = addTwo(stage.root, "live-pair");
  const room = new Space(one, [0, 0, 0], EYE, "A box, rotated as the arrow describes.", stage.redraw, RATIO);
  const ball = new Space(other, [0, 0, 0], EYE, specification.about, stage.redraw, RATIO);
  const text =
    "Where the disc has this colour, a sideways step of the tip hardly rotates the box. Each small box is rotated as " +
    "the arrow that ends at it describes.";
  addKey(stage.root, [["vermilion", text]]);

  const axis = new Way(room, "steel", 2, [0.06, 0.04]);
  const body = new Box(room, SIZE, "sky");
  const frame = new Frame(room, 1.3, 0.026);

  const shares = [...Array(rings).keys()].map((k) => 1 - left((WHOLE * (k + 0.5)) / rings));
  layRings(ball, "vermilion", OUT, shares);
  const wall = new Ball(ball, OUT, "sky", 0.2);
  const circles = greatCircles().map((circle) => ({ circle, line: new Way(ball, "sky", 1.4) }));
  const ends = [0, 1].map(() => ({
    box: new Box(ball, scaled(SIZE, SMALL), "sky"),
    frame: new Frame(ball, 1.5 * SMALL, 0.05 * SMALL),
  }));
  const arrows = [0, 1].map(() => new SpaceArrow(ball, "purple", 0.026));
  const beyond = [0, 1].map(() => new SpaceArrow(ball, "steel", 0.014));
  const trails = addStrands(ball, "purple", 2.6, 1);
  const name = addLabel(other, "log R", "purple");
  const border = addLabel(other, "", "ink");

  const setting = (angle: number) => [state.number("azimuth") * DEGREE, state.number("elevation") * DEGREE, angle];
  const theta = () => state.number("turn") * DEGREE;
  const arrowAt = (angle: number) => kernels.arrow_kernel(setting(angle)).arrow as number[];
  const inBall = (omega: number[]) => scaled(omega, OUT / WHOLE);
  let trail: number[][][] = [];
  let [orientation, arrow]: [Matrix, number[]] = [[], []]; // orientation during a drag, off the grid
  let last: Point = [0, 0];

  /** Grab the box at its current orientation. */
  const hold = () => {
    arrow = arrowAt(theta());
    orientation = kernels.exp_so3_kernel(arrow).R;
  };
  /** Roll the box from its grabbed orientation as the pointer moves to the right and up [rad]. */
  const roll = (across: number, up: number) => {
    const [right, above] = room.sides;
    const delta = right.map((entry, i) => across * above[i] - up * entry);
    orientation = kernels.rolled_kernel(orientation, delta).rolled;
    arrow = nearest(bothArrows(kernels, orientation), arrow);
    go(arrow);
  };
  const go = ([x, y, z]: number[]) => {
    const length = Math.hypot(x, y, z);
    if (length === 0) return;
    state.setOnGrid({
      turn: Math.min(length / DEGREE, state.control("turn").high),
      azimuth: Math.atan2(y, x) / DEGREE,
      elevation: Math.asin(z / length) / DEGREE,
    });
  };

  const grip = new Handle(one, {
    name: "box",
    looks: "ink live-hollow live-around",
    begin: (place) => {
      hold();
      last = place;
    },
    dragTo: (place) => {
      const radius = Math.hypot(...SIZE) / 2;
      const [middle, edge] = [room.at([0, 0, 0]), room.at(room.sides[0].map((entry) => radius * entry))];
      const pixels = Math.hypot(edge[0] - middle[0], edge[1] - middle[1]);
      roll((place[0] - last[0]) / pixels, (last[1] - place[1]) / pixels);
      last = place;
    },
    step: (right, up) => {
      hold();
      roll(right * ROLL, up * ROLL);
    },
  });
  const tip = new Handle(other, {
    name: "tip of the arrow",
    looks: "purple live-hollow",
    dragTo: (place) => go(scaled(ball.beside(place, inBall(arrowAt(theta()))), WHOLE / OUT)),
    step: (right, up) => state.setOnGrid({ turn: state.number("turn") + up, azimuth: state.number("azimuth") + right }),
  });

  const turnTogether = turner(() => [ball, room]);

  /** Extend the trails of both arrows; one that has jumped begins anew. */
  const leave = (both: number[][]) => {
    const before = trail.map((way) => way[way.length - 1]);
    if (trail.length === 0) trail = [[[0, 0, 0], both[0]], [both[1]]];
    else if (distance(before[0], both[0]) > JUMP) trail = both.map((place) => [place]);
    else if (distance(before[0], both[0]) > HAIR) trail = trail.map((way, k) => [...way.slice(-LONGEST), both[k]]);
    trails(trail.map((way) => way.map(inBall)));
  };

  return {
    draw(): Reading {
      turnTogether();
      const [angle, radius] = [theta(), state.number("wall") * DEGREE];
      const both = [arrowAt(angle), arrowAt(angle - WHOLE)];
      const R = kernels.exp_so3_kernel(both[0]).R;
      wall.place([0, 0, 0], radius / WHOLE);
      for (const { circle, line } of circles) line.through(circle.map((point) => inBall(scaled(point, radius))));
      [1, -1].forEach((side, k) => {
        const end = arrowAt(side * radius);
        const T = poseAt(kernels.exp_so3_kernel(end).R, inBall(end));
        ends[k].box.place(T);
        ends[k].frame.place(T);
      });
      both.forEach((omega, k) => {
        const isIn = Math.hypot(...omega) <= radius + HAIR;
        arrows[k].draw([0, 0, 0], isIn ? inBall(omega) : [0, 0, 0]);
        beyond[k].draw([0, 0, 0], isIn ? [0, 0, 0] : inBall(omega));
      });
      leave(both);
      const short = angle <= Math.PI ? both[0] : both[1];
      name.show(Math.hypot(...short) > 1);
      name.placeBeside(ball.at([0, 0, 0]), ball.at(inBall(short)));
      border.place(ball.at(inBall([0, 0, -radius - NAME])));
      border.rename(`ρ = ${asTyped(radius / DEGREE, 1)}°`);
      axis.through([-1.5, 1.5].map((far) => arrowAt(far)));
      body.place(poseAt(R));
      frame.place(poseAt(R));
      const words = `rotated by ${fixed(angle / DEGREE, 0)}°`;
      grip.place(room.at([0, 0, 0]), words, angle / DEGREE);
      tip.place(within(ball, ball.at(inBall(both[0]))), words, angle / DEGREE);
      ball.render();
      room.render();
      return read(both, angle, radius);
    },
    parts: () => [ball, room],
  };
}

/** Return the logarithm of a rotation, and the rotation vector of the opposite direction. */
function bothArrows(kernels: Kernels, R: Matrix): number[][] {
  const log = [0, 0, 0];
  (kernels.log_rotation_kernel as unknown as PrintedFunction)(packMatrix(poseAt(R)), log);
  const length = Math.hypot(...log);
  return length > 0 ? [log, log.map((entry) => entry * (1 - WHOLE / length))] : [log];
}

function nearest(arrows: number[][], to: number[]): number[] {
  return arrows.reduce((best, arrow) => (distance(arrow, to) < distance(best, to) ? arrow : best));
}

function read(both: number[][], angle: number, radius: number): Reading {
  const lengths = [angle, WHOLE - angle];
  const rows = both.map((omega, k) => [["θa", "other arrow"][k], ...omega.map((entry) => fixed(entry, 3))]);
  const inside = lengths.filter((length) => length <= radius + HAIR).length;
  const few = ["No arrow", "One arrow", "Two arrows"][inside];
  const apart = Math.abs(2 * radius - WHOLE * Math.round(radius / Math.PI));
  const isAt = (angle: number) => Math.abs(radius - angle) < HAIR;
  const distant = `The rotations of the small boxes differ by ${asTyped(apart / DEGREE, 1)}°.`;
  const same = isAt(WHOLE) ? "The whole wall represents one rotation, I." : distant;
  const ends = isAt(Math.PI) ? "Opposite points on the wall represent the same rotation." : same;
  const gone = `${angle > Math.PI ? "A whole revolution is the same as no rotation" : "No rotation"}: log R has vanished.`;
  const make = `${few} within the wall ${inside === 2 ? "give" : "gives"} this ${asTyped(angle / DEGREE, 1)}° rotation.`;
  const sentence = `${Math.min(...lengths) < HAIR ? gone : make} ${ends}`;
  const tone = inside === 0 ? "bad" : "plain";
  return { sentence, tone, heads: ["rad", "x", "y", "z"], rows, colours: ["purple", "purple"] };
}

function scaled(vector: number[], by: number): number[] {
  return vector.map((entry) => by * entry);
}

function distance(from: number[], to: number[]): number {
  return Math.hypot(...from.map((entry, i) => to[i] - entry));
}

/** Return the nearest position within a picture [pixels]. */
function within(space: Space, [x, y]: Point): Point {
  const clamp = (value: number, end: number) => Math.min(Math.max(value, EDGE), end - EDGE);
  return [clamp(x, space.width), clamp(y, space.height)];
}

/** Return three great circles of the unit sphere. */
function greatCircles(): number[][][] {
  const round = [...Array(97).keys()].map((k) => (WHOLE * k) / 96);
  return [0, 1, 2].map((axis) =>
    round.map((part) => {
      const point = [0, 0, 0];
      point[(axis + 1) % 3] = Math.cos(part);
      point[(axis + 2) % 3] = Math.sin(part);
      return point;
    }),
  );
}
