import { sep } from "node:path";

/**
 * What a process or thread of our own must be started with to read TypeScript. Those do with the little that Node 24 reads by
 * itself, and sooner. But Node 22 does not know `using`, and of a package that is installed Node reads none: there they take
 * what this process was started with.
 */
export const LOADER: readonly string[] =
  Number.parseInt(process.versions.node, 10) < 24 || import.meta.dirname.split(sep).includes("node_modules")
    ? ownLoader()
    : [];

function ownLoader() {
  const at = process.execArgv.indexOf("--import");
  return at < 0 ? [] : process.execArgv.slice(at, at + 2);
}
