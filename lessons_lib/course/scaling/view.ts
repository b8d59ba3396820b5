/** Lesson 24: the steps of a reachability map on SIMD lanes and cores; the reached poses, and the speed-up. */

import { type Axis, Chart, even } from "../../../front/src/flat/chart.ts";
import { Handle } from "../../../front/src/handle.ts";
import type { PrintedFunction } from "../../../front/src/kernels.ts";
import { fixed } from "../../../front/src/numbers.ts";
import { addKey, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import { Player } from "../../../front/src/player.ts";
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

export function lanes(stage: Stage): View {
  const { state, kernels, specification } = stage;
  const { tries, reached, places, measured } = specification.data as unknown as Data;
  const pair = element("div", "live-pair live-map-pair", stage.root);
  const [picture, side] = [1, 2].map(() => element("div", "live-panel-picture", pair));
  const about = "A row for each lane, a bar for each pose, over the ticks.";
  const chart = new Chart(element("div", "live-charts", picture), HEIGHT, about, stage.redraw);
  const plane = "The places of the hand: which of them the arm reaches.";
  const map = new Chart(element("div", "live-charts", side), HEIGHT, plane, stage.redraw);
  const cells = drawElement("g", map.svg);
  const ground = drawElement("g", chart.svg);
  const bars = drawElement("g", chart.svg);
  const end = drawElement("path", chart.svg, { class: "live-bound" });
  const cursor = drawElement("path", chart.svg, { class: "live-cursor" });
  const player = new Player(stage.root, stage.redraw, FILM);
  addKey(stage.root, [
    ["purple", "serial"],
    ["blue", "a pose that is reached"],
    ["vermilion", "one that is not"],
    ["waits", "idle"],
  ]);
  const below = element("div", "live-charts", stage.root);
  const gains = new Chart(below, 190, "The speed-up over the cores, counted and by Amdahl’s law.", stage.redraw);
  const law = drawElement("path", gains.svg, { class: "live-curve live-purple" });
  const ideal = drawElement("path", gains.svg, { class: "live-bound" });
  const widest = state.control("cores").high;
  const dots = [...Array(widest).keys()].map(() => drawElement("circle", gains.svg, { r: 5 }));
  const diamonds = measured.map(() => drawElement("path", gains.svg, { class: "live-spot live-ink" }));
  const further = ` · dashed: nothing serial${measured.length > 0 ? " · squares: measured" : ""}`;
  addKey(stage.root, Object.entries({ blue: "counted", purple: "Amdahl’s law" }), further);

  const handle = new Handle(chart.root, {
    name: "serial share",
    colour: "purple",
    dragTo: ([x]) => state.setOnGrid({ serial: chart.partAt(x) }),
    step: (right, up) => state.setOnGrid({ serial: state.number("serial") + 0.01 * (right + up) }),
  });

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
    const [xs, zs] = [0, 1].map((k) => [...new Set(places.map((place) => place[k]))].sort((a, b) => a - b));
    const [wide, tall] = [xs, zs].map((values) => (values[values.length - 1] - values[0]) / (values.length - 1));
    map.dress(
      even("x [m]", xs[0] - wide / 2, xs[xs.length - 1] + wide / 2, 0.5, (value) => fixed(value, 1)),
      even("z [m]", zs[0] - tall / 2, zs[zs.length - 1] + tall / 2, 0.5, (value) => fixed(value, 1)),
    );
    const counts = batch();
    cells.replaceChildren(
      ...places.map(([x, z], pose) => {
        const done = begins[pose] + counts[pose] <= here;
        const look = done ? `live-pose live-${isSolved(pose) ? "blue" : "vermilion"}` : "live-idle";
        const [[x1, y1], [x2, y2]] = [map.at(x - wide / 2, z + tall / 2), map.at(x + wide / 2, z - tall / 2)];
        const size = { x: x1, y: y1, width: x2 - x1 - APART, height: y2 - y1 - APART };
        return drawElement("rect", cells, { class: `live-place ${look}`, ...size });
      }),
    );
  }

  function drawLanes({ begins, lanes: rows, ends }: Schedule, cores: number, serial: number, whole1: number): void {
    const width = whole("lanes");
    const every = [5, 10, 20, 50, 100, 200, 500, 1000].find((step) => whole1 / step <= 5) ?? 2000;
    const x = even("ticks: a step of each lane", 0, whole1, every);
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
    drawElement("rect", ground, {
      class: "live-serial",
      x: left,
      y: high,
      width: across(Math.min(serial, now)),
      height: low - high,
    });
    ends.forEach((_, core) => {
      for (let row = core * width; row < (core + 1) * width; row++) {
        const length = across(Math.max(...ends));
        drawElement("rect", ground, {
          class: "live-idle",
          x: left + across(serial),
          y: top(row),
          width: length,
          height: slim,
        });
      }
    });
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
    const y: Axis = {
      name: "speed-up",
      part: (value) => value / (widest + 0.5),
      ticks: counts.filter(([k]) => k % 2 === 0),
    };
    gains.dress(x, y);
    const fine = [...Array(61).keys()].map((k) => 1 + ((widest - 1) * k) / 60);
    setAttributes(law, { d: gains.path(fine.map((p) => [p, kernels.law_kernel([share], [p]).gained[0]])) });
    setAttributes(ideal, { d: gains.line([1, 1], [widest, widest]) });
    speedUps.forEach((gained, k) => {
      const [cx, cy] = gains.at(k + 1, gained);
      setAttributes(dots[k], { cx, cy, class: `live-dot live-blue${k + 1 === cores ? " live-chosen" : ""}` });
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
    const row = (name: string, ticks: number, part: string, isSolved: number, p: number) => [
      name,
      fixed(ticks, 1),
      part,
      fixed(isSolved, 2),
      fixed(kernels.law_kernel([share], [p]).gained[0], 2),
    ];
    const rows = [row("1 core", alone, busy(one, 1), 1, 1)];
    if (cores > 1) rows.push(row(`${cores} cores`, together, busy(many, cores), gained, cores));
    const table = { heads: ["", "ticks", "busy [%]", "speed-up", "by the law"], rows };
    const here = now - serial;
    const atWork = poses.filter((count, k) => many.begins[k] < here && here <= many.begins[k] + count).length;
    if (now < Math.ceil(together)) {
      const sentence =
        here <= 0
          ? `Tick ${now}: the serial part, and all ${cores * width} lanes wait.`
          : `Tick ${now}: ${atWork} of ${cores * width} lanes are at work, ${cores * width - atWork} idle.`;
      return { sentence, tone: "plain", ...table };
    }
    const idle = 100 - (100 * work) / (cores * width * many.ticks);
    const hits = poses.filter((_, pose) => isSolved(pose));
    const vain = 1 - hits.reduce((sum, count) => sum + count, 0) / work;
    const summary = `${hits.length} of ${poses.length} poses are reached; the others take ${fixed(100 * vain, 0)} % of all steps. Lanes are idle for ${fixed(idle, 0)} % of the shared ticks.`;
    if (cores === 1) return { sentence: summary, tone: "plain", ...table };
    const law = kernels.law_kernel([share], [cores]).gained[0];
    const sentence = `${summary} The speed-up is ${fixed(gained, 2)}; by the law it would be ${fixed(law, 2)}.`;
    return { sentence, tone: gained < 0.9 * law ? "bad" : "plain", ...table };
  }
}
