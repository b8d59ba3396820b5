/** Lesson 07: step through the printed program with its values, JavaScript beside NumPy. */

import { DEGREE, fixed } from "../../../front/src/numbers.ts";
import { element } from "../../../front/src/page.ts";
import { addPlayer, type Film } from "../../../front/src/player.ts";
import type { Reading, Stage, View } from "../../../front/src/view.ts";
import { addPane, type Line, traceProgram } from "./listing.ts";

const DECIMALS = 4;
const FILM: Film = { name: "lines of the program", pace: 450, describe: (at, last) => `line ${at} of ${last}` };

interface Program {
  arm: string;
  computes: string;
  dof: number;
  /** Position of its text among the figure's kernels. */
  javascript: [number, number];
  numpy: string;
  /** Operation count of each line by the name that it binds, in order. */
  operations: Record<string, number>;
  written_out: number;
}

export function source(stage: Stage<{ programs: Program[] }>): View {
  const { state, specification } = stage;
  const { programs } = stage.data;
  const player = addPlayer(stage.root, () => point(), FILM);
  const row = element("div", "live-pair", stage.root);
  let visibleProgram: Program | undefined;
  let panes: ReturnType<typeof addPane>[] = [];
  let run: ReturnType<typeof traceProgram> = () => ({});
  let pointedName: string | undefined;
  let lastRevealed = -1;

  /** Highlight the line of a name, or the last executed one. */
  const point = (name?: string) => {
    if (name !== undefined && pointedName === name) return;
    pointedName = name;
    stage.redraw();
  };
  const build = (program: Program) => {
    if (visibleProgram === program) return;
    visibleProgram = program;
    pointedName = undefined;
    const text = specification.source.slice(...program.javascript);
    const names = Object.keys(program.operations);
    run = traceProgram(text, names);
    row.replaceChildren();
    panes = [
      addPane(element("div", "live-code-side", row), "JavaScript", text, names, point),
      addPane(element("div", "live-code-side", row), "NumPy", program.numpy, names, point),
    ];
    player.rest();
    lastRevealed = -1;
  };

  return {
    draw(): Reading {
      const wanted = [state.optionOf("arm"), state.optionOf("computes")];
      const program = programs.find((one) => one.arm === wanted[0] && one.computes === wanted[1]) ?? programs[0];
      build(program);
      const names = Object.keys(program.operations);
      const q = [...Array(program.dof).keys()].map((i) => state.number(`q${i + 1}`) * DEGREE);
      const values = run(q);
      player.bound(names.length);
      const ran = names.slice(0, player.at);
      const current = player.at < names.length ? ran[ran.length - 1] : undefined;
      const active = pointedName ?? current;
      const has = new Set(ran);
      for (const pane of panes) {
        pane.draw((line) => numberOf(line, values), has, active);
        if (current && player.at !== lastRevealed) pane.reveal(current);
      }
      lastRevealed = player.at;
      return read(program, ran, active, panes[0].lines, values);
    },
    parts: () => [player],
  };
}

/** Return the value of a line: a number, the row of an array, or an entry of one. */
function numberOf({ name = "", entry }: Line, values: ReturnType<ReturnType<typeof traceProgram>>): string {
  let value: number | number[] | number[][] = values[name];
  for (const place of entry) value = (value as number[][])[place];
  if (typeof value === "number") return fixed(value, DECIMALS);
  if (entry.length === 0) return "";
  return (value as number[]).map((one) => fixed(one, 2)).join(" ");
}

function read(
  program: Program,
  ran: string[],
  active: string | undefined,
  lines: Line[],
  values: ReturnType<ReturnType<typeof traceProgram>>,
): Reading {
  const costs = Object.values(program.operations);
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  const done = costs.slice(0, ran.length).reduce((sum, cost) => sum + cost, 0);
  const rows = [["operations", ...[done, all, program.written_out].map((count) => count.toLocaleString("en"))]];
  const heads = ["", "done", "this program", "from the base, written out"];
  const reading = (sentence: string): Reading => ({ sentence, heads, rows });
  if (active !== undefined) {
    const users = lines.filter((line) => line.uses.has(active)).length;
    const cost = program.operations[active];
    const value = values[active];
    const equals = !ran.includes(active)
      ? " has not been computed yet"
      : typeof value === "number"
        ? ` is ${fixed(value, DECIMALS)}`
        : " has been computed";
    const price = cost === 0 ? "costs nothing" : `costs ${plural(cost, "operation")}`;
    const used = users === 0 ? "and is returned" : `and is used in ${plural(users, "line")} of JavaScript`;
    return reading(`${active}${equals}. It ${price} ${used}.`);
  }
  const T = values.T as number[][];
  if (ran.length === 0) return reading("No line has run yet. Press Play, or step line by line.");
  const [x, y, z] = [0, 1, 2].map((i) => fixed(T[i][3], 3));
  return reading(`The program has run: the tip is at x = ${x} m, y = ${y} m, z = ${z} m.`);
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
