import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { startSample } from "../../src/sample/service/server.ts";
import { createKeyFiles, publicFileOf } from "../../src/snapshot/signature/key-files.ts";
import { publishDays, type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { blocksOf, commandsOf, PAGES, readPage } from "../helpers/pages.ts";
import { LITTLE, RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("a command on a page", () => {
  const folder = temporaryFolder();
  const [source, data] = [join(folder.path, "source"), join(folder.path, "data")];
  let sample: Awaited<ReturnType<typeof startSample>>;
  let mirror: RunningMirror;
  let versions: string[];

  const key = join(folder.path, "metasnap.key");

  beforeAll(async () => {
    createKeyFiles(key);
    versions = await publishDays(source, [0, 1], ...RATES, "--signing-key", key);
    cpSync(source, data, { recursive: true });
    mirror = await startFollowing(source);
    sample = await startSample({ heroes: 3, day: 2 });
  });
  afterAll(async () => {
    await sample.close();
    await mirror[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** What would take long, or touch what is not ours, is said in another way. */
  const [, languages = "", , ranks = "", , days = "", , endpoints = ""] = [...LITTLE, ...RATES];
  const environment: Record<string, Record<string, string>> = {
    crawl: {
      METASNAP_LANGUAGES: languages,
      METASNAP_RANKS: ranks,
      METASNAP_DAYS: days,
      METASNAP_ENDPOINTS: endpoints,
      METASNAP_RATE: "5000",
    },
    keys: { METASNAP_OUT: join(folder.path, "other.key") },
  };
  const place = (word: string) =>
    ({
      "https://upstream.example": sample.url,
      "https://mirror.example": mirror.url,
      URL: mirror.url,
      "https://github.com/OWNER/REPOSITORY/releases/latest/download/latest.json": `${mirror.url}/snapshots/latest.json`,
      "/srv/www/metasnap": join(folder.path, "place"),
      // A remote of rclone would have to be configured.
      "mirror:bucket/metasnap": join(folder.path, "place"),
      "metasnap.key": key,
      "metasnap.pub": publicFileOf(key),
      A: versions[0],
      B: versions[1],
      export: join(folder.path, "export"),
      3000: "0",
    })[word] ?? word;

  test.for([...new Set(PAGES.flatMap(commandsOf))])("%s", async (line) => {
    const [program = "", ...rest] = line.split(/ +/);
    if (program === "make") return void execFileSync("make", ["--dry-run", ...rest], { cwd: ROOT });
    expect(program).toBe("metasnap");
    const [name = "", ...args] = rest;
    const env = { METASNAP_DATA: data, METASNAP_ALLOW_PARTIAL: "1", METASNAP_PORT: "0", ...environment[name] };
    if (name === "serve" || name === "sample") {
      const { child, ended } = startCommand(name, args.map(place), env);
      expect(String(await once(child.stdout as NodeJS.ReadableStream, "data"))).toMatch(
        /^(serving|sample) \S+ on http/,
      );
      child.kill("SIGTERM");
      return expect(await ended).toMatchObject({ code: 0 });
    }
    const { code, stderr } = await runCommand(name, args.map(place), env);
    expect([0, 2], stderr).toContain(code);
  });
});

test("`make demo` shows what the mirror answers, until it is told to stop", async () => {
  using folder = temporaryFolder();
  // Of the sample the first three heroes, of them the crawl asks for number 3.
  const few = { METASNAP_HEROES: "3", METASNAP_LANGUAGES: "en,ja", METASNAP_RANKS: "all", METASNAP_ALLOW_PARTIAL: "1" };
  const demo = async (until: RegExp) => {
    const { child, ended } = startCommand("demo", [], { METASNAP_DATA: folder.path, ...few });
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
  const crawls = () => readdirSync(join(folder.path, "journals")).filter((name) => name.endsWith(".journal"));
  const begun = crawls();
  const whole = await demo(/^serving on http:\S+, stop with Ctrl-C$/m);
  expect([whole.code, whole.stderr, crawls()]).toEqual([0, "", begun]);
  expect(whole.stdout.indexOf("to look at in a browser: http://")).toBeLessThan(whole.stdout.indexOf("$ curl"));
  expect(whole.stdout).toMatch(/^to look at in a browser: http:\S+\/$/m);
  expect(whole.stdout.match(/^\$ curl -s '.*'\n\{/gm)).toHaveLength(5);
  const again = await demo(/^serving on http:\S+, stop with Ctrl-C$/m);
  expect([again.code, crawls()]).toEqual([0, begun]);
  expect(again.stdout).toMatch(/ has the sample from an earlier demo, \S+: serving that; --fresh crawls it anew\n/);
  expect(again.stdout).not.toMatch(/^upstream host/m);
});

test("`make clean` leaves journals and snapshots where they are", () => {
  const line = execFileSync("make", ["-n", "--no-print-directory", "clean"], { cwd: ROOT, encoding: "utf8" });
  expect(line).toBe("git clean -fdX .vitest .demo .assets ':(glob)metasnap-*'\n");
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
  const helps = blocksOf("scripts/README.md", "");

  test("belongs to a command that there is", () => {
    expect(named.length).toBeGreaterThan(20);
    for (const { name, options } of named) {
      expect<string[]>(COMMANDS).toContain(name);
      const help = helps.find((text) => text.startsWith(`Usage: npm run ${name} -- `)) ?? "";
      for (const option of options) expect(help).toContain(option);
    }
  });
});
