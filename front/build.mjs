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

await Promise.all([
  build({ ...shared, entryPoints: { live: "src/book.ts", live3d: "src/book3d.ts" }, format: "iife" }),
  build({ ...shared, entryPoints: { widget: "src/widget.ts", widget3d: "src/widget3d.ts" }, format: "esm" }),
]);

await copyFile("node_modules/three/LICENSE", `${process.argv[2]}/three.LICENSE.txt`);
