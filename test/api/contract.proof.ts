import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateTypes } from "../../scripts/package/api-types.ts";
import { startMirror } from "../helpers/mirror.ts";
import { run } from "../helpers/package.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

test("types are made of the document, with which a strict program compiles, and a wrong one does not", async () => {
  using folder = temporaryFolder();
  await using mirror = await startMirror(world.snapshot);
  const document = (await (await fetch(`${mirror.url}/api/openapi.json`)).json()) as object;
  const wrong = PROGRAM.replace("page.total", "page.totals")
    .replace("hero_identifier: 18", "hero_identifier: true")
    .replace("mover.change", "mover.loss");
  const texts = { "api.ts": await generateTypes(document), "program.ts": PROGRAM, "wrong.ts": wrong };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder.path, name), text);
  const words = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext"];
  const files = ["program.ts", "wrong.ts"].map((name) => join(folder.path, name));
  const compiled = run(TSC, [...words, "--allowImportingTsExtensions", ...files]);
  const { stdout } = await compiled.catch((error: { stdout: string }) => error);
  expect(stdout.match(/\w+\.ts\b|error TS\d+/g)).toEqual([
    ...["wrong.ts", "error TS2551", "wrong.ts", "error TS2322", "wrong.ts", "error TS2339"],
  ]);
});

const TSC = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "tsc");

/** What a client would write. */
const PROGRAM = `import type { components, operations } from "./api.ts";

type Answer<Name extends keyof operations> = operations[Name]["responses"] extends {
  200: { content: { "application/json": infer Body } };
} ? Body : never;

export function countRecords({ data: page }: Answer<"rank">): number {
  return page.total + page.records.length;
}

export const path: operations["hero"]["parameters"]["path"] = { hero_identifier: 18 };
export const named: typeof path = { hero_identifier: "Miya" };

export function tellMovers({ before, changes }: Answer<"changesOfSnapshot">): string[] {
  const { movers } = changes?.rates ?? { movers: [] };
  return movers.map((mover) => \`\${mover.name} \${mover.change.toFixed(3)} since \${before.version}\`);
}

export const isNewer = (pointer: components["schemas"]["Pointer"], { version }: Answer<"describeSnapshot">): boolean =>
  pointer.version > version;
export const isReady = ({ data }: Answer<"ready">): true => data.ready;
export const seconds = ({ data }: Answer<"health">): number => data.snapshot.age + data.uptime;
export const paths = ({ data }: Answer<"listEndpoints">): string[] => data.endpoints.map(({ path }) => path);
export const files = ({ data }: Answer<"listSnapshots">): string[] => data.records.map(({ urls }) => urls.file);
`;
