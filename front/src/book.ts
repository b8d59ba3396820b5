/** The published book: all figures of a page are live, from a folder, without a kernel or a network. */

import flatViews from "views:flat";
import { type MountedFigure, mount } from "./figure.ts";
import type { Specification } from "./specification.ts";
import { maker, register } from "./view.ts";

declare global {
  /** The bundle for space adds its views to the shared ones here. */
  var lessonsLive: { register: typeof register } | undefined;

  /** Prediction questions read the figure, see `book/_static/predict.js`. */
  interface HTMLElement {
    live?: MountedFigure;
  }
}
globalThis.lessonsLive = { register };
for (const [name, make] of Object.entries(flatViews)) register(name, make);

document.addEventListener("DOMContentLoaded", () => {
  for (const host of document.querySelectorAll<HTMLElement>(".live-host")) {
    const dataScript = host.querySelector('script[type="application/json"]');
    if (!dataScript) continue;
    const specification = JSON.parse(dataScript.textContent ?? "") as Specification;
    if (!maker(specification.view)) continue;
    const id = host.dataset.id ?? "";
    try {
      host.live = mount(host, specification, undefined, id);
      const { state } = host.live;
      const follow = () => {
        const [name, values] = decodeURIComponent(location.hash.slice(1)).split("?");
        if (name !== id || values === undefined) return;
        state.fromLink(values);
        host.scrollIntoView({ block: "center" });
      };
      window.addEventListener("hashchange", follow);
      follow();
      host.classList.add("live-is-on");
    } catch (error) {
      console.warn(`the still picture stays: ${error}`);
      host.querySelector(".live-figure")?.remove();
    }
  }
});
