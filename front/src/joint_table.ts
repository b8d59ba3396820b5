/** A table of a robot's joints with a column for each limb, in which cells can be highlighted. */

import { element } from "./page.ts";

export interface Place {
  row: string;
  /** Heading of the column; without one it takes the whole row. */
  column?: number;
}

/** Add the table; return the function that sets the text of a joint's cell, and its highlight by a colour. */
export function addJointTable(root: HTMLElement, title: string, columns: string[], places: Place[]) {
  element("p", "live-bars-head", root, title);
  const table = element("table", "live-lights", root);
  const heads = table.insertRow();
  for (const text of ["", ...columns]) element("th", "", heads, text);
  const rows = new Map<string, HTMLTableCellElement[]>();
  const jointCells = places.map(({ row, column }) => {
    let cells = rows.get(row);
    if (!cells) {
      const line = table.insertRow();
      element("th", "", line, row);
      cells = column === undefined ? [line.insertCell()] : columns.map(() => line.insertCell());
      if (column === undefined) cells[0].colSpan = columns.length;
      rows.set(row, cells);
    }
    return cells[column ?? 0];
  });
  return (joint: number, text: string, colour = "") => {
    jointCells[joint].textContent = text;
    jointCells[joint].className = colour ? `live-${colour}` : "";
  };
}
