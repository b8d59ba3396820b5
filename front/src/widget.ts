/** JupyterLab: the figure as an anywidget, whose traits are its controls. */

import flatViews from "views:flat";
import { mount } from "./figure.ts";
import type { Specification, Value } from "./specification.ts";
import type { Channel, Values } from "./state.ts";
import { register } from "./view.ts";

for (const [name, make] of Object.entries(flatViews)) register(name, make);

interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, heard: () => void): void;
  off(event: string, heard: () => void): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const heard: [string, () => void][] = [];
  const channel: Channel = {
    read: (name) => model.get(name) as Value,
    write: (values: Values) => {
      for (const [name, value] of Object.entries(values)) model.set(name, value);
      model.save_changes();
    },
    listen: (name, tell) => {
      heard.push([`change:${name}`, tell]);
      model.on(`change:${name}`, tell);
    },
  };
  const mounted = mount(el, model.get("_specification") as Specification, channel);
  return () => {
    for (const [event, tell] of heard) model.off(event, tell);
    mounted.dispose();
  };
}

export default { render };
