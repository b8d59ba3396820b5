/** Runs the computation of a grid of starts: in a worker, or in slices on the page if none is available. */

import text from "worker:basin_worker.ts";
import { type Patch, patches, type Request, some } from "./basin_job.ts";
import type { Answer, Order } from "./basin_worker.ts";

const SLICE = 6; // ms of a frame

export class BasinRunner {
  private readonly received: (rows: Patch[]) => void;
  private worker: Worker | undefined;
  private request: Request | undefined;
  private grid: Generator<Patch> | undefined;
  private id = 0;
  private run = false;
  private slice: ReturnType<typeof setTimeout> | undefined;

  constructor(received: (rows: Patch[]) => void) {
    this.received = received;
    try {
      const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
      this.worker = new Worker(address);
      URL.revokeObjectURL(address);
      this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.id === this.id) this.received(data.rows);
      };
      this.worker.onerror = () => this.withoutWorker();
    } catch {
      this.worker = undefined;
    }
  }

  /** Begin another grid; the current one is dropped. */
  ask(request: Request): void {
    this.request = request;
    this.id += 1;
    if (this.worker) this.tell({ id: this.id, request: request, run: this.run });
    else this.begin();
  }

  /** Continue, or pause while the figure is out of sight. */
  let(run: boolean): void {
    if (run === this.run) return;
    this.run = run;
    if (this.worker) this.tell({ id: this.id, run });
    else this.work();
  }

  dispose(): void {
    this.run = false;
    clearTimeout(this.slice);
    this.worker?.terminate();
  }

  private tell(order: Order): void {
    this.worker?.postMessage(order);
  }

  /** A page may refuse a worker only when it is started: compute here instead. */
  private withoutWorker(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.id += 1;
    if (this.request) this.begin();
  }

  private begin(): void {
    if (this.request) this.grid = patches(this.request);
    this.work();
  }

  private work(): void {
    clearTimeout(this.slice);
    if (!this.run || !this.grid) return;
    const rows = some(this.grid, SLICE);
    if (rows.length === 0) return;
    this.received(rows);
    this.slice = setTimeout(() => this.work(), 1000 / 60 - SLICE);
  }
}
