/** A table row with a name, a bar on a track, and the number. */

import { element, say, setAttributes } from "./page.ts";

export class Bar {
  readonly row: HTMLElement;
  private readonly name: HTMLElement;
  private readonly fill: HTMLElement;
  private readonly number: HTMLElement;

  constructor(parent: Element, colour: string) {
    this.row = element("div", `live-bar live-${colour}`, parent);
    this.name = element("span", "live-bar-name", this.row);
    this.fill = element("span", "live-bar-fill", element("span", "live-bar-track", this.row));
    this.number = element("span", "live-bar-number", this.row);
  }

  /** Set name and number, and draw the bar from the middle to a fraction of the half track, −1 to 1. */
  show(name: string, part: number, number: string): void {
    const clamped = Math.min(Math.max(part, -1), 1);
    this.reach(name, 50 + 50 * Math.min(clamped, 0), 50 * Math.abs(clamped), number);
  }

  /** The same from the left end to a fraction of the whole track, 0 to 1. */
  rise(name: string, part: number, number: string): void {
    this.reach(name, 0, 100 * Math.min(Math.max(part, 0), 1), number);
  }

  private reach(name: string, left: number, width: number, number: string): void {
    say(this.name, name);
    setAttributes(this.fill, { style: `left: ${left.toFixed(2)}%; width: ${width.toFixed(2)}%` });
    this.number.textContent = number;
  }
}
