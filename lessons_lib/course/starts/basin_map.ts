/** A map of all starts: coloured by their solution, stronger for more steps. */

import { element } from "../../../front/src/page.ts";
import { LAST, NOWHERE, type Patch } from "./basin_job.ts";

const COLOURS = ["ink", "blue", "vermilion"]; // no solution, the first, the second
const FAINT = 0.3; // opacity of a start that needs no step
const MOST = 100; // steps at full opacity
const NOTHING: [number, number] = [Number.POSITIVE_INFINITY, 0];

export interface Shares {
  /** Starts per side. */
  side: number;
  /** Fraction of the starts that lead nowhere. */
  nowhere: number;
  /** Fraction of the pairs of neighbours, in either direction, that lead to different ends. */
  apart: number;
  /** Mean number of steps of those that lead to a solution. */
  steps: number;
}

export class BasinMap {
  readonly canvas: HTMLCanvasElement;
  /** Number of computed starts. */
  done = 0;
  /** Statistics of the last complete pass. */
  shares: Shares | undefined;
  private readonly size: number;
  private readonly led: Uint8Array;
  private readonly steps: Uint8Array;
  private readonly picture: ImageData;
  private readonly pixels: Uint32Array;
  private readonly context: CanvasRenderingContext2D | null;
  private counts = [0, 0, 0];
  private sum = 0;
  private colours = { key: "", table: new Uint32Array(0) };
  private stale: [number, number] = NOTHING; // changed rows of the picture, first and one past the last

  constructor(parent: Element, size: number) {
    this.size = size;
    this.canvas = element("canvas", "live-map", parent);
    this.canvas.setAttribute("aria-hidden", "true");
    this.canvas.width = this.canvas.height = size;
    this.context = this.canvas.getContext("2d");
    this.led = new Uint8Array(size * size);
    this.steps = new Uint8Array(size * size);
    this.picture = new ImageData(size, size);
    this.pixels = new Uint32Array(this.picture.data.buffer);
  }

  /** Clear all results; the picture stays until it is painted over. */
  clear(): void {
    this.done = 0;
    this.shares = undefined;
    this.counts = [0, 0, 0];
    this.sum = 0;
  }

  /** Add some rows of starts; each fills its neighbours until they are computed, too. */
  take(rows: Patch[]): void {
    for (const { stride, row, led, steps } of rows) {
      led.forEach((fate, k) => {
        if (fate === LAST) return;
        this.done += 1;
        this.counts[fate] += 1;
        if (fate !== NOWHERE) this.sum += steps[k];
        this.fill(k * stride, row, stride, fate, steps[k]);
      });
      if (row + stride >= this.size) {
        const solved = this.counts[1] + this.counts[2];
        const nowhere = this.counts[NOWHERE] / this.done;
        this.shares = { side: this.size / stride, nowhere, apart: this.apart(stride), steps: this.sum / solved };
      }
      const top = this.size - row - stride; // q₂ grows upward
      this.stale = [Math.min(this.stale[0], top), Math.max(this.stale[1], top + stride)];
    }
  }

  /** Paint the new results in the colours of the page. */
  draw(): void {
    const style = getComputedStyle(this.canvas);
    const colourTexts = ["paper", ...COLOURS].map((name) => style.getPropertyValue(`--live-${name}`).trim());
    if (this.colours.key !== String(colourTexts)) {
      this.colours = { key: String(colourTexts), table: table(colourTexts) };
      for (let at = 0; this.done > 0 && at < this.led.length; at++) this.paint(at);
      this.stale = [0, this.size];
    }
    const [top, end] = this.stale;
    if (top < end) this.context?.putImageData(this.picture, 0, 0, 0, top, this.size, end - top);
    this.stale = NOTHING;
  }

  /** Return the fraction of the pairs of neighbours on a grid that lead to different ends; its opposite edges meet. */
  private apart(stride: number): number {
    const [size, side] = [this.size, this.size / stride];
    const fate = (i: number, j: number) => this.led[(size - 1 - ((j * stride) % size)) * size + ((i * stride) % size)];
    let count = 0;
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const own = fate(i, j);
        count += Number(fate(i + 1, j) !== own) + Number(fate(i, j + 1) !== own);
      }
    }
    return count / (2 * side * side);
  }

  private fill(column: number, row: number, stride: number, fate: number, steps: number): void {
    for (let j = row; j < row + stride; j++) {
      const line = (this.size - 1 - j) * this.size;
      for (let at = line + column; at < line + column + stride; at++) {
        this.led[at] = fate;
        this.steps[at] = steps;
        this.paint(at);
      }
    }
  }

  private paint(at: number): void {
    this.pixels[at] = this.colours.table[this.led[at] * 256 + this.steps[at]];
  }
}

/** Return the pixel of each solution and number of steps, in memory order: a, b, g, r. */
function table([paper, ...colours]: string[]): Uint32Array<ArrayBuffer> {
  const pixelValues = new Uint32Array(256 * colours.length);
  const ground = channels(paper);
  colours.forEach((colour, fate) => {
    const own = channels(colour);
    for (let steps = 0; steps < 256; steps++) {
      const part = Math.min(Math.log1p(steps) / Math.log1p(MOST), 1);
      const strength = fate === NOWHERE ? 1 : FAINT + (1 - FAINT) * part;
      const [r, g, b] = own.map((value, i) => Math.round(ground[i] + strength * (value - ground[i])));
      pixelValues[fate * 256 + steps] = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    }
  });
  return pixelValues;
}

/** Return red, green and blue of "#rrggbb". */
function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) || 0);
}
