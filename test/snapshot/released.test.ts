import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { hashSchema, SCHEMA_HASHES } from "../../src/snapshot/schema/version.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";

const RELEASED = join(import.meta.dirname, "..", "released");
const MAKE = "node --import ./scripts/cli/typescript.js test/released/make.ts";

const minors = readdirSync(RELEASED, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

test("each schema that this program reads has a folder that was made by its release", () => {
  expect(minors.sort()).toEqual(Object.keys(SCHEMA_HASHES).sort());
});

/** Where its lists lie is its own: nothing may be written there. */
function released(minor: string) {
  const folder = temporaryFolder();
  cpSync(join(RELEASED, minor), folder.path, { recursive: true });
  const names = readdirSync(join(folder.path, "snapshots")).filter((name) => name.endsWith(".sqlite"));
  const [first = "", second = ""] = names.map((name) => name.replace(".sqlite", "")).sort();
  return { ...folder, first, second, key: join(folder.path, "public-key.txt") };
}

/** What a command says if it ends well. */
async function say(name: string, words: string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await runCommand(name, words, env);
  expect([name, code, stderr]).toEqual([name, 0, ""]);
  return stdout;
}

describe.each(minors)("a folder of schema %s", (minor) => {
  test(`has the tables that were released; until 1.0.0 is tagged, make it again with \`${MAKE}\``, () => {
    using folder = released(minor);
    const db = new SQLite(fileOf(folder.path), { readonly: true });
    const hash = hashSchema(db);
    db.close();
    expect(hash).toBe(SCHEMA_HASHES[minor]);
  });

  test("is verified, and its nights are listed, compared and told", async () => {
    using folder = released(minor);
    const { path, first, second, key } = folder;
    for (const version of [first, second])
      expect(await say("verify", ["--snapshot", fileOf(path, version), "--key", key])).not.toMatch(/FAILED/);
    expect(await say("nights", ["--data", path])).toContain(second);
    expect(await say("diff", ["--data", path, first, second])).toMatch(/Rates|Texts|Tables/);
    const history = join(path, "history.sqlite");
    await say("history", ["--data", path, "--file", history]);
    expect(queryFile(history, "SELECT version FROM night ORDER BY night_id")).toEqual([
      { version: first },
      { version: second },
    ]);
    expect(queryFile(history, `SELECT count(*) > 0 AS has FROM hero_rate WHERE valid_from = '${second}'`)).toEqual([
      { has: 1 },
    ]);
    const out = join(path, "out");
    await say("export", ["--format", "csv", "--out", out, fileOf(path)]);
    expect(readdirSync(out)).toContain("hero_rate.csv");
  });

  test("is pulled with its key, and answered from", async () => {
    using folder = released(minor);
    await using source = await startSource(folder.path);
    using copy = temporaryFolder();
    await say("pull", [source.url, "--data", copy.path, "--key", folder.key]);
    expect(pointerOf(copy.path).version).toBe(folder.second);
    await using mirror = await startServe(["--data", copy.path]);
    for (const path of ["/api/heroes?lang=ja", "/api/heroes/1/stats?rank=glory", "/", "/heroes/1?lang=ar", "/data"])
      expect([path, (await fetch(new URL(path, mirror.url))).status]).toEqual([path, 200]);
    const lacks = await fetch(new URL("/api/academy/emblems", mirror.url));
    expect(await lacks.json()).toMatchObject({ error: { code: "SLICE_NOT_CAPTURED" } });
  });

  test("is what a crawl goes on from", async () => {
    using folder = released(minor);
    await using sample = { ...(await startSample({ heroes: 2, day: 2 })), [Symbol.asyncDispose]: () => sample.close() };
    const words = ["--languages", "en,ja,ar", "--ranks", "all,glory", "--days", "1,7", "--allow-partial"];
    const without = ["--without", "equipment,equipment-expanded,emblems", "--budget", "100"];
    const epoch = String(Date.parse("2026-09-23T03:00:00Z") / 1000);
    await say("crawl", [...crawlOptions(sample.url, folder.path), ...words, ...without], { SOURCE_DATE_EPOCH: epoch });
    const asked = queryFile<{ night: string }>(
      fileOf(folder.path),
      "SELECT DISTINCT date(asked_at) AS night FROM coverage ORDER BY 1",
    );
    expect(asked.map(({ night }) => night)).toEqual(expect.arrayContaining(["2026-09-22", "2026-09-23"]));
  });
});
