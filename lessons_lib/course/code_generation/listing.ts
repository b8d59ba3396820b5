/** A printed program as lines of code: the names that each line binds and uses. */

import { element } from "../../../front/src/page.ts";

/** A line of the text, with its highlights. */
export interface Line {
  text: string;
  /** The name that it binds, or whose array it extends; none for a head or a return. */
  name: string | undefined;
  /** Which entry of an array it adds: a row in JavaScript, a row and a column in NumPy. */
  entry: number[];
  uses: Set<string>;
}

const BINDS = /^\s+(?:const )?(\w+) = /;
const ENTRY = /^\s+(\w+)\[\.\.\., (\d+)(?:, (\d+))?\] = /;

/** Parse a program; names are those that it may bind. */
export function linesOf(text: string, names: string[]): Line[] {
  const knownNames = new Set(names);
  let open: string | undefined; // the array whose rows follow
  let row = 0;
  return text.split("\n").map((line) => {
    const added = line.match(ENTRY);
    const bound = line.match(BINDS);
    const name = added?.[1] ?? bound?.[1] ?? open;
    const isRow = open !== undefined && !bound;
    const entry = added
      ? added.slice(2).filter(Boolean).map(Number)
      : isRow && !line.trim().startsWith("]")
        ? [row++]
        : [];
    if (bound && line.endsWith("[")) [open, row] = [bound[1], 0];
    const right = line.slice((added ?? (isRow ? null : bound))?.[0].length ?? 0);
    const uses = new Set((right.match(/\w+/g) ?? []).filter((word) => knownNames.has(word) && name !== undefined));
    if (isRow && line.trim().startsWith("]")) open = undefined;
    return { text: line, name: name !== undefined && knownNames.has(name) ? name : undefined, entry, uses };
  });
}

/** Return a function that runs a printed one and returns the values that every line has bound. */
export function traceProgram(
  text: string,
  names: string[],
): (q: number[]) => Record<string, number | number[] | number[][]> {
  const end = text.lastIndexOf("  return ");
  const name = text.match(/function (\w+)\(/)?.[1];
  return new Function(`${text.slice(0, end)}  return {${names.join(", ")}};\n}\nreturn ${name};`)();
}

/** Add a pane of code with line numbers. */
export function addPane(
  parent: Element,
  title: string,
  text: string,
  names: string[],
  onPoint: (name?: string) => void,
) {
  const lines = linesOf(text, names);
  element("p", "live-code-head", parent, title);
  const root = element("div", "live-code", parent);
  root.tabIndex = 0;
  root.setAttribute("role", "region");
  root.setAttribute("aria-label", `the program in ${title}`);
  const body = element("div", "live-code-lines", root);
  const rows = lines.map((line) => {
    const row = element("div", "live-code-line", body);
    const number = element("span", "live-code-number", row);
    const cell = element("div", "live-code-cell", row); // long lines are wrapped
    const code = element("code", "", cell);
    const tokens: [string, HTMLElement][] = [];
    for (const word of line.text.split(/(\w+)/)) {
      const isName = names.includes(word) && line.name !== undefined;
      if (isName) tokens.push([word, element("span", "live-code-name", code, word)]);
      else code.append(word);
    }
    row.addEventListener("pointermove", (event) => event.pointerType === "mouse" && onPoint(line.name));
    row.addEventListener("click", () => onPoint(line.name));
    return { line, row, number, tail: element("span", "live-code-tail", cell), tokens };
  });
  root.addEventListener("pointerleave", () => onPoint());
  return {
    lines,
    /** Write the values of the lines that have run, and highlight one line and the uses of its value. */
    draw: (numberOf: (line: Line) => string, ran: Set<string>, active: string | undefined) => {
      for (const { line, row, number, tail, tokens } of rows) {
        const text = line.name !== undefined && ran.has(line.name) ? numberOf(line) : "";
        const place = text.includes(" ") ? tail : number; // the row of an array does not fit before its line
        if (place.textContent !== text) place.textContent = text;
        if (text === "") tail.textContent = "";
        row.classList.toggle("live-waits", line.name !== undefined && !ran.has(line.name));
        row.classList.toggle("live-active", active !== undefined && line.name === active);
        row.classList.toggle("live-uses", active !== undefined && line.uses.has(active));
        for (const [name, token] of tokens) token.classList.toggle("live-lit", name === active);
      }
    },
    /** Scroll the first line of a name into the middle of the pane, without moving the page. */
    reveal: (name: string) => {
      const row = rows.find(({ line }) => line.name === name)?.row;
      if (row) root.scrollTop = row.offsetTop - (root.clientHeight - row.offsetHeight) / 2;
    },
  };
}
