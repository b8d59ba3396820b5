/** Lesson 24: the steps of a reachability map on SIMD lanes and cores; the reached poses, and the speed-up. */

import { type Axis, Chart, even } from "../../../front/src/flat/chart.ts";
import { controlHandle, type Point } from "../../../front/src/handle.ts";
import type { PrintedFunction } from "../../../front/src/kernels.ts";
import { amount, fixed } from "../../../front/src/numbers.ts";
import { addKey, addTwo, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { addPlayer } from "../../../front/src/player.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const HEIGHT = 280; // pixels of the picture of the lanes
const LOW = 36; // below them, for the axis
const GAP = 5; // between two cores
const APART = 1; // pixels between two positions of the map
const FILM = { name: "ticks of the lanes", pace: 60, describe: (at: number, last: number) => `tick ${at} of ${last}` };
const ROUND = 2; // of a bar's corners

interface Data {
  /** Steps of each start of each pose, up to the first success. */
  tries: number[][];
  /** Whether the last of them succeeds. */
  reached: boolean[];
  /** x and z [m] of the hand; rows of the map one after the other, top row first. */
  places: [number, number][];
  /** Numbers of cores and measured speed-ups. */
  measured: [number, number][];
}

interface Schedule {
  begins: number[];
  /** Lane of each pose, numbered through all cores. */
  lanes: number[];
  ends: number[];
  ticks: number;
}

export function lanes(stage: Stage<Data>): View {
  const { state, kernels } = stage;
  const { tries, reached, places, measured } = stage.data;
  const [picture, side] = addTwo(stage.root, "live-pair live-map-pair");
  const about = "A row for each lane and a bar for each pose, over the ticks.";
  const chart = new Chart(element("div", "live-charts", picture), HEIGHT, about, stage.redraw);
  const plane = "The positions of the hand, and which of them the arm reaches.";
  const map = new Chart(element("div", "live-charts", side), HEIGHT, plane, stage.redraw);
  const cells = drawElement("g", map.svg);
  const ground = drawElement("g", chart.svg);
  const bars = drawElement("g", chart.svg);
  const end = drawElement("path", chart.svg, { class: "live-bound" });
  const cursor = drawElement("path", chart.svg, { class: "live-cursor" });
  const player = addPlayer(stage.root, stage.redraw, FILM);
  const key = {
    purple: "serial",
    blue: "a pose that is reached",
    vermilion: "a pose that is not reached",
    waits: "idle",
  };
  addKey(stage.root, Object.entries(key));
  const below = element("div", "live-charts", stage.root);
  const of = "The speed-up against the number of cores, as counted and by Amdahl’s law.";
  const gains = new Chart(below, 190, of, stage.redraw);
  const law = drawElement("path", gains.svg, { class: "live-curve live-purple" });
  const ideal = drawElement("path", gains.svg, { class: "live-bound" });
  const widest = state.control("cores").high;
  const dots = [...Array(widest).keys()].map(() => drawElement("circle", gains.svg, { r: 5 }));
  const diamonds = measured.map(() => drawElement("path", gains.svg, { class: "live-spot live-ink" }));
  const further = ` · dashed: no serial part${measured.length > 0 ? " · squares: measured" : ""}`;
  addKey(stage.root, Object.entries({ blue: "counted", purple: "Amdahl’s law" }), further);

  const shareAt = ([x]: Point) => [chart.partAt(x)];
  const handle = controlHandle(chart.root, state, "serial share", "purple", { serial: 0.01 }, shareAt);

  const whole = (name: string) => Math.floor(state.number(name) + 0.5);
  const batch = () => tries.map((steps) => steps.slice(0, whole("most")).reduce((sum, count) => sum + count, 0));
  const isSolved = (pose: number) => reached[pose] && tries[pose].length <= whole("most");

  /** Schedule the batch on some cores, each with its part. */
  function scheduleOn(cores: number): Schedule {
    const [poses, width] = [batch(), whole("lanes")];
    const begins = poses.map(() => 0);
    const rows = poses.map(() => 0);
    const ends: number[] = [];
    for (let core = 0; core < cores; core++) {
      const [first, last] = [core, core + 1].map((edge) => Math.floor((poses.length * edge) / cores));
      const inputs = [poses, first, last, width, state.on("refill"), Array<number>(width).fill(0), begins, rows];
      ends.push(Number((kernels.fill_lanes as unknown as PrintedFunction)(...inputs)));
      for (let pose = first; pose < last; pose++) rows[pose] += core * width;
    }
    return { begins, lanes: rows, ends, ticks: Math.max(...ends) };
  }

  return {
    draw(): Reading {
      const cores = whole("cores");
      const share = state.number("serial");
      const [one, many] = [scheduleOn(1), scheduleOn(cores)];
      const serial = (one.ticks * share) / (1 - share);
      player.bound(Math.ceil(serial + many.ticks));
      drawLanes(many, cores, serial, serial + one.ticks);
      drawMap(many, player.at - serial);
      handle.place([chart.at(serial, 0)[0], chart.height - LOW], `s ${fixed(share, 2)}`, share);
      const speedUps = [...Array(widest).keys()].map((k) => (serial + one.ticks) / (serial + scheduleOn(k + 1).ticks));
      drawGains(speedUps, cores, share);
      return read(one, many, cores, serial);
    },
    parts: () => [player, chart, map, gains],
  };

  /** Colour each position when its pose is done. */
  function drawMap({ begins }: Schedule, here: number): void {
    const axes = ["x [m]", "z [m]"].map((name, k) => {
      const values = [...new Set(places.map((place) => place[k]))];
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const half = (high - low) / (values.length - 1) / 2;
      return { half, axis: even(name, low - half, high + half, 0.5, (value) => fixed(value, 1)) };
    });
    const [wide, tall] = axes.map(({ half }) => half);
    map.dress(axes[0].axis, axes[1].axis);
    const counts = batch();
    cells.replaceChildren(
      ...places.map(([x, z], pose) => {
        const done = begins[pose] + counts[pose] <= here;
        const look = done ? `live-pose live-${isSolved(pose) ? "blue" : "vermilion"}` : "live-idle";
        const [[x1, y1], [x2, y2]] = [map.at(x - wide, z + tall), map.at(x + wide, z - tall)];
        const size = { x: x1, y: y1, width: x2 - x1 - APART, height: y2 - y1 - APART };
        return drawElement("rect", cells, { class: `live-place ${look}`, ...size });
      }),
    );
  }

  function drawLanes({ begins, lanes: rows, ends }: Schedule, cores: number, serial: number, whole1: number): void {
    const width = whole("lanes");
    const every = [5, 10, 20, 50, 100, 200, 500, 1000].find((step) => whole1 / step <= 5) ?? 2000;
    const x = even("ticks (one step of each lane)", 0, whole1, every);
    chart.dress(x, { name: `${cores * width} lanes`, part: (value) => value, ticks: [] });
    const [left, low] = chart.at(0, 0);
    const [, high] = chart.at(0, 1);
    const tall = (low - high - GAP * (cores - 1)) / (cores * width);
    const top = (row: number) => high + row * tall + GAP * Math.floor(row / width);
    const across = (ticks1: number) => chart.at(ticks1, 0)[0] - left;
    const slim = Math.max(tall - (tall > 6 ? 2 : 0.6), 0.8);
    const now = player.at;
    ground.replaceChildren();
    bars.replaceChildren();
    const before = { x: left, y: high, width: across(Math.min(serial, now)), height: low - high };
    drawElement("rect", ground, { class: "live-serial", ...before });
    const idle = { class: "live-idle", x: left + across(serial), width: across(Math.max(...ends)), height: slim };
    for (let row = 0; row < cores * width; row++) drawElement("rect", ground, { ...idle, y: top(row) });
    batch().forEach((count, pose) => {
      const begin = serial + begins[pose];
      const done = Math.min(begin + count, now) - begin;
      if (done <= 0) return;
      const [x1, length] = [left + across(begin), across(done)];
      const look = { x: x1 + 0.5, y: top(rows[pose]), width: Math.max(length - 1, 0.5), height: slim, rx: ROUND };
      drawElement("rect", bars, { class: `live-pose live-${isSolved(pose) ? "blue" : "vermilion"}`, ...look });
    });
    const upright = (tick: number) => `M${left + across(tick)},${high - 4}V${low}`;
    setAttributes(end, { d: upright(serial + Math.max(...ends)) });
    setAttributes(cursor, { d: now < serial + Math.max(...ends) ? upright(now) : "" });
  }

  function drawGains(speedUps: number[], cores: number, share: number): void {
    const counts = [...Array(widest).keys()].map((k): [number, string] => [k + 1, String(k + 1)]);
    const x: Axis = { name: "cores p", part: (value) => (value - 0.5) / widest, ticks: counts };
    const evens = counts.filter(([k]) => k % 2 === 0);
    gains.dress(x, { name: "speed-up", part: (value) => value / (widest + 0.5), ticks: evens });
    const fine = [...Array(61).keys()].map((k) => 1 + ((widest - 1) * k) / 60);
    setAttributes(law, { d: gains.path(fine.map((p) => [p, kernels.law_kernel([share], [p]).gained[0]])) });
    setAttributes(ideal, { d: gains.line([1, 1], [widest, widest]) });
    speedUps.forEach((gained, k) => {
      const looks = `live-dot live-blue${k + 1 === cores ? " live-chosen" : ""}`;
      setAttributes(dots[k], { ...gains.dot(k + 1, gained), class: looks });
    });
    measured.forEach(([p, gained], k) => {
      const [cx, cy] = gains.at(p, gained);
      setAttributes(diamonds[k], { d: `M${cx - 4},${cy - 4}h8v8h-8Z` });
    });
  }

  function read(one: Schedule, many: Schedule, cores: number, serial: number): Reading {
    const [poses, width, now] = [batch(), whole("lanes"), player.at];
    const work = poses.reduce((sum, count) => sum + count, 0);
    const share = state.number("serial");
    const [alone, together] = [serial + one.ticks, serial + many.ticks];
    const gained = alone / together;
    const busy = (schedule: Schedule, p: number) => fixed((100 * work) / (p * width * schedule.ticks), 0);
    const law = (p: number) => kernels.law_kernel([share], [p]).gained[0];
    const rows = [["1 core", fixed(alone, 1), busy(one, 1), "1.00", fixed(law(1), 2)]];
    const shared = [fixed(together, 1), busy(many, cores), fixed(gained, 2), fixed(law(cores), 2)];
    if (cores > 1) rows.push([`${cores} cores`, ...shared]);
    const table = { heads: ["", "ticks", "busy [%]", "speed-up", "Amdahl’s law"], rows };
    const here = now - serial;
    const atWork = poses.filter((count, k) => many.begins[k] < here && here <= many.begins[k] + count).length;
    const waits = serial > 0 ? "the serial part runs, and every lane waits" : "no lane has begun";
    const works = `${atWork} of ${cores * width} lanes are at work, ${cores * width - atWork} idle`;
    if (now < Math.ceil(together)) return { sentence: `Tick ${now}: ${here <= 0 ? waits : works}.`, ...table };
    const idle = 100 - (100 * work) / (cores * width * many.ticks);
    const hits = poses.filter((_, pose) => isSolved(pose));
    const vain = 1 - hits.reduce((sum, count) => sum + count, 0) / work;
    const others = `the others take ${fixed(100 * vain, 0)} % of all steps`;
    const lanes = `Lanes are idle for ${amount(idle, 0)} % of the parallel part.`;
    const summary = `${hits.length} of ${poses.length} poses are reached; ${others}. ${lanes}`;
    if (cores === 1) return { sentence: summary, ...table };
    const sentence = `${summary} The speed-up is ${fixed(gained, 2)}; Amdahl’s law predicts ${fixed(law(cores), 2)}.`;
    return { sentence, tone: gained < 0.9 * law(cores) ? "bad" : "plain", ...table };
  }
}
