import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { exportSnapshot } from "../../src/nights/export/export.ts";
import { VIEW_NAMES } from "../../src/nights/export/tables.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { SCHEMA_HASHES, SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { copyOf, fileOf, vouchForLatest } from "../helpers/data-folder.ts";
import { openDuck, reading } from "../helpers/exported.ts";
import { toOldestSchema, toUnreadSchema } from "../helpers/old-schema.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const duck = await openDuck();
afterAll(() => duck.close());

describe("a file of another schema", () => {
  test("that is older is exported with what it has, and what it lacks is said in one line", async () => {
    using folder = temporaryFolder();
    const [now = ""] = nights.files;
    const [old, out] = [join(folder.path, "old.sqlite"), join(folder.path, "out")];
    copyFileSync(now, old);
    toOldestSchema(old);
    const tables = ["snapshot", "hero", "refusal", "endpoint_state"];
    expect(exportSnapshot(now, { format: "csv", out, tables, partition: true })).toMatchObject({ missingTables: [] });
    // It is the same version; another one takes the place of all that was there.
    const db = new SQLite(old);
    db.exec("UPDATE snapshot SET version = '20260801T040000Z-00000000'");
    db.close();
    const args = ["--format", "csv", "--out", out, "--partition", old];
    const run = (...more: string[]) => runCommand("export", [...args, "--tables", ...more]);
    const { code, stdout, stderr } = await run(tables.join());
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").slice(1)).toEqual([
      `${old}: is of schema 1.7.0 and lacks refusal, endpoint_state of ${SCHEMA_VERSION}, which are left out`,
      `20260801T040000Z-00000000 takes the place of ${nights.versions[0]} on 2026-08-01, in 4 tables`,
      "",
    ]);
    const files = TABLES.flatMap(({ name }) => {
      const day = join(out, `table=${name}`, "snapshot_date=2026-08-01");
      return existsSync(day) ? readdirSync(day).map((file) => [name, file]) : [];
    });
    expect(files).toEqual([
      ["snapshot", "20260801T040000Z-00000000.csv"],
      ["hero", "20260801T040000Z-00000000.csv"],
    ]);
    expect((await run("hero")).stdout).not.toContain("lacks");
    // Views are those of the program: every night has them alike.
    const views = exportSnapshot(old, {
      format: "parquet",
      out: join(folder.path, "views"),
      tables: VIEW_NAMES,
      partition: false,
    });
    expect([views.missingTables, views.exported.map(({ table }) => table)]).toEqual([[], VIEW_NAMES]);
    for (const { table, file } of views.exported) await duck.compare(now, table, reading("parquet", file, table));
  });

  test("that is too old is refused by each command that reads it, with one line", async () => {
    using folder = copyOf(nights.data);
    using other = temporaryFolder();
    const [first = "", , last = ""] = nights.versions;
    toUnreadSchema(fileOf(folder.path));
    await vouchForLatest(folder.path, { schema_version: "1.6.0" });
    await using source = await startSource(folder.path);
    const problem = `${fileOf(folder.path)}: has schema 1.6.0, and the oldest that can be read is 1.7.0`;
    const data = ["--data", folder.path];
    for (const [command, ...words] of [
      ["verify", ...data],
      ["serve", ...data, "--port", "0"],
      ["diff", fileOf(folder.path, first), fileOf(folder.path, last)],
      ["export", ...data, "--out", join(other.path, "out")],
    ] as [string, ...string[]][]) {
      const { code, stderr } = await runCommand(command, words);
      expect([code, stderr], command).toEqual([64, expect.stringMatching(/^[^\n]+\n$/)]);
      expect(stderr, command).toContain(problem);
    }
    const pulled = await runCommand("pull", [source.url, "--data", other.path, "--allow-partial"]);
    expect([pulled.code, pulled.stderr]).toEqual([64, expect.stringMatching(/^[^\n]* schema 1\.6\.0[^\n]*\n$/)]);
    const folded = await runCommand("history", [...data, "--file", join(other.path, "h.sqlite")]);
    expect([folded.code, folded.stderr]).toEqual([3, expect.stringContaining(`its night is left out: ${problem}\n`)]);
    expect(folded.stdout).toContain("2 nights folded");
  });

  test("that is newer is refused, with its version and what to do", async () => {
    using folder = temporaryFolder();
    const newer = join(folder.path, "newer.sqlite");
    copyFileSync(nights.files[0] ?? "", newer);
    const db = new SQLite(newer);
    db.exec("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT; PRAGMA user_version = 19900");
    db.close();
    const { code, stderr } = await runCommand("export", ["--out", join(folder.path, "out"), newer]);
    expect([code, stderr]).toEqual([
      64,
      `${newer}: has schema 1.99.0, which is not known here (${Object.keys(SCHEMA_HASHES).join(", ")}); update metasnap, or take another snapshot\n`,
    ]);
    expect(existsSync(join(folder.path, "out"))).toBe(false);
  });
});
