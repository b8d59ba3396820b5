/** What runs beside the page, bundled to a script by itself: `build.py`. */
declare module "worker:*" {
  const text: string;
  export default text;
}
