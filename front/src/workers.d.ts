/** What runs beside the page, bundled to a script by itself: `build.py`. */
declare module "worker:*" {
  const text: string;
  export default text;
}

/** The views that `build.py` finds, by the names that Python gives them. */
declare module "views:*" {
  const views: Record<string, import("./view.ts").MakeView>;
  export default views;
}
