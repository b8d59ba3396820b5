/** A matrix on the page, whose entries and columns are selected by mouse, touch or arrow keys. */

import { element, say } from "../../../front/src/page.ts";

/** A column, and the row of an entry in it; none for the whole column. */
export interface Entry {
  row: number | undefined;
  column: number;
}

const WAYS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Add a table below headings; `pick` receives the selection. */
export function addMatrix(
  parent: Element,
  words: string,
  rows: string[],
  columns: string[],
  pick: (entry: Entry) => void,
): (entries: string[][], changed: boolean[], entry: Entry) => void {
  const table = element("table", "live-matrix", parent);
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", words);
  const cells = ["", ...rows].map((row, i) => {
    const line = table.insertRow();
    const name = element("th", "", line);
    say(name, row);
    name.setAttribute("role", i === 0 ? "presentation" : "rowheader");
    return columns.map((column, j) => {
      const cell = element(i === 0 ? "th" : "td", "", line, i === 0 ? column : "");
      cell.setAttribute("role", i === 0 ? "columnheader" : "gridcell");
      const own = { row: i === 0 ? undefined : i - 1, column: j };
      for (const event of ["pointerenter", "pointerdown", "focus"]) cell.addEventListener(event, () => pick(own));
      cell.addEventListener("keydown", (event) => walk(event, i, j));
      return cell;
    });
  });

  function walk(event: KeyboardEvent, i: number, j: number): void {
    const way = WAYS[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = cells[i + way[0]]?.[j + way[1]];
    if (next) next.tabIndex = 0;
    next?.focus();
  }

  /** Show entries, mark the changed columns, and highlight the selection. */
  return (entries, changed, { row, column }) => {
    const chosen = cells[row === undefined ? 0 : row + 1][column];
    cells.forEach((line, i) => {
      line.forEach((cell, j) => {
        if (i > 0 && cell.textContent !== entries[i - 1][j]) cell.textContent = entries[i - 1][j];
        cell.classList.toggle("live-changed", changed[j]);
        cell.classList.toggle("live-lit", j === column);
        cell.classList.toggle("live-chosen", cell === chosen);
        cell.setAttribute("aria-selected", String(cell === chosen));
        cell.tabIndex = cell === chosen ? 0 : -1;
      });
    });
  };
}
