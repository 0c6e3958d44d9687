import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT } from "../../src/base/project.ts";
import { DOCUMENTS } from "../../src/server/routes/documents.ts";
import { describeOpenApi } from "../../src/server/routes/openapi.ts";

/** TypeScript 7 has no API; the generator needs that of TypeScript 5, which another library carries along. */
const TYPESCRIPT_5 = join(PROJECT, "node_modules", "@ts-morph", "common", "dist", "typescript.js");

const ANSWER = `
/** The answer of a path if all is well: \`Answer<"/api/heroes">\`. */
export type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

/** The same with fields that the upstream has added since, each unknown until it is looked at: \`Open<Answer<"/api/heroes">>\`. */
export type Open<Value> = Value extends readonly unknown[]
  ? { [Index in keyof Value]: Open<Value[Index]> }
  : Value extends object
    ? { [Key in keyof Value]: Open<Value[Key]> } & { [field: string]: unknown }
    : Value;
`;

/** Renders the types of `metasnap/api` from the OpenAPI document of a mirror. */
export const renderApiTypes = async (): Promise<string> =>
  (await generateTypes(describeOpenApi("latest", DOCUMENTS, new Set()))) + ANSWER;

/** Generates the types of an OpenAPI document. */
export async function generateTypes(document: object): Promise<string> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === "typescript" ? pathToFileURL(TYPESCRIPT_5).href : specifier, context),
  });
  try {
    const { default: openApiTypes, astToString } = await import("openapi-typescript");
    return astToString(await openApiTypes(JSON.stringify(document)));
  } finally {
    hooks.deregister();
  }
}
