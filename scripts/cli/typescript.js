// Loaded before a program in TypeScript: it is translated as it is read, and compiled once.
import "./node-version.cjs";
import { enableCompileCache, registerHooks } from "node:module";
import { COMPILE_CACHE } from "../bin/compile-cache.cjs";

enableCompileCache(COMPILE_CACHE);
const { register } = await import("tsx/esm/api");
// Else it would take the tsconfig.json of the folder in which a command is called.
register({ tsconfig: false });

const WHOLE_NAME = /^\.{1,2}\/.*\.(?:ts|m?js)$/;

// A seventh of the start: a relative name with its extension leads to that file, and there is nothing to look for.
registerHooks({
  resolve: (name, context, next) =>
    WHOLE_NAME.test(name) && context.parentURL?.startsWith("file:")
      ? { url: new URL(name, context.parentURL).href, shortCircuit: true }
      : next(name, context),
});
