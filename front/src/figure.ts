/** A figure on a page: picture, verdict and controls. It draws only while one of these is visible. */

import { loadKernels } from "./kernels.ts";
import { addButton, element, fillTable, say } from "./page.ts";
import { addPanel, addUnfolder } from "./panel.ts";
import { creditOf } from "./shape_data.ts";
import type { Specification } from "./specification.ts";
import { type Channel, State } from "./state.ts";
import text from "./style.css";
import { maker, type Reading } from "./view.ts";

const STYLE = "live-figure-style";
const SETTLED = 500; // ms without a change before the screen reader's text is updated

export interface MountedFigure {
  state: State;
  /** Return the current facts: the values of the controls, and those computed by the view. */
  facts(): Record<string, number>;
  /** Hide all outputs that would answer a question, or show them again. */
  veil(on: boolean): void;
  dispose(): void;
}

/** Create a figure in an empty element. */
export function mount(host: HTMLElement, specification: Specification, channel?: Channel, id = ""): MountedFigure {
  addStyle();
  const make = maker(specification.view);
  if (!make) throw new Error(`no view is called ${specification.view}`);
  const figure = element("div", `live-figure live-view-${specification.view}`, host);
  figure.dataset.lmSuppressShortcuts = "true"; // JupyterLab would use the arrow keys for its cells
  figure.setAttribute("role", "group");
  figure.setAttribute("aria-label", specification.title);
  const body = element("div", "live-body", figure);
  const root = element("div", "live-stage", body);
  const dock = element("div", "live-dock", body);
  const says = element("p", "live-says", dock);
  const panel = element("div", "live-panel", dock);
  const side = element("div", "live-side", body);
  const table = element("table", "live-reading", side);
  const heard = element("p", "live-heard", side);
  heard.setAttribute("role", "status");
  const state = new State(specification.controls, channel);
  const reset = () => {
    state.reset();
    view.reset?.();
    for (const part of view.parts()) part.reset?.();
    frame.ask();
  };
  let showValues = addPanel(panel, state);
  addButtons(panel, state, id, reset);
  state.onReplaced(() => {
    panel.replaceChildren();
    showValues = addPanel(panel, state);
    addButtons(panel, state, "", reset); // a link would not restore the robot
  });
  panel.addEventListener("keyup", ({ key }) => {
    if (key === "Tab") root.scrollIntoView({ block: "nearest" }); // a focused control has its picture in sight
  });
  addQuestion(figure, specification);
  const credits = specification.shapes.map(creditOf).join(" ");
  if (credits) element("p", "live-note", figure, credits);

  let facts: Record<string, number> = {};
  const frame = makeFrame(root, body, () => {
    showValues();
    const reading = view.draw();
    facts = reading.facts ?? {};
    tell(reading, says, table);
    frame.settle(() => {
      heard.textContent = says.textContent;
    });
  });
  const stage = {
    root,
    specification,
    data: specification.data as never,
    kernels: loadKernels(specification.source),
    state,
    redraw: () => frame.ask(),
    isVeiled: () => figure.classList.contains("live-veiled"),
  };
  const view = make(stage);
  const measuring = keepInSight(body, root, says, panel);
  state.listen(() => frame.ask());
  frame.now();
  return {
    state,
    facts: () => {
      frame.now();
      return { ...state.numbers(), ...facts };
    },
    veil: (on) => {
      figure.classList.toggle("live-veiled", on);
      frame.now();
    },
    dispose: () => {
      frame.stop();
      measuring.disconnect();
      for (const part of view.parts()) part.dispose();
      figure.remove();
    },
  };
}

/**
 * Measure for the style sheet: the bottom of the topmost picture, which the sticky controls must not cover, and the
 * heights of what is above the controls and below the picture, which share a window.
 */
function keepInSight(body: HTMLElement, stage: HTMLElement, says: HTMLElement, panel: HTMLElement): ResizeObserver {
  const boxesOf = (kinds: string) =>
    [...stage.querySelectorAll(kinds)].map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0);
  const watcher = new ResizeObserver(() => {
    const pictures = ".live-picture, .live-code, .live-chart";
    const [boxes, all] = [boxesOf(pictures), boxesOf(`${pictures}, .live-bars, .live-player, .live-key`)];
    const { top, left } = stage.getBoundingClientRect();
    const end = Math.min(...boxes.map(({ bottom }) => bottom)) - top;
    const height = Math.max(...all.map(({ bottom }) => bottom)) - Math.min(...all.map((box) => box.top));
    const isBeside = (part: HTMLElement) => part.getBoundingClientRect().left > left + 1;
    const query = isBeside(says) ? 0 : says.offsetHeight;
    const above = isBeside(panel) ? says.offsetHeight : height + query;
    const below = isBeside(panel) ? 0 : query + panel.offsetHeight;
    body.style.setProperty("--live-clear", `${boxes.length ? end : 0}px`);
    body.style.setProperty("--live-above", `${Math.ceil(above)}px`);
    body.style.setProperty("--live-below", `${Math.ceil(below)}px`);
  });
  for (const part of [stage, says]) watcher.observe(part);
  return watcher;
}

/** Draw at most once per frame, and never while the whole figure is out of sight. */
function makeFrame(root: HTMLElement, whole: HTMLElement, draw: () => void) {
  let [request, visible, stale] = [0, true, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    stale = false;
    delete root.dataset.stale;
    draw();
  };
  const ask = () => {
    stale = true;
    root.dataset.stale = ""; // the picture does not show the values of the controls
    if (request || !visible) return;
    request = requestAnimationFrame(() => {
      request = 0;
      if (visible) now();
    });
  };
  const watcher = new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1].isIntersecting;
    if (visible && stale) ask();
  });
  watcher.observe(whole); // on a phone a slider may be visible without its picture, and must move, too
  return {
    now,
    ask,
    settle: (then: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(then, SETTLED);
    },
    stop: () => {
      cancelAnimationFrame(request);
      clearTimeout(timer);
      watcher.disconnect();
    },
  };
}

function tell(reading: Reading, says: HTMLElement, table: HTMLTableElement): void {
  say(says, reading.sentence);
  says.dataset.tone = reading.tone ?? "plain";
  fillTable(table, reading.heads ?? [], reading.rows ?? [], reading.colours);
}

function addButtons(panel: Element, state: State, id: string, reset: () => void): void {
  const row = element("div", "live-buttons", panel);
  addUnfolder(row, panel);
  addButton(row, "Reset", reset);
  if (!id) return;
  const link = addButton(row, "Link", async () => {
    const query = state.asLink();
    history.replaceState(null, "", `#${id}${query ? `?${query}` : ""}`);
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    link.textContent = "Address set";
    setTimeout(() => {
      link.textContent = "Link";
    }, 1500);
  });
  link.title = "Put this state into the page’s address, and copy it";
}

function addQuestion(figure: Element, specification: Specification): void {
  if (!specification.question) return;
  const fold = element("details", "live-question", figure);
  say(element("summary", "", fold), specification.question);
  say(element("p", "", fold), specification.answer);
}

function addStyle(): void {
  if (document.getElementById(STYLE)) return;
  const sheet = element("style", "", document.head);
  sheet.id = STYLE;
  sheet.textContent = text;
}
