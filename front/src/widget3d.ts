/** JupyterLab, for a figure in space. */

import spaceViews from "views:space";
import { register } from "./view.ts";
import widget from "./widget.ts";

for (const [name, make] of Object.entries(spaceViews)) register(name, make);

export default widget;
