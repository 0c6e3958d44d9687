import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile, toDocument } from "../../src/base/files.ts";
import { checkReceived } from "../../src/extra/nights/history/published.ts";
import { HISTORY_TABLES } from "../../src/extra/nights/history/tables.ts";
import { lockHistory } from "../../src/journal/lock.ts";
import type { DocumentOf } from "../../src/server/contract/documents.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, published } from "../helpers/data-folder.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { editText, SIGNED_ENDPOINTS, signNights } from "../helpers/signed.ts";
import { startSource } from "../helpers/upstream/source.ts";

const nights = temporaryFolder();
const versions: string[] = [];
beforeAll(async () => {
  for (const day of [0, 1, 2]) {
    versions.push(...(await publishDays(nights.path, [day], ...RATES, "--history-file")));
    await runCommand("history", ["--data", nights.path]);
  }
});
afterAll(() => nights[Symbol.dispose]());

const historyIn = (data: string) => join(data, "history.sqlite");
const besideIn = (data: string, version = versions[2]) => join(data, "snapshots", `${version}.history.sqlite.zst`);
const historiesIn = (data: string) => published(data).filter((name) => name.includes("history"));

const namesIn = (data: string) =>
  readdirSync(data)
    .filter((name) => !/^\.lock|^proofs/.test(name))
    .sort();

/** What every table says, by its rows. */
function contentOf(file: string) {
  const db = new SQLite(file, { readonly: true });
  try {
    return HISTORY_TABLES.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`).raw().all());
  } finally {
    db.close();
  }
}

function nightsIn(file: string) {
  const db = new SQLite(file, { readonly: true });
  try {
    return db.prepare("SELECT version FROM night ORDER BY night_id").pluck().all();
  } finally {
    db.close();
  }
}

/** Publishes other bytes as the history of the latest night. */
async function listHistory(data: string, bytes: Buffer) {
  const file = besideIn(data);
  writeFileSync(file, bytes);
  const history = { size: bytes.length, sha256: await hashFile(file) };
  writeFileSync(manifestFileOf(data), toDocument({ ...manifestOf(data), history }));
}

async function pullHistory(url: string, data: string, ...more: string[]) {
  const { code, stdout, stderr } = await runCommand("pull", [url, "--data", data, "--history", ...more]);
  return { code, stderr, said: stdout.split("\n").filter((line) => line.startsWith("the history ")) };
}

describe("a history beside the nights", () => {
  test("is that of the nights before, and only the newest stays", () => {
    expect(historiesIn(nights.path)).toEqual([`${versions[2]}.history.sqlite.zst`]);
    using folder = temporaryFolder();
    const file = join(folder.path, "unpacked.sqlite");
    writeFileSync(file, zstdDecompressSync(readFileSync(besideIn(nights.path))));
    expect(nightsIn(file)).toEqual(versions.slice(0, 2));
    expect(versions.map((version) => manifestOf(nights.path, version).history !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("costs no night if another process writes it", async () => {
    using folder = copyOf(nights.path);
    using _ = lockHistory(historyIn(folder.path));
    const [version] = await publishDays(folder.path, [3], ...RATES, "--history-file");
    expect(manifestOf(folder.path, version)).not.toHaveProperty("history");
    const again = await runCommand("build", ["--data", folder.path, "--allow-partial", "--history-file"]);
    expect(again.code).toBe(2);
    expect(historiesIn(folder.path)).toEqual([`${versions[2]}.history.sqlite.zst`]);
  });

  test("costs no night if another program holds it", async () => {
    using folder = copyOf(nights.path);
    const other = new SQLite(historyIn(folder.path));
    other.exec("BEGIN EXCLUSIVE");
    const [version] = await publishDays(folder.path, [3], ...RATES, "--history-file");
    other.close();
    expect(manifestOf(folder.path, version)).not.toHaveProperty("history");
  });

  test("of a night whose clock was set back is the newest all the same", async () => {
    using folder = temporaryFolder();
    const names: string[] = [];
    for (const day of [5, 6, 0]) {
      names.push(...(await publishDays(folder.path, [day], ...RATES, "--history-file")));
      await runCommand("history", ["--data", folder.path]);
    }
    expect(historiesIn(folder.path)).toEqual([`${names[2]}.history.sqlite.zst`]);
    expect(manifestOf(folder.path, names[2])).toHaveProperty("history");
  });

  test("is named and sent by the server", async () => {
    await using mirror = await startFollowing(nights.path);
    const path = `/snapshots/${versions[2]}.history.sqlite.zst`;
    const { data } = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as DocumentOf<"Snapshots">;
    expect(data.records.map(({ urls }) => urls.history)).toEqual([path, undefined, undefined]);
    const sent = await fetch(mirror.url + path);
    expect(Buffer.from(await sent.arrayBuffer()).equals(readFileSync(besideIn(nights.path)))).toBe(true);
    const gone = await fetch(`${mirror.url}/snapshots/${versions[1]}.history.sqlite.zst`);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining("No history lies beside")]);
  });

  test("goes to another place, where only the newest stays too", async () => {
    using folder = copyOf(nights.path);
    using place = temporaryFolder();
    const put = async () => (await runCommand("publish-to", [place.path, "--data", folder.path])).code;
    expect(await put()).toBe(0);
    expect(historiesIn(place.path)).toEqual(historiesIn(nights.path));
    const [version] = await publishDays(folder.path, [3], ...RATES, "--history-file");
    expect(await put()).toBe(0);
    expect(historiesIn(place.path)).toEqual([`${version}.history.sqlite.zst`]);
  });
});

describe("pull --history", () => {
  test.for(["mirror", "static"] as const)("fetches it once from a %s, and folding goes on from it", async (layout) => {
    await using source = await startSource(nights.path, layout);
    using folder = temporaryFolder();
    const file = historyIn(folder.path);
    const pulled = await pullHistory(source.url, folder.path);
    const newest = manifestOf(nights.path).version;
    expect(pulled).toEqual({ code: 0, stderr: "", said: [`the history before ${newest} is ${file}`] });
    expect(namesIn(folder.path)).toEqual(["history.sqlite", "latest.json", "snapshots"]);
    expect(historiesIn(folder.path)).toEqual([]);
    await runCommand("history", ["--data", folder.path]);
    await runCommand("history", ["--data", nights.path]);
    expect(contentOf(file)).toEqual(contentOf(historyIn(nights.path)));
    source.asked.length = 0;
    expect(await pullHistory(source.url, folder.path)).toMatchObject({ code: 2 });
    expect(source.asked.filter(({ path }) => path.includes("history"))).toEqual([]);
  });

  test("says that a source has none, and costs no night", async () => {
    await using source = await startSource(nights.path);
    using folder = temporaryFolder();
    source.fault = ({ path, res }) => path.includes("history") && Boolean(res.writeHead(404).end());
    const { code, stderr } = await pullHistory(source.url, folder.path);
    const hint = "fold the nights that are here with `npm run history`";
    expect([code, stderr]).toEqual([3, `the source publishes no history; ${hint}\n`]);
    expect(existsSync(fileOf(folder.path))).toBe(true);
    expect(existsSync(historyIn(folder.path))).toBe(false);
  });

  test("takes what the signed manifest names, and nothing else", async () => {
    using made = await signNights();
    await runCommand("history", ["--data", made.path]);
    const words = [...SIGNED_ENDPOINTS, "--signing-key", made.secret, "--history-file"];
    const [version] = await publishDays(made.path, [2], ...words);
    await using source = await startSource(made.path);
    using hand = temporaryFolder();
    const key = ["--key", made.pub];
    expect(await pullHistory(source.url, hand.path, ...key)).toMatchObject({ code: 0 });
    expect(nightsIn(historyIn(hand.path))).toEqual([made.first, made.second]);
    rmSync(historyIn(hand.path));
    editText(manifestFileOf(made.path, version), (text) => text.replace(/("history": \{\s+"size": )\d+/, "$11"));
    writeFileSync(besideIn(made.path, version), "?");
    const { code, stderr } = await pullHistory(source.url, hand.path, ...key);
    expect([code, stderr]).toEqual([64, expect.stringContaining("is not what was signed")]);
    expect(existsSync(historyIn(hand.path))).toBe(false);
  });

  test.for<[string, (whole: Buffer) => Buffer, string]>([
    ["is no zstd", () => Buffer.from("no zstd"), "cannot be decompressed"],
    ["is cut", (whole) => whole.subarray(0, whole.length / 2), "cannot be decompressed"],
    [
      "has a damaged page",
      (whole) => zstdCompressSync(zstdDecompressSync(whole).fill("?", 8192, 20_000)),
      "the history of the source is damaged",
    ],
  ])("takes the night, and no history that %s", async ([, edit, message]) => {
    using folder = copyOf(nights.path);
    await listHistory(folder.path, edit(zstdCompressSync(readFileSync(historyIn(nights.path)))));
    await using source = await startSource(folder.path);
    using hand = temporaryFolder();
    const { code, stderr } = await pullHistory(source.url, hand.path);
    expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
    expect(namesIn(hand.path)).toEqual(["latest.json", "snapshots"]);
  });

  test.for<[string, (db: SQLite.Database) => void, string]>([
    [
      "that would run something when a night is folded",
      (db) => db.exec("CREATE TRIGGER more AFTER INSERT ON night BEGIN DELETE FROM word; END"),
      "the history of the source has the trigger more, which no history of this version has",
    ],
    [
      "with a table of another program",
      (db) => db.exec("CREATE VIRTUAL TABLE word_search USING fts5(word)"),
      "the history of the source has the table word_search",
    ],
    [
      "that numbers nights otherwise",
      (db) => db.exec("UPDATE night SET sequence = 7 WHERE sequence = 1"),
      "as number 7, which is number 1 here",
    ],
    ["of another form", (db) => db.pragma("user_version = 99"), "is a history of format 99"],
    ["that is none", (db) => db.pragma("application_id = 7"), "is not a history of metasnap"],
  ])("takes no history %s", ([, edit, message]) => {
    using folder = temporaryFolder();
    const file = historyIn(folder.path);
    copyFileSync(historyIn(nights.path), file);
    expect(() => checkReceived(file, nights.path)).not.toThrow();
    const db = new SQLite(file);
    edit(db);
    db.close();
    expect(() => checkReceived(file, nights.path)).toThrow(message);
  });
});
