/** Play, pause, step: through the iterates of a solve, or along a path. */

import { element } from "./page.ts";

/** Steps of each key; JupyterLab keeps a browser’s default action from its outputs. */
const KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

export interface Film {
  /** Name of the sequence, for screen readers. */
  name: string;
  /** ms per item. */
  pace: number;
  /** Text for an item. */
  describe(at: number, last: number): string;
}

export const SOLVE: Film = { name: "steps of the solve", pace: 450, describe: (at, last) => `step ${at} of ${last}` };

export class Player {
  private readonly slider: HTMLInputElement;
  private readonly label: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly redraw: () => void;
  private readonly film: Film;
  private last = 0;
  private place: number;
  private readonly opening: number;
  private clock: ReturnType<typeof setInterval> | undefined;

  /** Add it to an element; it opens at the end, whatever its index, or at another place. */
  constructor(parent: Element, redraw: () => void, film = SOLVE, opening = Number.POSITIVE_INFINITY) {
    this.place = opening;
    this.opening = opening;
    const row = element("div", "live-player", parent);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", film.name);
    this.redraw = redraw;
    this.film = film;
    this.button = this.makeButton(row, "Play", () => (this.clock ? this.pause() : this.play()));
    this.makeButton(row, "◀", () => this.go(this.at - 1)).setAttribute("aria-label", "one step back");
    this.slider = element("input", "live-slider", row);
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.setAttribute("aria-label", "step");
    this.slider.addEventListener("input", () => this.go(this.slider.valueAsNumber));
    this.slider.addEventListener("keydown", (event) => {
      const next = KEYS[event.key]?.(this.at, this.last);
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.go(next);
    });
    this.makeButton(row, "▶", () => this.go(this.at + 1)).setAttribute("aria-label", "one step on");
    this.label = element("span", "live-step", row);
  }

  /** Index of the shown iterate. */
  get at(): number {
    return Math.min(this.place, this.last);
  }

  /** Set the number of steps. */
  bound(last: number): void {
    this.last = last;
    this.slider.max = String(last);
    this.slider.value = String(this.at);
    this.slider.style.setProperty("--part", String(last > 0 ? this.at / last : 0));
    const text = this.film.describe(this.at, last);
    this.slider.setAttribute("aria-valuetext", text);
    this.label.textContent = text;
  }

  /** Stop, by default at the end, as after a new solve. */
  rest(place = Number.POSITIVE_INFINITY): void {
    this.pause();
    this.place = place;
  }

  reset(): void {
    this.rest(this.opening);
  }

  dispose(): void {
    clearInterval(this.clock);
  }

  private go(place: number): void {
    this.pause();
    this.move(place);
  }

  private move(place: number): void {
    const next = Math.min(Math.max(place, 0), this.last);
    this.place = next === this.last ? Number.POSITIVE_INFINITY : next;
    this.redraw();
  }

  private play(): void {
    if (this.at === this.last) this.move(0);
    this.button.textContent = "Pause";
    this.clock = setInterval(() => {
      this.move(this.at + 1);
      if (this.at === this.last) this.pause();
    }, this.film.pace);
  }

  private pause(): void {
    clearInterval(this.clock);
    this.clock = undefined;
    this.button.textContent = "Play";
  }

  private makeButton(row: Element, text: string, pressed: () => void): HTMLButtonElement {
    const button = element("button", "", row, text);
    button.type = "button";
    button.addEventListener("click", pressed);
    return button;
  }
}
