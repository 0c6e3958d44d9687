import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { API_DOCUMENTS, expectServed, findUnlike, listFiles, readIndex, toQuery } from "../helpers/api-files.ts";
import { LANGUAGES } from "../helpers/crawl-nights.ts";
import { runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const [FIRST = "", SECOND = ""] = nights.files;
const ALL = ENDPOINTS.filter(({ from, compute }) => !from && !compute).map(({ dataset }) => dataset);

async function write(snapshot: string, out: string, ...more: string[]) {
  const ended = await runCommand("export", ["--format", "api", "--out", out, ...more, snapshot]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  return ended.stdout;
}

/** How the command refuses: with 64 and one line, and without a byte written. */
async function refused(snapshot: string, out: string, ...more: string[]) {
  const list = () => (statSync(out, { throwIfNoEntry: false })?.isDirectory() ? listFiles(out) : []);
  const before = list();
  const { code, stdout, stderr } = await runCommand("export", ["--format", "api", "--out", out, ...more, snapshot]);
  expect([code, stdout]).toEqual([64, ""]);
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(list()).toEqual(before);
  return stderr;
}

const readJson = (folder: string, path: string) => JSON.parse(readFileSync(join(folder, path), "utf8"));

describe("each file", () => {
  test("has the records that a server answers, of every endpoint, rank, window, lane and language", async () => {
    using folder = temporaryFolder();
    const out = folder.path;
    await write(SECOND, out, "--datasets", ALL.join(), "--languages", LANGUAGES.join());
    expectServed(SECOND, out);
    expect(findUnlike(out)).toEqual([]);
    expect(listFiles(out)).toEqual([...readIndex(out).files.map(({ path }) => path), "index.json"].sort());

    // No slice of the snapshot is left out: lists by name have a language each, all else stands once.
    const slices = queryFile<{ id: string }>(
      SECOND,
      "SELECT dataset || '?' || slice AS id FROM coverage WHERE status <> 'failed'",
    );
    const there = new Set(
      readIndex(out)
        .files.filter(({ path }) => !API_DOCUMENTS.includes(path))
        .map(({ path }) => {
          const { endpoint, identifier, query } = toQuery(path);
          const parts = endpoint.parameters.flatMap((parameter) => {
            if (parameter.kind !== "choice" || !parameter.selects) return [];
            return [`${parameter.selects}=${query.get(parameter.name) ?? parameter.default}`];
          });
          const named = endpoint.identifier?.kind === "word" ? `subject=${identifier}` : `hero=${identifier}`;
          return [endpoint.dataset, ...(identifier === undefined ? [] : [named]), ...parts].sort().join();
        }),
    );
    const wanted = slices.map(({ id }) => id.split(/[?&]/).sort().join());
    expect(wanted.length).toBeGreaterThan(400);
    expect(wanted.filter((id) => !there.has(id))).toEqual([]);
  });

  test("is by default one of a hero or of the game, in English", async () => {
    using folder = temporaryFolder();
    await write(FIRST, folder.path);
    const paths = listFiles(folder.path);
    for (const path of ["rank.json", "rank/glory/7.json", "1.json", "miya.json", "1/counters/7.json", "positions.json"])
      expect(paths).toContain(`api/heroes/${path}`);
    expect(paths.filter((path) => /^\w\w\/|counters\.json|counters\/glory|trends|builds/.test(path))).toEqual([]);
  });

  test("says whether its numbers are made up", async () => {
    using folder = temporaryFolder();
    const [made, real] = [join(folder.path, "made"), join(folder.path, "real")];
    const snapshot = join(folder.path, "real.sqlite");
    copyFileSync(FIRST, snapshot);
    editFile(snapshot, "UPDATE snapshot SET sample = 0");
    await write(FIRST, made);
    await write(snapshot, real);
    for (const path of listFiles(made)) expect(readJson(made, path), path).toMatchObject({ sample: true });
    expect(listFiles(real)).toEqual(listFiles(made));
    for (const path of listFiles(real)) expect(readJson(real, path).sample ?? false, path).toBe(false);
  });

  test("is missing with a reason where the snapshot lacks it", async () => {
    using folder = temporaryFolder();
    const [snapshot, out] = [join(folder.path, "old.sqlite"), join(folder.path, "out")];
    copyFileSync(FIRST, snapshot);
    editFile(
      snapshot,
      `UPDATE coverage SET status = 'failed', reason = 'refused', records = 0 WHERE dataset = 'hero' AND slice = 'hero=1&lang=en';
       UPDATE coverage SET status = 'failed', reason = 'timeout', records = 0 WHERE dataset = 'heroes' AND slice = 'lang=ar';
       UPDATE coverage SET status = 'failed', reason = 'timeout', records = 0 WHERE dataset = 'relations';
       DELETE FROM coverage WHERE dataset IN ('roles', 'ratings');
       DELETE FROM record WHERE slice_id NOT IN (SELECT slice_id FROM coverage WHERE status <> 'failed')`,
    );
    expect(await write(snapshot, out, "--languages", "ar,de,th")).toContain(
      "files are missing, index.json names them with reasons, in ",
    );
    expectServed(snapshot, out);
    const { missing } = readIndex(out);
    const reasons = Object.fromEntries(missing.map(({ path, reason }) => [path, reason]));
    expect(reasons).toMatchObject({
      "api/heroes/1.json": "refused",
      "api/heroes/{hero_identifier}/relations.json": "timeout",
      "ar/api/heroes/rank.json": "timeout",
      "ar/api/heroes/{hero_identifier}.json": "timeout",
      "th/api/heroes/rank/glory/7.json": "not-in-snapshot",
      "api/heroes/rank/3.json": "not-in-snapshot",
      "api/academy/roles.json": "not-in-snapshot",
      "api/academy/heroes/ratings/{subject}.json": "not-in-snapshot",
    });
    expect(missing.length).toBeLessThan(200);
    expect(listFiles(out).filter((path) => /^(ar|th)\//.test(path))).toEqual([]);
    expect(readJson(out, "version.json")).toMatchObject({
      version: nights.versions[0],
      schema_version: SCHEMA_VERSION,
      languages: ["en", "ar", "de", "th"],
      attribution: expect.stringContaining("made-up"),
      asked: expect.arrayContaining([expect.objectContaining({ dataset: "rank", oldest: "2026-08-01T03:00:00.000Z" })]),
    });
  });
});

describe("words of the upstream", () => {
  test("stand in paths only as a-z, 0-9 and -, others are left out and named", async () => {
    using folder = temporaryFolder();
    const [snapshot, out] = [join(folder.path, "odd.sqlite"), join(folder.path, "out")];
    copyFileSync(FIRST, snapshot);
    const names = [
      "../../../x",
      "Rank",
      "by-name",
      "17",
      "Çok",
      "Same",
      "same!",
      "constructor",
      "__proto__",
      "a".repeat(99),
    ];
    const rename = names.map(
      (name, index) =>
        `UPDATE record SET json = json_set(json, '$.data.hero.data.name', '${name}') WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'heroes' AND slice = 'lang=en')
           AND json ->> '$.data.hero_id' = ${index + 1};`,
    );
    const subjects = ["../../y", "A", "a b", "", "CON", "ok-1"];
    const votes = `UPDATE record SET json = json_set(json, '$.list', json('${JSON.stringify(subjects.map((subject) => ({ subject })))}'))
      WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'ratings');`;
    const negative = `UPDATE record SET json = json_set(json, '$.data.hero_id', -10) WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'heroes') AND position = 1;`;
    const rows = queryFile<{ id: number }>(
      snapshot,
      "SELECT json ->> '$.data.hero_id' AS id FROM record WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'heroes' AND slice = 'lang=en') ORDER BY position",
    );
    editFile(snapshot, rename.join("\n") + votes + negative);
    await write(snapshot, out, "--languages", "de");
    const paths = listFiles(out);
    for (const path of paths)
      expect(path).toMatch(/^(de\/)?(api\/[a-z0-9/-]+\.json|(index|version|datapackage)\.json)$/);
    expect(paths).toContain("api/heroes/constructor.json");
    expect(paths).toContain("api/heroes/proto.json");
    expectServed(snapshot, out);
    const left = readIndex(out).missing.filter(({ reason }) => reason === "not-a-path");
    const wordsOf = (path: string) => left.filter((file) => file.path === path).map(({ word }) => word);
    const [gone] = rows;
    const odd = names.filter(
      (name, index) => !["../../../x", "constructor", "__proto__"].includes(name) && index + 1 !== gone?.id,
    );
    expect(wordsOf("api/heroes/{hero_identifier}.json").sort()).toEqual(
      ["-10", ...odd.filter((name) => name !== "by-name")].sort(),
    );
    expect(wordsOf("api/academy/heroes/ratings/{subject}.json")).toEqual(["../../y", "A", "a b", "CON"]);
    const { data } = readJson(out, "api/heroes/by-name.json");
    expect(Object.keys(data)).toEqual(["en", "ar", "de", "ja"]);
    expect(data.en).toMatchObject({ x: 1, rank: 2, constructor: 8 });
    expect(Object.keys(data.en)).not.toContain("same");
  });

  test("are named one by one, also where no hero has a name for a path", async () => {
    using folder = temporaryFolder();
    const [snapshot, out] = [join(folder.path, "odd.sqlite"), join(folder.path, "out")];
    copyFileSync(FIRST, snapshot);
    editFile(
      snapshot,
      `UPDATE record SET json = json_set(json, '$.data.hero.data.name', 'Ç' || char(155) || (json ->> '$.data.hero_id'))
         WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'heroes' AND slice = 'lang=en')`,
    );
    await write(snapshot, out, "--datasets", "hero");
    const { files, missing } = readIndex(out);
    const ids = files.flatMap(({ path }) => /^api\/heroes\/(\d+)\.json$/.exec(path)?.[1] ?? []);
    expect(ids.length).toBeGreaterThan(5);
    expect(missing.map(({ word }) => word).sort()).toEqual(ids.map((id) => `Ç\u009b${id}`).sort());
    expect(readFileSync(join(out, "index.json"), "utf8")).not.toContain("\u009b");
  });

  test("are found by name in every language", async () => {
    using folder = temporaryFolder();
    await write(FIRST, folder.path);
    const { data } = readJson(folder.path, "api/heroes/by-name.json");
    expect([data.en.miya, data.ja.ミヤ]).toEqual([1, 1]);
    expect(readFileSync(join(folder.path, "api/heroes/miya.json"))).toEqual(
      readFileSync(join(folder.path, "api/heroes/1.json")),
    );
  });
});

describe("a folder that was written before", () => {
  const kept = (folder: string) =>
    new Map(listFiles(folder).map((path) => [path, `${statSync(join(folder, path)).ino}`]));
  /** The files that are others in a new folder of each night. */
  async function differing(first: string, second: string) {
    await write(FIRST, first, "--languages", "de");
    const isOther = (path: string) =>
      !existsSync(join(first, path)) || !readFileSync(join(first, path)).equals(readFileSync(join(second, path)));
    return listFiles(second).filter(isOther);
  }
  const changedBetween = (before: Map<string, string>, after: Map<string, string>) =>
    [...after].filter(([path, inode]) => before.get(path) !== inode).map(([path]) => path);

  test("gets what changed and nothing else, byte for byte as if it were new", async () => {
    using folder = temporaryFolder();
    const [out, fresh] = [join(folder.path, "out"), join(folder.path, "fresh")];
    await write(FIRST, out, "--languages", "de");
    writeFileSync(join(out, "README.md"), "mine");
    mkdirSync(join(out, ".git"));
    const before = kept(out);
    expect(await write(FIRST, out, "--languages", "de")).toMatch(/ 0 written, 0 removed, /);
    expect(kept(out)).toEqual(before);

    await write(SECOND, out, "--languages", "de");
    await write(SECOND, fresh, "--languages", "de");
    const others = listFiles(out).filter((path) => path !== "README.md");
    expect(others).toEqual(listFiles(fresh));
    for (const path of others) expect(readFileSync(join(out, path)), path).toEqual(readFileSync(join(fresh, path)));
    const changed = changedBetween(before, kept(out));
    expect(changed).toContain("api/heroes/rank/7.json");
    const other = await differing(join(folder.path, "first"), fresh);
    expect(changed).toEqual(other);
    expect(other.length).toBeLessThan(others.length);

    // A part is not what was written.
    writeFileSync(join(out, "api/heroes/1.json"), "{}");
    rmSync(join(out, "de/api/heroes.json"));
    expect(findUnlike(out)).toHaveLength(2);
    expect(await write(SECOND, out, "--languages", "de")).toMatch(/ 3 written, 0 removed, /);
    expect(findUnlike(out)).toEqual([]);

    // What no run names any more goes, with its folders; what is not ours stays.
    writeFileSync(join(out, "de/mine.json"), "mine");
    const told = await write(SECOND, out, "--datasets", "heroes");
    expect(told).toMatch(/ 3 written, \d\d+ removed, /);
    expect(listFiles(out)).toEqual([
      "README.md",
      "api/heroes.json",
      "api/heroes/by-name.json",
      "datapackage.json",
      "de/mine.json",
      "index.json",
      "version.json",
    ]);
    expect(existsSync(join(out, "de/api"))).toBe(false);
  });

  test("is as it was after a disk was full, which is said in one line", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    await write(FIRST, out, "--datasets", "heroes");
    const before = kept(out);
    const words = ["--format", "api", "--out", out, "--datasets", "heroes,equipment-expanded", SECOND];
    const { code, stderr } = await runProcess("export", words, {}, 64);
    const said = new RegExp(`^${out}\\S*: cannot be written: [^\\n]*EFBIG[^\\n]*\\n$`);
    expect([code, stderr]).toEqual([64, expect.stringMatching(said)]);
    expect(kept(out)).toEqual(before);
  });

  test("of other languages has other files, in any order of the words", async () => {
    using folder = temporaryFolder();
    await write(FIRST, folder.path, "--languages", "ja,de", "--datasets", "rank,heroes");
    expect(await write(FIRST, folder.path, "--languages", "de,en,ja", "--datasets", "heroes,rank")).toContain(
      " 0 written",
    );
  });
});

describe("a folder that is not ours", () => {
  test("is refused, whatever lies there", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    mkdirSync(out);
    writeFileSync(join(out, "notes.txt"), "mine");
    const neither = `${out}: is not empty, and has no index.json of an export as api; nothing was written`;
    expect(await refused(FIRST, out)).toBe(`${neither}; name another folder with --out\n`);
    for (const index of ["", "{}", "[]", '{"format":"metasnap-api-files-1"}', '{"format":1,"files":[]}']) {
      writeFileSync(join(out, "index.json"), index);
      expect(await refused(FIRST, out)).toContain(neither);
    }
    expect(await refused(FIRST, join(out, "notes.txt"))).toContain("notes.txt: is not a folder");
    expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("mine");
  });

  test.for([
    "../victim",
    "/etc/victim",
    "api/../../victim.json",
    "api/heroes/.git/config",
    "xx/api/a.json",
    "api//a.json",
    "de/notes.json",
  ])("is one with an index that names %s", async (path) => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    await write(FIRST, out, "--datasets", "heroes");
    const index = { ...readIndex(out), files: [{ path, bytes: 1, sha256: "" }] };
    writeFileSync(join(out, "index.json"), JSON.stringify(index));
    expect(await refused(FIRST, out)).toContain("is not empty, and has no index.json");
  });

  test("is not reached through links, and no file that is in the way is replaced", async () => {
    using folder = temporaryFolder();
    const [out, victim] = [join(folder.path, "out"), join(folder.path, "victim")];
    mkdirSync(victim);
    writeFileSync(join(victim, "heroes.json"), "mine");
    const datasets = ["--datasets", "heroes,versions"];
    const links: [string, string][] = [
      ["api", victim],
      ["api/heroes.json", join(victim, "heroes.json")],
      ["api/academy", victim],
      ["index.json", join(victim, "heroes.json")],
      ["version.json", join(victim, "new.json")],
    ];
    for (const [path, target] of links) {
      rmSync(out, { recursive: true, force: true });
      await write(FIRST, out, ...datasets);
      rmSync(join(out, path), { recursive: true });
      symlinkSync(target, join(out, path));
      expect(await refused(SECOND, out, ...datasets)).toMatch(
        /: is a link, and links are not followed; remove it, or name/,
      );
    }
    for (const link of [".draft-api", ".draft-api/0", ".draft-api/text-index.json", ".unfinished-api.json"]) {
      rmSync(out, { recursive: true, force: true });
      await write(FIRST, out, ...datasets);
      if (link.includes("/")) mkdirSync(join(out, ".draft-api"));
      symlinkSync(link.endsWith(".json") ? join(victim, "heroes.json") : victim, join(out, link));
      await write(SECOND, out, ...datasets);
      expect(findUnlike(out)).toEqual([]);
    }
    mkdirSync(join(out, "api/heroes/rank.json"), { recursive: true });
    expect(await refused(SECOND, out, "--datasets", "rank")).toContain("rank.json: is not a file; remove it");
    rmSync(join(out, "api/heroes/rank.json"), { recursive: true });
    writeFileSync(join(out, "api/heroes/rank.json"), "mine");
    expect(await refused(SECOND, out, "--datasets", "rank")).toContain(
      "rank.json: is in the way, but no export wrote it",
    );
    expect(listFiles(victim)).toEqual(["heroes.json"]);
    expect(readFileSync(join(victim, "heroes.json"), "utf8")).toBe("mine");
    expect(findUnlike(out)).toEqual([]);
  });
});

test.for<[string[], RegExp]>([
  [["--format", "api", "--partition"], /^--partition is not for api; leave it out, or name a format of tables with/],
  [["--format", "api", "--tables", "hero"], /^--tables is not for api/],
  [["--format", "csv", "--datasets", "heroes"], /^--datasets is not for csv; leave it out, or add --format api\n/],
  [["--datasets", "heroes"], /^--datasets is not for parquet/],
  [["--format", "api", "--datasets", "rank-of"], /Allowed are heroes, rank, positions/],
  [["--format", "api", "--languages", "xx"], /Allowed are en, id/],
  [["--format", "api", FIRST], /^2 snapshots cannot share one folder of files; name one snapshot\n/],
])("wrong usage is said in one line: %j", async ([words, message]) => {
  using folder = temporaryFolder();
  const out = join(folder.path, "out");
  const { code, stderr } = await runCommand("export", ["--out", out, ...words, FIRST], {
    METASNAP_EXPORT_LANGUAGES: "en,ja",
  });
  expect(code).toBe(64);
  expect(stderr).toMatch(message);
  expect(existsSync(out)).toBe(false);
});
