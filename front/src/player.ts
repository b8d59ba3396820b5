/** Play, pause, step: through the iterates of a solve, or along a path. */

import { addButton, element } from "./page.ts";

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

/** Add a player to an element; it opens at the end, whatever its index, or at another place. */
export function addPlayer(parent: Element, redraw: () => void, film = SOLVE, opening = Number.POSITIVE_INFINITY) {
  let [place, last] = [opening, 0];
  let clock: ReturnType<typeof setInterval> | undefined;
  const row = element("div", "live-player", parent);
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", film.name);
  const button = addButton(row, "Play", () => (clock ? pause() : play()));
  addButton(row, "◀", () => go(at() - 1)).setAttribute("aria-label", "one step back");
  const slider = element("input", "live-slider", row);
  slider.type = "range";
  slider.min = "0";
  slider.setAttribute("aria-label", "step");
  slider.addEventListener("input", () => go(slider.valueAsNumber));
  slider.addEventListener("keydown", (event) => {
    const next = KEYS[event.key]?.(at(), last);
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(next);
  });
  addButton(row, "▶", () => go(at() + 1)).setAttribute("aria-label", "one step forward");
  const label = element("span", "live-step", row);

  const at = () => Math.min(place, last);
  function pause(): void {
    clearInterval(clock);
    clock = undefined;
    button.textContent = "Play";
  }
  function move(to: number): void {
    const next = Math.min(Math.max(to, 0), last);
    place = next === last ? Number.POSITIVE_INFINITY : next;
    redraw();
  }
  function go(to: number): void {
    pause();
    move(to);
  }
  function play(): void {
    if (at() === last) move(0);
    button.textContent = "Pause";
    clock = setInterval(() => {
      move(at() + 1);
      if (at() === last) pause();
    }, film.pace);
  }
  /** Stop, by default at the end, as after a new solve. */
  function rest(to = Number.POSITIVE_INFINITY): void {
    pause();
    place = to;
  }
  return {
    /** Index of the shown iterate. */
    get at() {
      return at();
    },
    /** Set the number of steps. */
    bound: (steps: number) => {
      last = steps;
      slider.max = String(last);
      slider.value = String(at());
      slider.style.setProperty("--part", String(last > 0 ? at() / last : 0));
      label.textContent = film.describe(at(), last);
      slider.setAttribute("aria-valuetext", label.textContent);
    },
    rest,
    reset: () => rest(opening),
    dispose: () => clearInterval(clock),
  };
}
