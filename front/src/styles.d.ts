/** A style sheet comes as text: esbuild's loader for .css. */
declare module "*.css" {
  const text: string;
  export default text;
}
