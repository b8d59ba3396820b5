/** A style sheet is imported as text by esbuild's loader for .css. */
declare module "*.css" {
  const text: string;
  export default text;
}
