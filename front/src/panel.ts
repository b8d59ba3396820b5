/** The controls beside the picture: a slider and a box to type in for each number, a box to tick for each switch. */

import { asTyped, nearestPlace } from "./numbers.ts";
import { element, say } from "./page.ts";
import type { Control, NumberControl, SwitchControl } from "./specification.ts";
import type { State } from "./state.ts";

let made = 0;

/** Add the controls; return what shows their values anew. */
export function addPanel(parent: Element, state: State): () => void {
  const panel = element("div", "live-controls", parent);
  const shows = state.controls.map((control: Control) =>
    control.kind === "number" ? numberRow(panel, control, state) : switchRow(panel, control, state),
  );
  return () => {
    for (const show of shows) show();
  };
}

function numberRow(panel: Element, control: NumberControl, state: State): () => void {
  const row = element("div", "live-row", panel);
  const label = element("label", "live-label", row);
  say(label, control.words);
  if (control.symbol) element("i", "", label, ` ${control.symbol}`);
  const slider = element("input", "live-slider", row);
  const typed = element("input", "live-typed", row);
  element("span", "live-unit", row, control.unit);
  typed.type = "number";
  typed.id = `live-${++made}`;
  label.htmlFor = typed.id;
  slider.type = "range";
  for (const input of [typed, slider]) {
    input.min = String(control.low);
    input.max = String(control.high);
    input.step = String(control.step);
  }
  slider.setAttribute("aria-label", `${label.textContent}`.trim());
  slider.addEventListener("input", () => state.setOnGrid({ [control.name]: slider.valueAsNumber }));
  typed.addEventListener("change", () => {
    state.set({ [control.name]: typed.valueAsNumber });
    typed.value = asTyped(state.number(control.name), control.step);
  });
  return () => {
    const value = state.number(control.name);
    const told = asTyped(value, control.step);
    slider.value = String(nearestPlace(value, control.step));
    slider.setAttribute("aria-valuetext", `${told} ${control.unit}`.trim());
    slider.style.setProperty("--part", String((value - control.low) / (control.high - control.low)));
    if (document.activeElement !== typed || typed.valueAsNumber !== value) typed.value = told;
  };
}

function switchRow(panel: Element, control: SwitchControl, state: State): () => void {
  const label = element("label", "live-switch", panel);
  const box = element("input", "", label);
  box.type = "checkbox";
  say(element("span", "", label), control.words);
  box.addEventListener("change", () => state.set({ [control.name]: box.checked }));
  return () => {
    box.checked = state.on(control.name);
  };
}
