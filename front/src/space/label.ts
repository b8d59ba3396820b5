/** A name that stands beside a point in space and always faces the reader. */

import type { Point } from "../handle.ts";
import { element, say, show } from "../page.ts";

const HIGH = 12; // pixels: half the height of its text

export class Label {
  private readonly text: HTMLElement;
  private readonly root: HTMLElement;
  private half = 0; // pixels of its width, known once it is on the page

  constructor(root: HTMLElement, name: string, colour: string) {
    this.text = element("span", `live-label3d live-${colour}`, root);
    this.text.setAttribute("aria-hidden", "true");
    say(this.text, name);
    this.root = root;
  }

  show(visible: boolean): void {
    show(this.text, visible);
  }

  /** Stand at a place of the stage, in pixels, or as near to it as the stage goes. */
  place([wanted, high]: Point): void {
    if (this.half === 0) this.half = this.text.offsetWidth / 2;
    const x = Math.min(Math.max(wanted, this.half), this.root.clientWidth - this.half);
    const y = Math.min(Math.max(high, HIGH), this.root.clientHeight - HIGH);
    this.text.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
  }
}
