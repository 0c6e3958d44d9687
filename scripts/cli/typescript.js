// Loaded before a program in TypeScript: it is translated as it is read, and compiled once.
import "./node-version.cjs";
import { enableCompileCache } from "node:module";
import { COMPILE_CACHE } from "../bin/compile-cache.cjs";

enableCompileCache(COMPILE_CACHE);
const { register } = await import("tsx/esm/api");
// Else it would take the tsconfig.json of the folder in which a command is called.
register({ tsconfig: false });
