/** Files that outlive the program that made them: this program, and one that knows a rank, a language and an endpoint more. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/sample/service/server.ts";
import { copyOf, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { crawlOptions, temporaryFolder } from "../helpers/run.ts";
import { askTarget, startServer } from "../helpers/server.ts";
import { startSource } from "../helpers/upstream/source.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** What a later release would change, by file. */
const LATER: Readonly<Record<string, readonly [before: string, after: string]>> = {
  "src/api/enumerations.ts": [
    `and above", bigrank: "9" },`,
    `and above", bigrank: "9" },\n  { code: "immortal", name: "Immortal", bigrank: "10" },`,
  ],
  "src/api/endpoints/heroes.ts": [
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
};

const program = temporaryFolder();
const nights = { this: temporaryFolder(), later: temporaryFolder() };
const upstream = await startLater();
afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  for (const folder of [program, nights.this, nights.later]) folder[Symbol.dispose]();
});

/** An upstream that serves what the later program knows. */
async function startLater() {
  const sample = await startSample({ heroes: 3 });
  const server = await startServer(async (_, res, seen) => {
    const isImmortal = seen.url.includes("rank=immortal");
    const url = seen.url.replace("/rivals", "/relations").replace("rank=immortal", "rank=glory");
    const { status, headers, body } = await askTarget(sample.url, { ...seen, url });
    res.writeHead(status, { "content-type": String(headers["content-type"]), "x-sample-data": "made-up" });
    res.end(isImmortal ? body.toString().replaceAll(/("big_?rank":)"9"/g, '$1"10"') : body);
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

const programs = { this: ROOT, later: program.path };
type Which = keyof typeof programs;

/** Runs a command of one of the two. */
async function run(which: Which, name: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const line = ["--import", "./scripts/cli/typescript.js", `scripts/${name}.ts`, ...words];
  const child = spawn(process.execPath, line, { cwd: programs[which], env: { ...process.env, ...env } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

const crawl = (which: Which, data: string, day: number) => {
  upstream.set({ day });
  const clock = { SOURCE_DATE_EPOCH: String(1_790_000_000 + day * 86_400) };
  const words = [...crawlOptions(upstream.url, data), "--languages", "en,ja", "--days", "1,7", "--allow-partial"];
  return run(which, "crawl", [...words, "--closing-pause", "0"], clock);
};

beforeAll(async () => {
  for (const folder of ["src", "scripts", "package.json"])
    cpSync(join(ROOT, folder), join(program.path, folder), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(program.path, "node_modules"));
  for (const [file, [before, after]] of Object.entries(LATER)) {
    const code = readFileSync(join(ROOT, file), "utf8");
    expect(code).toContain(before);
    writeFileSync(join(program.path, file), code.replace(before, after));
  }
  for (const which of ["this", "later"] as const)
    for (const day of [0, 1])
      expect(await crawl(which, nights[which].path, day)).toMatchObject({ code: 0, stderr: "" });
});

describe.for([
  ["this", "later"],
  ["later", "this"],
] as const)("a file of %s program, in the hands of the %s program", ([maker, reader]) => {
  const data = nights[maker].path;

  test("is verified", async () => {
    const { code, stdout, stderr } = await run(reader, "verify", ["--data", data]);
    expect([code, stderr]).toEqual([0, ""]);
    const made = reader === "later" ? /tables made again +│ ok/ : /tables made again +│ none +│ dataset rivals is not/;
    expect(stdout).toMatch(made);
  });

  test("is pulled, and served again", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(data);
    const pulled = await run(reader, "pull", [source.url, "--data", folder.path]);
    expect([pulled.code, pulled.stderr]).toEqual([0, ""]);
    expect(pointerOf(folder.path).sha256).toBe(pointerOf(data).sha256);
  });

  test("is served: what it lacks or what the program does not know is an error that says so", async () => {
    const ask = async (path: string) => {
      const { code, stdout } = await run(reader, "serve", ["--data", data, "--get", path]);
      return [code === 0, JSON.parse(stdout).error?.code];
    };
    expect(await ask("/api/heroes/rank?rank=glory&lang=ja")).toEqual([true, undefined]);
    const lacked = [false, reader === "later" ? "SLICE_NOT_CAPTURED" : "VALIDATION_FAILED"];
    expect(await ask("/api/heroes/rank?rank=immortal")).toEqual(lacked);
    const route = [false, reader === "later" ? "SLICE_NOT_CAPTURED" : "RESOURCE_NOT_FOUND"];
    expect(await ask("/api/heroes/1/rivals")).toEqual(route);
  });

  test("is compared and folded", async () => {
    using folder = copyOf(data);
    expect(await run(reader, "diff", ["--data", folder.path])).toMatchObject({ code: 0, stderr: "" });
    expect(await run(reader, "history", ["--data", folder.path])).toMatchObject({ code: 0, stderr: "" });
  });

  test("is carried from, and a night of the other program comes after it", async () => {
    using folder = copyOf(data);
    const before = fileOf(folder.path);
    const { code, stderr } = await crawl(reader, folder.path, 2);
    expect([stderr, code]).toEqual(["", expect.toBeOneOf([0, 7])]);
    expect(fileOf(folder.path)).not.toBe(before);
  });
});
