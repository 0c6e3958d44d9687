// Loaded before a program in TypeScript: it is translated as it is read, and compiled once.
import "./node-version.cjs";
import { enableCompileCache, registerHooks } from "node:module";
import { COMPILE_CACHE } from "../bin/compile-cache.cjs";

enableCompileCache(COMPILE_CACHE);
const { register } = await import("tsx/esm/api");
// Else it would take the tsconfig.json of the folder in which a command is called.
register({ tsconfig: false });

const WHOLE_NAME = /^\.{1,2}\/.*\.(?:ts|m?js)$/;

// A relative name with its extension is that of a file: without a search for others a program starts in six sevenths of the time.
registerHooks({
  resolve: (name, context, next) =>
    WHOLE_NAME.test(name) && context.parentURL?.startsWith("file:")
      ? { url: new URL(name, context.parentURL).href, shortCircuit: true }
      : next(name, context),
});
