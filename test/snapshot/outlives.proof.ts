/** Files that outlive the program that made them: this program, one that knows more, and one whose schema is a minor higher. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { copyOf, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { crawlOptions, temporaryFolder } from "../helpers/run.ts";
import { askTarget, startServer } from "../helpers/server.ts";
import { startSource } from "../helpers/upstream/source.ts";

const ROOT = join(import.meta.dirname, "..", "..");

type Edit = readonly [file: string, before: string, after: string];

/** What a later release would change that knows two ranks, a window, a role, a language and an endpoint more. */
const MORE: readonly Edit[] = [
  [
    "src/api/enumerations.ts",
    `above", bigrank: "9" },`,
    `above", bigrank: "9" },\n  { code: "immortal", name: "Immortal", bigrank: "10" },`,
  ],
  [
    "src/api/enumerations.ts",
    `  { code: "epic",`,
    `  { code: "grandmaster", name: "Grandmaster", bigrank: "4" },\n  { code: "epic",`,
  ],
  ["src/api/enumerations.ts", `"15", "30"]`, `"15", "30", "60"]`],
  [
    "src/api/enumerations.ts",
    `  { code: "support", id: "6" },`,
    `  { code: "support", id: "6" },\n  { code: "healer", id: "7" },`,
  ],
  [
    "src/api/enumerations.ts",
    `  { code: "ru",`,
    `  { code: "ms", name: "Malay", own: "Bahasa Melayu", script: "Latin" },\n  { code: "ru",`,
  ],
  [
    "src/api/endpoints/heroes.ts",
    `  {\n    dataset: "counters",`,
    `  {
    dataset: "rivals",
    path: "/api/heroes/{hero_identifier}/rivals",
    summary: "Rivals of a hero",
    identifier: HERO_IDENTIFIER,
    parameters: [...PAGE, LANG],
    text: [heroReference("data.hero_id", HERO_NAME)],
    record: "relationRecord",
    key: ["data.hero_id"],
    identity: { hero: "data.hero_id" },
  },
  {
    dataset: "counters",`,
  ],
];

const VERSION = "src/snapshot/schema/version.ts";

/** The same of one with a table, a column and a view more. */
const MINOR: readonly Edit[] = [
  [
    "src/snapshot/schema/tables/codes.ts",
    `codeTables: DefinedTable[] = [`,
    `codeTables: DefinedTable[] = [
  {
    name: "season",
    kind: "row",
    description: "Seasons of the game.",
    columns: { season: text("Season.") },
    key: ["season"],
    withoutRowid: true,
    constants: [["winter"]],
  },`,
  ],
  [
    "src/snapshot/schema/tables/statistics.ts",
    `{ from: at("data.main_hero_channel.id") }),\n    },\n    key: ["rank", "days", "hero_id"],`,
    `{ from: at("data.main_hero_channel.id") }),
      matches: maybe.integer("Matches of the hero.", { from: at("data.main_hero_matches") }),
    },
    key: ["rank", "days", "hero_id"],`,
  ],
  [
    "src/snapshot/schema/views/archive.ts",
    `archiveViews: readonly SnapshotView[] = [`,
    `archiveViews: readonly SnapshotView[] = [
  {
    name: "season_list",
    description: "Seasons.",
    columns: { season: text("Season.") },
    order: ["season"],
    select: "SELECT season FROM season",
    example: "SELECT * FROM season_list",
  },`,
  ],
  [VERSION, `SCHEMA_VERSION = "1.0.0"`, `SCHEMA_VERSION = "1.1.0"`],
];

const programs = { more: temporaryFolder(), minor: temporaryFolder() };
type Which = "this" | keyof typeof programs;

const nights = { this: temporaryFolder(), more: temporaryFolder(), minor: temporaryFolder() };
const upstream = await startLater();
afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  for (const folder of [...Object.values(programs), ...Object.values(nights)]) folder[Symbol.dispose]();
});

/** Ranks of the later program, the one that the sample has in its place, and the publisher's code for it. */
const LATER_RANKS = [
  ["immortal", "glory", "10"],
  ["grandmaster", "epic", "4"],
] as const;

/** An upstream that serves what the later program knows, a role among it. */
async function startLater() {
  const sample = await startSample({ heroes: 3 });
  const server = await startServer(async (_, res, seen) => {
    const [rank, sent, answered] = LATER_RANKS.find(([code]) => seen.url.includes(`rank=${code}`)) ?? [];
    const known = seen.url.replace("/rivals", "/relations").replace("lang=ms", "lang=id");
    const url = known.replace(`rank=${rank}`, `rank=${sent}`);
    const { status, headers, body } = await askTarget(sample.url, { ...seen, url });
    res.writeHead(status, { "content-type": String(headers["content-type"]), "x-sample-data": "made-up" });
    const sentAs = rank ? body.toString().replaceAll(/("big_?rank":)"\d+"/g, `$1"${answered}"`) : body.toString();
    res.end(sentAs.replaceAll('"sort_id":"5"', '"sort_id":"7"'));
  });
  return {
    url: server.url,
    set: sample.set,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sample.close();
    },
  };
}

const folderOf = (which: Which) => (which === "this" ? ROOT : programs[which].path);

/** Runs a command of one of the three. */
async function run(which: Which, name: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const line = ["--import", "./scripts/cli/typescript.js", `scripts/${name}.ts`, ...words];
  const child = spawn(process.execPath, line, { cwd: folderOf(which), env: { ...process.env, ...env } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

const crawl = (which: Which, data: string, day: number) => {
  upstream.set({ day });
  const clock = { SOURCE_DATE_EPOCH: String(1_790_000_000 + day * 86_400) };
  const languages = ["--languages", which === "more" ? "en,ja,ms" : "en,ja"];
  const words = [...crawlOptions(upstream.url, data), ...languages, "--days", "1,7", "--allow-partial"];
  return run(which, "crawl", [...words, "--closing-pause", "0"], clock);
};

/** Makes a program with these edits. */
function edit(which: "more" | "minor", edits: readonly Edit[]) {
  const folder = programs[which].path;
  for (const [file, before, after] of edits) {
    const code = readFileSync(join(folder, file), "utf8");
    expect(code).toContain(before);
    writeFileSync(join(folder, file), code.replace(before, after));
  }
}

const PRINT_HASH = `import SQLite from "better-sqlite3";
import { createTables, finishTables } from "../src/snapshot/derive/deriver.ts";
import { hashSchema } from "../src/snapshot/schema/version.ts";
const db = new SQLite(":memory:");
createTables(db);
finishTables(db);
console.log(hashSchema(db));`;

beforeAll(async () => {
  for (const { path } of Object.values(programs)) {
    for (const folder of ["src", "scripts", "package.json"])
      cpSync(join(ROOT, folder), join(path, folder), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
  }
  edit("more", MORE);
  edit("minor", MINOR);
  writeFileSync(join(programs.minor.path, "scripts", "hash.ts"), PRINT_HASH);
  const hash = (await run("minor", "hash", [])).stdout.trim();
  edit("minor", [[VERSION, `  "1.0.0": "`, `  "1.1.0": "${hash}",\n  "1.0.0": "`]]);
  for (const which of ["this", "more", "minor"] as const)
    for (const day of [0, 1]) {
      const { code, stderr } = await crawl(which, nights[which].path, day);
      expect([which, stderr, code]).toEqual([which, "", 0]);
    }
});

const VERIFIED = {
  more: /tables made again +│ ok/,
  minor: /tables made again +│ none +│ this version of metasnap makes tables of schema 1\.1\.0/,
  this: /tables made again +│ none +│ dataset rivals is not known/,
};

describe.for<[maker: Which, reader: Which]>([
  ["this", "more"],
  ["this", "minor"],
  ["more", "this"],
])("a file of the program '%s', in the hands of '%s'", ([maker, reader]) => {
  const data = nights[maker].path;

  test("is verified", async () => {
    const { code, stdout, stderr } = await run(reader, "verify", ["--data", data]);
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout).toMatch(VERIFIED[reader]);
  });

  test("is pulled", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(data);
    const { code, stderr } = await run(reader, "pull", [source.url, "--data", folder.path]);
    expect([stderr, code]).toEqual(["", 0]);
    expect(pointerOf(folder.path).sha256).toBe(pointerOf(data).sha256);
  });

  test("is served: what it lacks or what the program does not know is an error that says so", async () => {
    const ask = async (path: string) => {
      const { code, stdout } = await run(reader, "serve", ["--data", data, "--get", path]);
      return code === 0 ? "answered" : JSON.parse(stdout).error.code;
    };
    expect(await ask("/api/heroes/rank?rank=glory&lang=ja")).toBe("answered");
    const knows = reader === "more";
    expect(await ask("/api/heroes/rank?rank=immortal")).toBe(knows ? "SLICE_NOT_CAPTURED" : "VALIDATION_FAILED");
    expect(await ask("/api/heroes/1?lang=ms")).toBe(knows ? "SLICE_NOT_CAPTURED" : "VALIDATION_FAILED");
    expect(await ask("/api/heroes/1/rivals")).toBe(knows ? "SLICE_NOT_CAPTURED" : "RESOURCE_NOT_FOUND");
  });

  test("is compared and folded", async () => {
    using folder = copyOf(data);
    for (const name of ["diff", "history"]) {
      const { code, stderr } = await run(reader, name, ["--data", folder.path]);
      expect([name, stderr, code]).toEqual([name, "", 0]);
    }
  });

  test("is carried from, and a night of the other program comes after it", async () => {
    using folder = copyOf(data);
    const before = fileOf(folder.path);
    const { code, stderr } = await crawl(reader, folder.path, 2);
    expect([stderr, code]).toEqual(["", expect.toBeOneOf([0, 7])]);
    expect(fileOf(folder.path)).not.toBe(before);
    const { path } = folder;
    for (const name of ["diff", "history"]) {
      const compared = await run(reader, name, ["--data", path]);
      expect([name, compared.stderr, compared.code]).toEqual([name, "", 0]);
    }
  });
});

test("a file of a higher minor is left alone, with one line", async () => {
  const data = nights.minor.path;
  using folder = temporaryFolder();
  await using source = await startSource(data);
  const told = /^[^\n]*has schema 1\.1\.0, which is not known here \(1\.0\.0\); [^\n]*\n$/;
  for (const [name, words] of [
    ["verify", ["--data", data]],
    ["pull", [source.url, "--data", folder.path]],
    ["serve", ["--data", data, "--get", "/api/heroes"]],
    ["diff", ["--data", data]],
  ] as const) {
    const { code, stderr } = await run("this", name, words);
    expect([name, code, stderr]).toEqual([name, 64, expect.stringMatching(told)]);
  }
});
