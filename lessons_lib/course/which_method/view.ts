/** Which method when?: one row per solver: median and 99th-percentile time, and success rate. */

import { Chart, powers } from "../../../front/src/flat/chart.ts";
import { Handle } from "../../../front/src/handle.ts";
import { addKey, drawElement, element, setAttributes } from "../../../front/src/page.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";

const ROW = 34; // pixels per solver: its name, and below it its line
const EDGES = 64; // pixels above and below the rows, for the axis

interface Row {
  task: string;
  kind: string;
  solver: string;
  /** Percent; null if there is nothing to solve. */
  solved: number | null;
  false_claims: number;
  missed: number | null;
  median: number;
  median_low: number;
  median_high: number;
  p99: number;
}

export function arena(stage: Stage<{ rows: Row[]; enough: number }>): View {
  const { state } = stage;
  const { rows, enough } = stage.data;
  const most = Math.max(...rows.map(({ task, kind }) => rowsOf(rows, task, kind).length));
  const times = rows.flatMap((row) => [row.median, row.p99]);
  const [least, longest] = [Math.min(...times) / 1.5, Math.max(...times) * 1.5];
  const axis = powers("time of one call [µs]", least, longest);
  const height = most * ROW + EDGES;
  const picture = element("div", "live-panel-picture", stage.root);
  const about = "A row for each solver; its line runs from the median to the 99th-percentile time.";
  const chart = new Chart(element("div", "live-charts", picture), height, about, stage.redraw);
  const marks = drawElement("g", chart.svg);
  const border = drawElement("path", chart.svg, { class: "live-bound" });
  const handle = new Handle(chart.root, {
    name: "deadline",
    looks: "ink",
    dragTo: ([x]) => state.setOnGrid({ deadline: least * (longest / least) ** chart.partAt(x) }),
    step: (right, up) => state.setOnGrid({ deadline: state.number("deadline") * 2.3 ** (right + up) }),
  });
  const claims = "claims a wrong solution";
  addKey(stage.root, Object.entries({ blue: `solves ${enough} % or more`, steel: "solves fewer", vermilion: claims }));

  return {
    draw(): Reading {
      const [task, kind] = [state.optionOf("task"), state.optionOf("targets")];
      const visibleRows = rowsOf(rows, task, kind);
      chart.dress(axis, { name: "", part: (place) => 1 - place / most, ticks: [] });
      marks.replaceChildren();
      const deadline = state.number("deadline");
      for (const [place, row] of visibleRows.entries()) drawRow(row, place, row.p99 <= deadline);
      const [x, low] = chart.at(Math.min(Math.max(deadline, least), longest), most);
      setAttributes(border, { d: `M${x},${low}V${chart.at(deadline, 0)[1]}` });
      handle.place([x, low], `${deadline} µs`, deadline);
      return read(task, kind, visibleRows, deadline, enough);
    },
    parts: () => [chart],
  };

  function drawRow(row: Row, place: number, isInTime: boolean): void {
    const colour = colourOf(row, enough);
    const [x, y] = chart.at(row.median, place + 0.7);
    const [[end], [from], [to]] = [row.p99, row.median_low, row.median_high].map((time) => chart.at(time, 0));
    const group = drawElement("g", marks, { opacity: isInTime ? 1 : 0.65 });
    const line = (x1: number, x2: number, look: string) =>
      drawElement("path", group, { class: `live-curve live-${colour}${look}`, d: `M${x1},${y}H${x2}` });
    line(x, end, "");
    line(from, to, " live-thick");
    drawElement("circle", group, { class: `live-dot live-${colour}`, cx: x, cy: y, r: 4 });
    const [left, top] = chart.at(axis.ticks[0][0], place + 0.38);
    const name = `${row.solver}${row.solved === null ? "" : ` · ${row.solved} %`}`;
    drawElement("text", marks, { class: "live-tick", x: Math.min(left, 10), y: top }, name);
  }
}

function rowsOf(rows: Row[], task: string, kind: string): Row[] {
  return rows.filter((row) => row.task === task && row.kind === kind);
}

function colourOf(row: Row, enough: number): string {
  if (row.false_claims > 0) return "vermilion";
  return row.solved === null || row.solved >= enough ? "blue" : "steel";
}

function read(task: string, kind: string, visibleRows: Row[], deadline: number, enough: number): Reading {
  const heads = ["", "solved [%]", "false claims", "missed", "median [µs]", "p99 [µs]"];
  if (visibleRows.length === 0) return { sentence: `${task}, ${kind}: no solver was tested on these targets.`, heads };
  const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const faultless = (row: Row) => colourOf(row, enough) === "blue" && !row.missed;
  const fast = visibleRows.filter((row) => row.p99 <= deadline);
  const names = fast.filter(faultless).map(({ solver }) => solver);
  const share = visibleRows.some(({ solved }) => solved !== null) ? `at least ${enough} % solved and ` : "";
  const summary = `${fast.length} of ${visibleRows.length} solvers finish within ${deadline} µs, 99 times out of 100; `;
  const cells = visibleRows.map(({ solver, solved, false_claims, missed, median, p99 }) => {
    const counts = [solved?.toFixed(1) ?? "–", `${false_claims}`, `${missed ?? "–"}`];
    return [solver, ...counts, number(median), `${p99}`]; // in full: it is compared with the deadline
  });
  return { sentence: `${summary}${share}nothing false or missed: ${names.join(", ") || "none"}.`, heads, rows: cells };
}
