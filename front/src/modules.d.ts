/** A style sheet as text, by esbuild's loader for .css. */
declare module "*.css" {
  const text: string;
  export default text;
}

/** Code of a worker, bundled as a script: `build.py`. */
declare module "worker:*" {
  const text: string;
  export default text;
}

/** Views found by `build.py`, by their names in Python. */
declare module "views:*" {
  const views: Record<string, import("./view.ts").MakeView>;
  export default views;
}
