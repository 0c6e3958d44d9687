import { sep } from "node:path";

/**
 * What a process or thread of our own must be started with to read TypeScript. Those do with the little that Node reads by
 * itself, and sooner; but of a package that is installed it reads none, and they take what this process was started with.
 */
export const LOADER: readonly string[] = import.meta.dirname.split(sep).includes("node_modules") ? ownLoader() : [];

function ownLoader() {
  const at = process.execArgv.indexOf("--import");
  return at < 0 ? [] : process.execArgv.slice(at, at + 2);
}
