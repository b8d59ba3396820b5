/** Bundle the front end: two classic scripts for the book, which browsers take from file://, two modules for JupyterLab. */

import { copyFile } from "node:fs/promises";
import { build } from "esbuild";

const shared = {
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  loader: { ".css": "text" },
  legalComments: "none",
  logLevel: "warning",
  outdir: process.argv[2],
};

/** "worker:FILE" is the text of a script of its own, which a page runs beside itself from a blob. */
const workers = {
  name: "workers",
  setup(made) {
    made.onResolve({ filter: /^worker:/ }, ({ path }) => ({ path: path.slice(7), namespace: "worker" }));
    made.onLoad({ filter: /.*/, namespace: "worker" }, async ({ path }) => {
      const { outputFiles } = await build({ ...shared, entryPoints: [`src/${path}`], format: "iife", write: false });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};
const page = { ...shared, plugins: [workers] };

await Promise.all([
  build({ ...page, entryPoints: { live: "src/book.ts", live3d: "src/book3d.ts" }, format: "iife" }),
  build({ ...page, entryPoints: { widget: "src/widget.ts", widget3d: "src/widget3d.ts" }, format: "esm" }),
]);

await copyFile("node_modules/three/LICENSE", `${process.argv[2]}/three.LICENSE.txt`);
