// Loaded before a program in TypeScript: it is translated as it is read, and compiled once.
import "./node-version.cjs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// Not in the folder for temporary files, where others may put what we would run.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "metasnap"),
);
const { register } = await import("tsx/esm/api");
// Else it would take the tsconfig.json of the folder in which a command is called.
register({ tsconfig: false });
