/** esbuild writes the file beside the script, and gives its path. */
declare module "*.wasm" {
  const path: string;
  export default path;
}
