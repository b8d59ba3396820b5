/** The controls beside the picture: a slider and a text box for each number, a check box for each switch. */

import { asTyped, entryOf, nearestOf, nearestPlace } from "./numbers.ts";
import { addButton, addMenu, element, say } from "./page.ts";
import type { ChoiceControl, Control, NumberControl, SwitchControl } from "./specification.ts";
import type { State } from "./state.ts";

/** Two bundles may draw on one page of JupyterLab, so a counter alone would repeat ids. */
const BUNDLE = Math.random().toString(36).slice(2, 8);

/** Steps of a slider per key. JupyterLab keeps a browser's default action for arrow keys from its outputs. */
const KEYS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

let count = 0;

/** Add the controls; return the function that updates their values. */
export function addPanel(parent: Element, state: State): () => void {
  const panel = element("div", "live-controls", parent);
  const fold = element("div", "live-more", parent);
  fold.hidden = true;
  const shows = state.controls.map((control: Control) => {
    const place = control.folded ? fold : panel;
    if (control.kind === "number") return numberRow(place, control, state);
    return control.kind === "switch" ? switchRow(place, control, state) : choiceRow(place, control, state);
  });
  return () => {
    for (const show of shows) show();
  };
}

/** Add the button that unfolds rarely needed controls, if there are any. */
export function addUnfolder(row: Element, panel: Element): void {
  const fold = panel.querySelector<HTMLElement>(".live-more");
  if (!fold?.hasChildNodes()) return;
  const button = addButton(row, "More", () => {
    fold.hidden = !fold.hidden;
    button.textContent = fold.hidden ? "More" : "Fewer";
    button.setAttribute("aria-expanded", String(!fold.hidden));
  });
  button.title = "More controls";
  button.setAttribute("aria-expanded", "false");
}

function numberRow(panel: Element, control: NumberControl, state: State): () => void {
  const row = element("div", "live-row", panel);
  row.dataset.name = control.name;
  const label = element("label", "live-label", row);
  say(label, control.words);
  if (control.symbol) element("i", "", label, ` ${control.symbol}`);
  const square = control.square ? element("span", "live-square", label) : undefined;
  const slider = element("input", "live-slider", row);
  const field = element("input", "live-typed", row);
  element("span", "live-unit", row, control.unit);
  field.type = "number";
  field.id = `live-${BUNDLE}-${++count}`;
  label.htmlFor = field.id;
  slider.type = "range";
  const { places } = control;
  const ends: [HTMLInputElement, number, number, number | string][] = [
    [field, control.low, control.high, places ? "any" : control.step],
    places ? [slider, 0, places.length - 1, 1] : [slider, control.low, control.high, control.step],
  ];
  for (const [input, low, high, step] of ends) {
    input.min = String(low);
    input.max = String(high);
    input.step = String(step);
  }
  const placeOfValue = (value: number) => (places ? nearestOf(places, value) : nearestPlace(value, control.step));
  slider.setAttribute("aria-label", `${label.textContent}`.trim());
  slider.addEventListener("input", () => {
    const place = slider.valueAsNumber;
    state.setOnGrid({ [control.name]: places ? entryOf(places, place) : place });
  });
  slider.addEventListener("keydown", (event) => {
    const steps = KEYS[event.key];
    if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = state.after(control.name, steps);
    state.setOnGrid({ [control.name]: Math.min(Math.max(next, control.low), control.high) });
  });
  field.addEventListener("change", () => {
    state.set({ [control.name]: field.valueAsNumber });
    field.value = asTyped(state.number(control.name), control.step);
  });
  let displayed: number | undefined;
  return () => {
    const value = state.number(control.name);
    const text = asTyped(value, control.step);
    const place = placeOfValue(value);
    const [first, last] = [slider.min, slider.max].map(Number);
    row.hidden = control.only !== null && !control.only.slice(1).includes(state.optionOf(control.only[0]));
    if (square) square.textContent = `, ${control.square} = ${asTyped(value * value, 0)}`;
    slider.value = String(place);
    slider.setAttribute("aria-valuetext", `${text} ${control.unit}`.trim());
    slider.style.setProperty("--part", String(((places ? place : value) - first) / (last - first)));
    const isTyping = document.activeElement === field && (value === displayed || field.valueAsNumber === value);
    if (!isTyping) field.value = text; // half-typed text stays when the picture is redrawn
    displayed = value;
  };
}

function choiceRow(panel: Element, control: ChoiceControl, state: State): () => void {
  const menu = addMenu(panel, control.words, control.options);
  menu.labels[0].dataset.name = control.name;
  menu.setAttribute("aria-label", control.words);
  menu.addEventListener("change", () => state.set({ [control.name]: menu.value }));
  return () => {
    menu.value = state.optionOf(control.name);
  };
}

function switchRow(panel: Element, control: SwitchControl, state: State): () => void {
  const label = element("label", "live-switch", panel);
  label.dataset.name = control.name;
  const box = element("input", "", label);
  box.type = "checkbox";
  say(element("span", "", label), control.words);
  box.addEventListener("change", () => state.set({ [control.name]: box.checked }));
  return () => {
    box.checked = state.on(control.name);
  };
}
