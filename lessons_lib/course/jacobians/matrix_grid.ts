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

export class MatrixGrid {
  private readonly cells: HTMLTableCellElement[][];
  private readonly rows: HTMLTableRowElement[];
  private entry: Entry = { row: undefined, column: 0 };

  /** Create a table below headings; `pick` receives the selection. */
  constructor(parent: Element, words: string, rows: string[], columns: string[], pick: (entry: Entry) => void) {
    const table = element("table", "live-matrix", parent);
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", words);
    this.rows = ["", ...rows].map(() => table.insertRow());
    this.cells = this.rows.map((line, i) => {
      const name = element("th", "", line);
      say(name, ["", ...rows][i]);
      name.setAttribute("role", i === 0 ? "presentation" : "rowheader");
      return columns.map((column, j) => {
        const cell = element(i === 0 ? "th" : "td", "", line, i === 0 ? column : "");
        cell.setAttribute("role", i === 0 ? "columnheader" : "gridcell");
        const own = { row: i === 0 ? undefined : i - 1, column: j };
        for (const event of ["pointerenter", "pointerdown", "focus"]) cell.addEventListener(event, () => pick(own));
        cell.addEventListener("keydown", (event) => this.walk(event, i, j));
        return cell;
      });
    });
  }

  /** Show entries, mark the changed columns, and highlight the selection. */
  show(entries: string[][], changed: boolean[], entry: Entry): void {
    this.entry = entry;
    this.cells.forEach((line, i) => {
      line.forEach((cell, j) => {
        if (i > 0 && cell.textContent !== entries[i - 1][j]) cell.textContent = entries[i - 1][j];
        cell.classList.toggle("live-changed", changed[j]);
        cell.classList.toggle("live-lit", j === entry.column);
        const isChosen = cell === this.chosen;
        cell.classList.toggle("live-chosen", isChosen);
        cell.setAttribute("aria-selected", String(isChosen));
        cell.tabIndex = isChosen ? 0 : -1;
      });
    });
  }

  private get chosen(): HTMLTableCellElement {
    const { row, column } = this.entry;
    return this.cells[row === undefined ? 0 : row + 1][column];
  }

  private walk(event: KeyboardEvent, i: number, j: number): void {
    const way = WAYS[event.key];
    const next = way && this.cells[i + way[0]]?.[j + way[1]];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!next) return;
    next.tabIndex = 0;
    next.focus();
  }
}
