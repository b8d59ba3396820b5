/** Additional bundle for pages with a figure in space: the views that use three.js. */

import spaceViews from "views:space";

for (const [name, make] of Object.entries(spaceViews)) globalThis.lessonsLive?.register(name, make);
