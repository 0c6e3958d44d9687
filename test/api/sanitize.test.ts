import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, createWriteStream, openSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCommand } from "../../scripts/cli/call.ts";
import { sanitizeJson, sanitizeLine, sanitizeLines, toSanitizedJson } from "../../src/api/sanitize.ts";
import { createProgress } from "../../src/crawl/progress.ts";
import { createAdminRoutes } from "../../src/server/operate/admin.ts";
import { createActiveSnapshot } from "../../src/server/reload/active-snapshot.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { fileOf, vouchForLatest } from "../helpers/data-folder.ts";
import { SEED } from "../helpers/random.ts";
import { type Ended, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startServer } from "../helpers/server.ts";
import { editFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** What must not reach a reader as it is, by its numbers in Unicode. */
const STEERING: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];
const isSteering = (character: string) => {
  const number = character.codePointAt(0) ?? 0;
  return STEERING.some(([first, last]) => number >= first && number <= last);
};
const rawIn = (text: string) => [...new Set(text)].filter((character) => character !== "\n" && isSteering(character));

/** Invisible as well, or white space: may be shown as nothing or as a space. */
const OTHER = /[\p{Default_Ignorable_Code_Point}\s]/u;

/** The ends of each range, and some that have a name. */
const CHARACTERS = [
  ...STEERING.flatMap(([first, last]) => [first, last].map((number) => String.fromCodePoint(number))),
  ..."\x07\b\t\n\r\x1b\x85\x9b\x9d\u200e\u200f\u202e\u2066\u2069\u{e0041}",
];
/** Not in a name: SQLite has no texts with them. */
const NO_TEXT = /[\0\ud800-\udfff]/u;
const EVIL = CHARACTERS.filter((character) => !NO_TEXT.test(character)).join("");
const MARK = "mark";
/** What a runner of GitHub takes for a command, anywhere in a line or at its beginning. */
const NAME = `${MARK}${EVIL}@octocat https://evil.example www.evil.example #1 GH-2 |[x](y)\`z\`<b>$a$${MARK}`;
const FORMULA = `\x1b=cmd|' /C calc'!A0${EVIL}${MARK}`;

describe("every character", () => {
  test("that steers goes, on a line and in lines; every other one stays", () => {
    const wrong: string[] = [];
    for (let number = 0; number <= 0x10ffff; number += 1) {
      const character = String.fromCodePoint(number);
      const gone = isSteering(character);
      const shown = sanitizeLine(`a${character}b`);
      const fits = gone ? shown === "ab" || shown === "a b" : shown === `a${character}b` || OTHER.test(character);
      const lines = character === "\n" || !gone || rawIn(sanitizeLines(character)).length === 0;
      if (!fits || !lines) wrong.push(`U+${number.toString(16)}`);
    }
    expect(wrong).toEqual([]);
    expect(sanitizeLines("a\x1bb\r\nc\nd")).toBe("ab\nc\nd");
  });

  test("is in JSON as what it is, and never raw", () => {
    const words = fc.string({ unit: fc.oneof(fc.constantFrom(...CHARACTERS), fc.string({ unit: "binary" })) });
    const check = fc.property(
      fc.array(fc.tuple(words, words)),
      fc.constantFrom(undefined, 1, "\t"),
      (pairs, indent) => {
        const value = Object.fromEntries(pairs);
        for (const json of [
          toSanitizedJson(value),
          sanitizeJson(JSON.stringify(value, null, indent).replaceAll("\n", "\r\n")),
        ]) {
          expect(rawIn(json)).toEqual([]);
          expect(JSON.parse(json)).toEqual(value);
        }
      },
    );
    fc.assert(check, { seed: SEED, numRuns: 200 });
  });
});

/** Two nights; in the second a hero has the name, its story is the formula, and it has a field of that name. */
const folder = temporaryFolder();
/** The first of them alone. */
const clean = temporaryFolder();
const upstream = await startUpstream(2, undefined, (path, body) => (evil ? spoil(path, body) : body));
let evil = false;
let second: Ended;

function spoil(path: string, body: string) {
  const renamed = body.replaceAll('"Miya"', JSON.stringify(NAME));
  if (!/^\/api\/heroes\/1\?/.test(path)) return renamed;
  const field = `${JSON.stringify(`${MARK}${EVIL}`)}:${JSON.stringify(`${MARK}${CHARACTERS.join("")}`)}`;
  return renamed.replaceAll(/"story":"[^"]*"/g, `${field},"story":${JSON.stringify(FORMULA)}`);
}

const ENDPOINTS = "heroes,hero,rank,stats,trends,roles";
const crawl = (data: string, ...more: string[]) =>
  runCommand("crawl", [
    ...["--upstream", upstream.url, "--data", data, "--rate", "5000", "--concurrency", "8", "--fresh"],
    ...["--languages", "en,de", "--ranks", "all", "--days", "7", "--endpoints", ENDPOINTS, "--allow-partial", ...more],
  ]);

beforeAll(async () => {
  expect((await crawl(clean.path)).stderr).toBe("");
  cpSync(clean.path, folder.path, { recursive: true });
  evil = true;
  second = await crawl(folder.path, "--no-json");
  expect(second.stderr).toBe("");
});
afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  clean[Symbol.dispose]();
});

const latestFile = () => fileOf(folder.path);

/** A copy of the latest file after some SQL, in a folder of its own. */
function changed(sql: string) {
  const copy = temporaryFolder();
  const file = join(copy.path, basename(latestFile()));
  cpSync(latestFile(), file);
  editFile(file, sql);
  return { ...copy, file, [Symbol.dispose]: copy[Symbol.dispose] };
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Something of it was shown, and nothing that steers a terminal. */
function expectHarmless(text: string, shown = MARK) {
  expect(text).toContain(shown);
  expect(rawIn(text)).toEqual([]);
}

describe("a name that tries to steer", () => {
  test("is harmless in the tables of a crawl", () => expectHarmless(second.stdout));

  test("is exact in the lines of JSON of a crawl", async () => {
    const drifted = await crawl(clean.path, "--json");
    expectHarmless(drifted.stdout);
    expect(drifted.events.map(({ event }) => event)).toContain("published");
    expect(JSON.stringify(drifted.events.find(({ event }) => event === "drift"))).toContain(
      JSON.stringify(EVIL).slice(1, -1),
    );
  });

  test.for([
    [500, "--json"],
    [200, "--json"],
    [500, "--no-json"],
    [200, "--no-json"],
  ] as const)("is harmless in the line that a failed crawl ends with (status %d, %s)", async ([status, form]) => {
    await using server = await startServer((_, res) => {
      res.writeHead(status, { "content-type": `text/${MARK}##[group]\x85\x9b31m` });
      res.end(Buffer.from(`${MARK}${CHARACTERS.join("")}`));
    });
    using data = temporaryFolder();
    const args = ["--upstream", server.url, "--data", data.path, "--attempts", "1", "--rate", "5000", form];
    const { call } = await loadCommand("crawl");
    const { code, stderr, stdout } = await call(args);
    expect([3, 4]).toContain(code);
    expectHarmless(stderr);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    // People are told of a fault at the end.
    expectHarmless(stdout, form === "--json" ? MARK : "begin");
  });

  test("is harmless in the lines beside a bar", async () => {
    using place = temporaryFolder();
    const out = createWriteStream(join(place.path, "out"));
    createProgress(out as unknown as NodeJS.WriteStream, false, 8).log("odd", { name: NAME, all: CHARACTERS });
    await new Promise<void>((resolve) => out.end(resolve));
    expectHarmless(readFileSync(join(place.path, "out"), "utf8"));
  });

  test("is harmless in what verify prints", async () => {
    const { stdout, stderr } = await runCommand("verify", ["--data", folder.path]);
    expect(stderr).toBe("");
    expectHarmless(stdout);
  });

  test("is harmless in a diff for people, and exact in its JSON", async () => {
    const { stdout, code } = await runCommand("diff", ["--data", folder.path]);
    expect(code).toBe(0);
    expectHarmless(stdout);
    const json = await runCommand("diff", ["--data", folder.path, "--json"]);
    expectHarmless(json.stdout);
    expect(JSON.stringify(JSON.parse(json.stdout))).toContain(JSON.stringify(NAME).slice(1, -1));
  });

  test("makes no markup, no mention and no link in Markdown", async () => {
    const { stdout } = await runCommand("diff", ["--data", folder.path, "--markdown", "--top", "1000"]);
    expectHarmless(stdout);
    const lines = stdout.split("\n").filter((line) => line.includes("octocat"));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line).toContain(
        "@&#8203;octocat https:&#8203;//evil.example www&#8203;.evil.example \\#&#8203;1 GH-&#8203;2 \\|\\[x\\](y)\\`z\\`&lt;b&gt;\\$a\\$",
      );
      expect(line).not.toMatch(/@[a-z]|:\/\/|www\.|[^\\][[\]`]|<b/);
    }
  });

  test("is exact in an export, and nothing that a spreadsheet runs where one is told of", async () => {
    const stories = async (format: string, ...more: string[]) => {
      using out = temporaryFolder();
      const args = ["--data", folder.path, "--out", out.path, "--format", format, "--tables", "hero_text", ...more];
      const { code, stderr } = await runCommand("export", args);
      expect([code, stderr]).toEqual([0, ""]);
      return readFileSync(join(out.path, `hero_text.${format}`), "utf8");
    };
    expect(await stories("csv")).toContain(`,"${FORMULA}",`);
    const ndjson = await stories("ndjson");
    expectHarmless(ndjson);
    const rows = ndjson
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { story: string });
    expect(rows.map(({ story }) => story)).toContain(FORMULA);
    const sheet = await stories("csv", "--spreadsheet");
    // Beside its mark and the ends of its lines.
    expectHarmless(sheet.replace(/^\u{feff}/u, "").replaceAll(/(?<=[",\w])\r\n/g, "\n"));
    expect(sheet).toContain(`,"'=cmd|' /C calc'!A0`);
    const refused = await runCommand("export", ["--data", folder.path, "--out", folder.path, "--spreadsheet"]);
    expect(refused).toMatchObject({
      code: 64,
      stderr: "--spreadsheet is not for parquet; leave it out, or add --format csv\n",
    });
  });

  test.for([
    "=1",
    "+1",
    "-1",
    "@x",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\x1b=1",
    "\uff1d1",
    "\uff0b1",
    "\uff0d1",
    "\uff201",
    "\u200b=1",
  ])("%j begins no formula in a spreadsheet", async (text) => {
    using copy = changed(`UPDATE hero_text SET story = ${literal(text)} WHERE hero_id = 1`);
    const { exportSnapshot } = await import("../../src/extra/nights/export/export.ts");
    const options = { format: "csv", out: copy.path, tables: ["hero_text", "hero_rate"], partition: false } as const;
    exportSnapshot(copy.file, { ...options, spreadsheet: true });
    const sheet = readFileSync(join(copy.path, "hero_text.csv"), "utf8");
    expect(sheet).toMatch(/,"'\s*[=+\-@\uff1d\uff0b\uff0d\uff20](1|x)",/);
  });

  test("is harmless where a version is said", async () => {
    using copy = changed(`UPDATE snapshot SET version = ${literal(NAME)}`);
    await using served = await startServe(["--snapshot", copy.file]);
    const { stdout } = await served.stop();
    expectHarmless(stdout);
  });

  test("is harmless in the line of a pull and in the log of a follower", async () => {
    const named = `SET dataset = '${MARK}${EVIL}' WHERE dataset = 'roles'`;
    using made = changed(`PRAGMA foreign_keys = OFF; UPDATE coverage ${named}`);
    using other = temporaryFolder();
    cpSync(folder.path, other.path, { recursive: true });
    cpSync(made.file, join(other.path, "snapshots", basename(made.file)));
    await vouchForLatest(other.path);
    await using source = await startSource(other.path);
    using data = temporaryFolder();
    const pulled = await runCommand("pull", [source.url, "--data", data.path]);
    expect(pulled.code).toBe(64);
    expectHarmless(pulled.stderr);

    const [older = ""] = readdirSync(join(folder.path, "snapshots")).filter((name) => /Z-\w+\.json$/.test(name));
    using follower = temporaryFolder();
    for (const name of [older, older.replace("json", "sqlite")])
      cpSync(join(folder.path, "snapshots", name), join(follower.path, "snapshots", name));
    cpSync(join(folder.path, "snapshots", older), join(follower.path, "latest.json"));
    const { child, ended } = startCommand("serve", ["--data", follower.path, "--port", "0", "--follow", source.url]);
    child.stderr?.once("data", () => child.kill("SIGTERM"));
    const { stderr } = await ended;
    expectHarmless(stderr);
    expect(JSON.parse(stderr.split("\n")[0] ?? "")).toMatchObject({ event: "cannot-follow" });
  });

  test("is harmless in the log of a server and in /health", async () => {
    const { createLog } = await import("../../src/server/operate/log.ts");
    using place = temporaryFolder();
    const file = join(place.path, "log");
    const log = createLog("error", openSync(file, "w"));
    log.error?.("fault", { error: `${MARK}${CHARACTERS.join("")}` });
    await expect.poll(() => readFileSync(file, "utf8")).toContain("\n");
    const line = readFileSync(file, "utf8");
    expectHarmless(line);
    expect(JSON.parse(line)).toMatchObject({ error: `${MARK}${CHARACTERS.join("")}` });
    const active = createActiveSnapshot({ snapshot: openSnapshot(latestFile()) });
    active.setProblem(`${MARK}${EVIL}`);
    expectHarmless((await createAdminRoutes({ status: active }).health()).body);
    active.close();
  });

  test("is harmless and exact in one answer on a terminal", async () => {
    const { stdout } = await runCommand("serve", ["--data", folder.path, "--get", "/api/heroes/1?lang=de"]);
    expectHarmless(stdout);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(FORMULA).slice(1, -1));
  });
});

test("an error that nobody catches ends a command with one harmless account of it", async () => {
  const thrown = `throw new Error(${JSON.stringify(`${MARK}\n${CHARACTERS.join("")}`)})`;
  for (const how of [`setTimeout(() => { ${thrown} })`, `void (async () => { ${thrown} })()`]) {
    const code = `import { createMain, defineCommand, runMain } from "./scripts/cli/command.ts";
      const action = () => new Promise(() => { setInterval(() => {}, 1000); ${how}; });
      await runMain(createMain(() => defineCommand("keys"), action));`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    expect(await once(child, "close")).toEqual([1, null]);
    expectHarmless(stderr, "internal error, please report it: Error: mark");
  }
});

test("no command writes past the exits that are looked after", () => {
  const writers = ["scripts", "src"].flatMap((part) =>
    readdirSync(join(ROOT, part), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/^bench/.test(name))
      .filter((name) =>
        /\bconsole\.\w+\(|(process|io\(\))\.std(out|err)\.write/.test(readFileSync(join(ROOT, part, name), "utf8")),
      )
      .map((name) => `${part}/${name}`),
  );
  expect(writers.sort()).toEqual([
    // Of it nothing comes from outside.
    "scripts/bin/completion.ts",
    "scripts/cli/command.ts",
    "scripts/cli/print.ts",
    "scripts/cli/say.ts",
    "scripts/diff.ts",
    // JSON of what is installed, for `make sbom`.
    "scripts/docs/sbom.ts",
    // What the words of a language lack, for `make check`.
    "scripts/docs/words.ts",
    "scripts/serve.ts",
    // As a sample of code that it shows.
    "src/extra/pages/docs/samples.ts",
  ]);
});
