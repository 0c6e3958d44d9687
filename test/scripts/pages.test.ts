import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { startSample } from "../../src/sample/service/server.ts";
import type { Trouble } from "../../src/sample/troubles/troubles.ts";
import { createKeyFiles, publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { publishDaysOf, type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { blocksOf, COMMAND_PAGES, commandsOf, PAGES, readPage, sessionsOf, toPattern } from "../helpers/pages.ts";
import { LITTLE, RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { ofDatasets } from "../helpers/sample-nights.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("on a page", () => {
  const HEROES = 133;
  const folder = temporaryFolder();
  const [source, data, keys] = ["source", "data", "keys"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const key = join(folder.path, "metasnap.key");
  let [sample, closed]: Awaited<ReturnType<typeof startSample>>[] = [];
  let mirror: RunningMirror;
  let versions: string[];

  beforeAll(async () => {
    createKeyFiles(key);
    mkdirSync(keys);
    versions = await publishDaysOf(HEROES, source, [0, 1], ...RATES, "--signing-key", key);
    mirror = await startFollowing(source);
    sample = await startSample({ heroes: HEROES, day: 2 });
    const troubles: Trouble[] = [{ of: ofDatasets("ratings", "rating"), form: "code" }];
    closed = await startSample({ heroes: HEROES, day: 2, troubles });
    process.env.METASNAP_BIN = "1";
  });
  afterAll(async () => {
    delete process.env.METASNAP_BIN;
    await sample?.close();
    await closed?.close();
    await mirror[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  /** Each page begins with the two nights. */
  const layData = () => {
    for (const name of ["data", "place", "export", "sheets", "site"])
      rmSync(join(folder.path, name), { recursive: true, force: true });
    cpSync(source, data, { recursive: true });
  };

  /** What stands on pages, and what it is here. */
  const places = (): Record<string, string> => ({
    "https://upstream.example": sample?.url ?? "",
    "https://closed.example": closed?.url ?? "",
    "https://mirror.example": mirror.url,
    URL: mirror.url,
    "https://github.com/OWNER/REPOSITORY/releases/latest/download/latest.json": `${mirror.url}/snapshots/latest.json`,
    "/srv/www/metasnap": join(folder.path, "place"),
    "/srv/www/site": join(folder.path, "site"),
    // A remote of rclone would have to be configured.
    "mirror:bucket/metasnap": join(folder.path, "place"),
    "metasnap.key": key,
    "metasnap.pub": publicFileOf(key),
    "/etc/metasnap/night.key": join(keys, "night.key"),
    VERSION: versions[0] ?? "",
    A: versions[0] ?? "",
    B: versions[1] ?? "",
    export: join(folder.path, "export"),
    sheets: join(folder.path, "sheets"),
    site: join(folder.path, "site"),
    3000: "0",
    8787: "0",
  });
  const place = (word: string) => places()[word] ?? word.replace("/var/lib/metasnap", data);
  /** What is printed here, as a page shows it. */
  function show(text: string) {
    const folders: [here: string, shown: string][] = [
      [data, "/var/lib/metasnap"],
      [keys, "/etc/metasnap"],
      [join(folder.path, "place"), "/srv/www/metasnap"],
      ...["https://upstream.example", "https://closed.example"].map((url): [string, string] => [place(url), url]),
    ];
    return folders.reduce((done, [here, shown]) => done.replaceAll(here, shown), text);
  }

  /** What would take long is asked in part; a plan and a part are as they stand. */
  function environmentOf(name: string, args: string[]): Record<string, string> {
    const env = { METASNAP_DATA: data, METASNAP_PORT: "0" };
    if (name === "keys" && !args.includes("--out")) return { METASNAP_OUT: join(folder.path, "other.key") };
    if (name !== "crawl") return { ...env, METASNAP_ALLOW_PARTIAL: "1" };
    if (args.includes("--plan") || args.includes("--languages")) return env;
    const [, languages = "", , ranks = "", , days = "", , endpoints = ""] = [...LITTLE, ...RATES];
    return {
      ...env,
      METASNAP_LANGUAGES: languages,
      METASNAP_RANKS: ranks,
      METASNAP_DAYS: days,
      METASNAP_ENDPOINTS: args.includes("https://closed.example") ? "heroes,rank,ratings,rating" : endpoints,
      METASNAP_RATE: "5000",
      METASNAP_ALLOW_PARTIAL: "1",
    };
  }

  async function run(name: string, args: string[], given: Record<string, string> = {}) {
    const env = { ...environmentOf(name, args), ...given };
    const isServer = ["serve", "sample"].includes(name) && !args.includes("--get") && !args.includes("--help");
    if (!isServer) return runCommand(name, args.map(place), env);
    const { child, ended } = startCommand(name, args.map(place), env);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    child.kill("SIGTERM");
    return ended;
  }

  describe("a command", () => {
    beforeAll(layData);

    test.for([...new Set(PAGES.flatMap(commandsOf))])("%s", async (line) => {
      const [program = "", ...rest] = line.split(/ +/);
      if (program === "make") return void execFileSync("make", ["--dry-run", ...rest], { cwd: ROOT });
      expect(program).toBe("metasnap");
      const [name = "", ...args] = rest;
      const { code, stdout, stderr } = await run(name, args);
      expect([0, 2], stderr).toContain(code);
      if (name === "serve" || name === "sample") expect(stdout).toMatch(/^(serving|sample) \S+ on http/);
    });
  });

  test.for(COMMAND_PAGES.filter((page) => page !== "scripts/demo.md"))(
    "a session ends as it is shown (%s)",
    async (page) => {
      layData();
      // A pull begins without nights of its own.
      if (page === "scripts/pull.md") rmSync(data, { recursive: true });
      for (const { line, shown, code } of sessionsOf(page)) {
        const [, settings = "", name = "", rest = ""] = /^((?:\w+=\S+ )*)metasnap (\S+) ?(.*)$/.exec(line) ?? [];
        const args = (rest.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
        const given = Object.fromEntries(
          [...settings.matchAll(/(\w+)=(\S+)/g)].map(([, variable = "", value = ""]) => [variable, value]),
        );
        const ended = await run(name, args, given);
        const said = show(ended.stderr + ended.stdout);
        expect([line, ended.code, said]).toEqual([line, code, expect.stringMatching(toPattern(shown))]);
      }
    },
  );
});

test("`make demo` shows what the mirror answers, until it is told to stop", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, ".demo");
  // Of the sample the first three heroes, of them the crawl asks for number 3.
  const few = { METASNAP_HEROES: "3", METASNAP_LANGUAGES: "en,ja", METASNAP_RANKS: "all", METASNAP_ALLOW_PARTIAL: "1" };
  const demo = async (until: RegExp) => {
    const { child, ended } = startCommand("demo", [], { METASNAP_DATA: data, ...few });
    let shown = "";
    let isTold = false;
    child.stdout?.on("data", (part) => {
      shown += part;
      if (isTold || !until.test(shown)) return;
      // A second one would end it at once.
      isTold = child.kill("SIGINT");
    });
    return await ended;
  };
  const cut = await demo(/^upstream host/m);
  expect([cut.code, cut.stderr]).toEqual([130, expect.stringMatching(/run the same command again to continue\n$/)]);
  const crawls = () => readdirSync(join(data, "journals")).filter((name) => name.endsWith(".journal"));
  const begun = crawls();
  const whole = await demo(/^serving on http:\S+, stop with Ctrl-C$/m);
  expect([whole.code, whole.stderr, crawls()]).toEqual([0, "", begun]);
  expect(whole.stdout.indexOf("to look at in a browser: http://")).toBeLessThan(whole.stdout.indexOf("$ curl"));
  const [shown = ""] = blocksOf("scripts/demo.md", "console").map((block) => block.replace("$ metasnap demo\n", ""));
  expect(whole.stdout.replaceAll(data, ".demo")).toMatch(toPattern(shown));
  expect(whole.stdout.match(/^\$ curl -s '.*'\n\{/gm)).toHaveLength(5);
  const again = await demo(/^serving on http:\S+, stop with Ctrl-C$/m);
  expect([again.code, crawls()]).toEqual([0, begun]);
  expect(again.stdout).toMatch(/ has the sample from an earlier demo, \S+: serving that; --fresh crawls it anew\n/);
  expect(again.stdout).not.toMatch(/^upstream host/m);

  const [, next = ""] = whole.stdout.split("now try, in another terminal:\n");
  const steps = [...next.matchAll(/^npm run (?:--silent )?(\S+) -- (.*)$/gm)];
  expect(steps.map(([line]) => line)).toEqual(next.trimEnd().split("\n"));
  const ended = [];
  for (const [, name = "", rest = ""] of steps)
    ended.push(await runCommand(name, rest.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", "")) ?? []));
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([0, 0, 0].map((code) => [code, ""]));
  expect(ended[1]?.stdout).toMatch(/^\{"code":0,"message":"OK","data":\{"records":\[\{/);
  expect(readdirSync(join(data, "export"))).toEqual(expect.arrayContaining(["hero.parquet", "tier_list.parquet"]));
});

test("`make demo` takes a port, and a wrong one is told of in one line", () => {
  // What it would install is there.
  const make = (...words: string[]) =>
    spawnSync("make", ["--no-print-directory", "-o", "install", "demo", ...words], { cwd: ROOT, encoding: "utf8" });
  for (const port of ["99999", "80 81", "$$(id)'\"x"]) {
    const { stdout, stderr } = make(`PORT=${port}`);
    const [line = ""] = stderr.split("\n");
    expect([stdout, line]).toEqual([
      "",
      `option '--port <n>' argument '${port.replace("$$", "$")}' is invalid. It must be a whole number from 1 to 65000.`,
    ]);
  }
  expect(make("--dry-run").stdout.trim()).toBe("npm run --silent demo --");
});

test("`make clean` leaves journals and snapshots where they are", () => {
  const line = execFileSync("make", ["-n", "--no-print-directory", "clean"], { cwd: ROOT, encoding: "utf8" });
  expect(line).toBe("git clean -fdX .vitest .demo .assets .package ':(glob)metasnap-*'\n");
});

describe("an option on a page", () => {
  const named = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/(?:npm run (?:--silent )?|`metasnap )([a-z][\w-]*)((?: --)? [^`\n]*)?/g)].map(
      ([, name = "", rest = ""]) => ({
        name,
        options: [...rest.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, option = ""]) => option),
      }),
    ),
  );
  const helps = COMMAND_PAGES.flatMap((page) => blocksOf(page, ""));

  test("belongs to a command that there is", () => {
    expect(named.length).toBeGreaterThan(20);
    for (const { name, options } of named) {
      expect<string[]>(COMMANDS).toContain(name);
      const help = helps.find((text) => text.startsWith(`Usage: npm run ${name} -- `)) ?? "";
      for (const option of options) expect(help).toContain(option);
    }
  });
});
