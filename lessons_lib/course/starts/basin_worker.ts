/** Worker: computes the grid in slices, so that it can receive a pause or another grid. */

import { type Patch, patches, type Request, some } from "./basin_job.ts";

const SLICE = 60; // ms

export interface Order {
  /** Number of the grid, repeated in its results. */
  id: number;
  /** Another grid, or none to continue the same. */
  request?: Request;
  run: boolean;
}

export interface Answer {
  id: number;
  rows: Patch[];
}

let grid: Generator<Patch> | undefined;
let order: Order = { id: 0, run: false };
let waiting = false;

self.onmessage = ({ data }: MessageEvent<Order>) => {
  if (data.request) grid = patches(data.request);
  order = data;
  if (order.run && !waiting) work();
};

function work(): void {
  waiting = false;
  if (!order.run || !grid) return;
  const rows = some(grid, SLICE);
  if (rows.length === 0) return;
  self.postMessage({ id: order.id, rows } satisfies Answer);
  waiting = true;
  setTimeout(work, 0);
}
