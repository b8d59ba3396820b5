/** What pages with a figure in space load besides: the views that draw with three.js. */

import spaceViews from "views:space";

for (const [name, make] of Object.entries(spaceViews)) globalThis.lessonsLive?.register(name, make);
