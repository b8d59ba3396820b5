/** A table of a robot's joints with a column for each limb, in which cells can be highlighted. */

import { element } from "./page.ts";

export interface Place {
  row: string;
  /** Heading of the column; without one it takes the whole row. */
  column?: number;
}

export class JointTable {
  private readonly cells: HTMLTableCellElement[] = [];

  constructor(root: HTMLElement, title: string, columns: string[], places: Place[]) {
    element("p", "live-bars-head", root, title);
    const table = element("table", "live-lights", root);
    const heads = table.insertRow();
    for (const text of ["", ...columns]) element("th", "", heads, text);
    const rows = new Map<string, HTMLTableCellElement[]>();
    places.forEach(({ row, column }, i) => {
      let cells = rows.get(row);
      if (!cells) {
        const line = table.insertRow();
        element("th", "", line, row);
        cells = column === undefined ? [line.insertCell()] : columns.map(() => line.insertCell());
        if (column === undefined) cells[0].colSpan = columns.length;
        rows.set(row, cells);
      }
      this.cells[i] = cells[column ?? 0];
    });
  }

  /** Set the text of a joint's cell, and its highlight by a colour of the style sheet. */
  show(joint: number, text: string, colour = ""): void {
    this.cells[joint].textContent = text;
    this.cells[joint].className = colour ? `live-${colour}` : "";
  }
}
