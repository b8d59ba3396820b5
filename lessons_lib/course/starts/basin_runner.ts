/** Runs the computation of a grid of starts: in a worker, or in slices on the page if none is available. */

import text from "worker:basin_worker.ts";
import { type Patch, patches, type Request, some } from "./basin_job.ts";
import type { Answer, Order } from "./basin_worker.ts";

const SLICE = 6; // ms of a frame

/** Return a runner; `received` gets the results of the last request. */
export function basinRunner(received: (rows: Patch[]) => void) {
  let worker = startWorker();
  let [id, runs] = [0, false];
  let request: Request | undefined;
  let grid: Generator<Patch> | undefined;
  let slice: ReturnType<typeof setTimeout> | undefined;

  function startWorker(): Worker | undefined {
    try {
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      const started = new Worker(address);
      URL.revokeObjectURL(address);
      started.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.id === id) received(data.rows);
      };
      started.onerror = withoutWorker; // a page may refuse a worker only when it is started
      return started;
    } catch {
      return undefined;
    }
  }
  function withoutWorker(): void {
    worker?.terminate();
    worker = undefined;
    id += 1;
    begin();
  }
  function begin(): void {
    if (request) grid = patches(request);
    work();
  }
  function work(): void {
    clearTimeout(slice);
    if (!runs || !grid) return;
    const rows = some(grid, SLICE);
    if (rows.length === 0) return;
    received(rows);
    slice = setTimeout(work, 1000 / 60 - SLICE);
  }
  return {
    /** Begin another grid; the current one is dropped. */
    ask: (another: Request) => {
      request = another;
      id += 1;
      if (worker) worker.postMessage({ id, request, run: runs } satisfies Order);
      else begin();
    },
    /** Continue, or pause while the figure is out of sight. */
    let: (run: boolean) => {
      if (run === runs) return;
      runs = run;
      if (worker) worker.postMessage({ id, run } satisfies Order);
      else work();
    },
    dispose: () => {
      runs = false;
      clearTimeout(slice);
      worker?.terminate();
    },
  };
}
