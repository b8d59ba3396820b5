/** A table row with a name, a bar on a track, and the number. */

import { element, say, setAttributes } from "./page.ts";

export function addBar(parent: Element, colour: string) {
  const row = element("div", `live-bar live-${colour}`, parent);
  const label = element("span", "live-bar-name", row);
  const fill = element("span", "live-bar-fill", element("span", "live-bar-track", row));
  const value = element("span", "live-bar-number", row);
  const reach = (name: string, left: number, width: number, number: string) => {
    say(label, name);
    setAttributes(fill, { style: `left: ${left.toFixed(2)}%; width: ${width.toFixed(2)}%` });
    value.textContent = number;
  };
  return {
    row,
    /** Set name and number, and draw the bar from the middle to a fraction of the half track, −1 to 1. */
    show: (name: string, part: number, number: string) => {
      const clamped = Math.min(Math.max(part, -1), 1);
      reach(name, 50 + 50 * Math.min(clamped, 0), 50 * Math.abs(clamped), number);
    },
    /** The same from the left end to a fraction of the whole track, 0 to 1. */
    rise: (name: string, part: number, number: string) => reach(name, 0, 100 * Math.min(Math.max(part, 0), 1), number),
  };
}
