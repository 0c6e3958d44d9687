// Loaded before a program in TypeScript: it is translated as it is read, and compiled once.
import "./node-version.cjs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// Not in the folder for temporary files, where others may put what we would run.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "metasnap"),
);
// Else it would read that of the folder in which the command is called.
process.env.TSX_TSCONFIG_PATH ??= join(import.meta.dirname, "..", "..", "tsconfig.json");
// @ts-expect-error: it has no types.
await import("tsx");
