import { findPackageJSON } from "node:module";
import { basename, dirname, join } from "node:path";

/** The folder of the checkout, or of the installed package: a module does not lie at the same depth in both. */
export const PROJECT = dirname(findPackageJSON(import.meta.url) ?? "");

const IS_PACKAGE = import.meta.filename.endsWith(".js");

/**
 * The file of a program that is started as a process or a thread, by its path in a checkout. In the package all programs are
 * JavaScript in one folder.
 */
export const programFile = (path: string): string =>
  IS_PACKAGE ? join(PROJECT, "dist", `${basename(path, ".ts")}.js`) : join(PROJECT, path);
