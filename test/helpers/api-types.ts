import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** The last TypeScript with an API in JavaScript: that of the project has none. */
const TYPESCRIPT = pathToFileURL(createRequire(import.meta.url).resolve("@ts-morph/common/dist/typescript.js")).href;

/** What the generator for TypeScript makes of an OpenAPI document. */
export async function generateTypes(document: object): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === "typescript" ? { url: TYPESCRIPT, format: "commonjs", shortCircuit: true } : next(name, context),
  });
  try {
    const { default: generate, astToString } = await import("openapi-typescript");
    return astToString(await generate(structuredClone(document) as Parameters<typeof generate>[0]));
  } finally {
    hooks.deregister();
  }
}
