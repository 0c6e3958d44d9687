/**
 * Makes the folder of this schema beside it: two signed nights of two heroes in three languages, as this program publishes them. Until 1.0.0 is
 * tagged, it is made again when the schema changes; after that, never. `node --import ./scripts/cli/typescript.js test/released/make.ts`
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { readPublished } from "../../src/snapshot/published/sequence.ts";
import { signAgain } from "../../src/snapshot/published/signature.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { loadSigningKey, publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { crawlOptions, runProcess, temporaryFolder } from "../helpers/run.ts";

const FIRST_NIGHT = Date.parse("2026-09-21T03:00:00Z") / 1000;
const HUNDRED_YEARS_MS = 36_525 * 86_400_000;
const SELECTION = [
  "--languages",
  "en,ja,ar",
  "--ranks",
  "all,glory",
  "--days",
  "1,7",
  "--without",
  "equipment,equipment-expanded,emblems",
];
const folder = join(import.meta.dirname, SCHEMA_VERSION);

await using sample = { ...(await startSample({ heroes: 2 })), [Symbol.asyncDispose]: () => sample.close() };
using made = temporaryFolder();
const [data, key] = [join(made.path, "data"), join(made.path, "metasnap.key")];
await run("keys", ["--out", key]);
for (const day of [0, 1]) {
  sample.set({ day });
  const words = [...crawlOptions(sample.url, data), ...SELECTION, "--allow-partial", "--signing-key", key];
  await run("crawl", words, { SOURCE_DATE_EPOCH: String(FIRST_NIGHT + day * 86_400) });
}
// They are pulled for as long as the project lives. The option ends after three weeks.
for (const { version } of readPublished(data).published)
  signAgain(data, version, { key: loadSigningKey(key), validForMs: HUNDRED_YEARS_MS });
rmSync(folder, { recursive: true, force: true });
for (const part of ["latest.json", "snapshots"]) cpSync(join(data, part), join(folder, part), { recursive: true });
cpSync(publicFileOf(key), join(folder, "public-key.txt"));

async function run(name: string, words: readonly string[], env: Record<string, string> = {}) {
  const { code, stderr } = await runProcess(name, [...words], env);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
}
