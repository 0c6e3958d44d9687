/** Which journal is built, which is taken up, and which one goes: by when they were finished, whatever the clock said. */
import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHeader } from "../../src/journal/file.ts";
import { manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { crawlOptions, type Ended, RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const START = Date.parse("2026-09-21T03:00:00Z") / 1000;
const DAY = 86_400;
const KILLER = join(import.meta.dirname, "..", "helpers", "killed", "at-event.ts");

/** An upstream whose numbers are others on each day, and a folder of its nights. */
async function startNights(endpoints: readonly string[] = RATES) {
  const folder = temporaryFolder();
  const upstream = await startUpstream(3);
  const words = [...crawlOptions(upstream.url, folder.path), "--languages", "en,ja", "--ranks", "all,glory"];
  const wordsOf = (data: string, more: readonly string[]) => [
    ...words,
    "--data",
    data,
    ...endpoints,
    "--allow-partial",
    ...more,
  ];
  const clock = (day: number) => ({ SOURCE_DATE_EPOCH: String(START + day * DAY) });
  return {
    data: folder.path,
    upstream,
    async crawl(day: number, more: readonly string[] = [], data = folder.path): Promise<Ended & { asked: string[] }> {
      upstream.asked.length = 0;
      upstream.sample.set({ day });
      const ended = await runCommand("crawl", wordsOf(data, more), clock(day));
      return { ...ended, asked: [...upstream.asked] };
    },
    async killInBuild(day: number, more: readonly string[] = []) {
      upstream.sample.set({ day });
      const env = { ...clock(day), NODE_OPTIONS: `--import=${KILLER}`, KILL_AT: "verifying" };
      const { signal, stderr } = await startCommand("crawl", wordsOf(folder.path, more), env).ended;
      expect([signal, stderr]).toEqual(["SIGKILL", ""]);
    },
    build: (...more: string[]) => runCommand("build", ["--data", folder.path, "--allow-partial", ...more]),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const journalsOf = (data: string) => readdirSync(join(data, "journals")).sort();
const pathOf = (data: string, name = "") => join(data, "journals", name);
const numbersOf = (data: string) => journalsOf(data).map((name) => readHeader(pathOf(data, name)).number);
const startOf = (data: string) => pointerOf(data).started_at.slice(0, 10);
const eventsOf = ({ events }: Ended, name: string) => events.filter(({ event }) => event === name);

describe("a build", () => {
  test("takes the journal that was finished last, also after the clock was set back, and goes back only on purpose", async () => {
    await using nights = await startNights();
    const { data, build } = nights;
    for (const day of [5, 1]) expect((await nights.crawl(day)).code).toBe(0);
    expect(numbersOf(data)).toEqual([2, 1]);
    expect(manifestOf(data).journal).toBe(2);
    const [second = "", first = ""] = journalsOf(data);
    expect([(await build()).code, startOf(data)]).toEqual([2, "2026-09-22"]);

    // The night is withdrawn.
    const { version } = pointerOf(data);
    expect((await runCommand("rollback", ["--data", data])).code).toBe(0);
    expect(await build()).toMatchObject({
      code: 64,
      stderr: `${pathOf(data, second)}: a rollback has withdrawn its night, ${version}; nothing was published; publish it all the same with --allow-older, or name another one with --journal\n`,
    });
    expect(startOf(data)).toBe("2026-09-26");
    expect([(await build("--allow-older")).code, startOf(data)]).toEqual([0, "2026-09-22"]);

    // The journal of the latest night is gone.
    rmSync(pathOf(data, second));
    expect(await build()).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(
        /: is journal 1, and the latest night, \S+, is of journal 2; nothing was published; [^\n]*\n$/,
      ),
    });
    expect(startOf(data)).toBe("2026-09-22");
    expect([(await build("--journal", pathOf(data, first))).code, startOf(data)]).toEqual([0, "2026-09-26"]);
  });

  test("at a mirror counts on from the night that was pulled", async () => {
    await using nights = await startNights();
    using mirror = temporaryFolder();
    await using source = await startSource(nights.data);
    // What lies there before is older than what is pulled.
    for (const day of [0, 1, 2]) expect((await nights.crawl(day)).code).toBe(0);
    expect((await nights.crawl(0, [], mirror.path)).code).toBe(0);
    const pulled = await runCommand("pull", [source.url, "--data", mirror.path, "--allow-partial"]);
    expect([pulled.code, startOf(mirror.path)]).toEqual([0, "2026-09-23"]);
    expect(manifestOf(mirror.path).journal).toBe(3);
    const build = () => runCommand("build", ["--data", mirror.path, "--allow-partial"]);
    expect(await build()).toMatchObject({ code: 64, stderr: expect.stringContaining("is of journal 3") });
    expect((await nights.crawl(3, [], mirror.path)).code).toBe(0);
    expect([manifestOf(mirror.path).journal, (await build()).code]).toEqual([4, 2]);
  });
});

describe("a finished journal whose build did not end", () => {
  test.for([
    ["plain", []],
    ["--reuse", ["--reuse"]],
    ["--budget", ["--budget", "300"]],
  ] as const)("is taken up by the same crawl of that day, which asks nothing: %s", async ([, mode]) => {
    await using nights = await startNights(["--endpoints", "heroes,rank,stats"]);
    const { data } = nights;
    expect((await nights.crawl(0)).code).toBe(0);
    await nights.killInBuild(1, mode);
    const [, left = ""] = journalsOf(data);
    expect(readHeader(pathOf(data, left))).toMatchObject({ number: 2, finished_at: expect.any(String) });
    expect(startOf(data)).toBe("2026-09-21");

    const again = await nights.crawl(1, mode);
    expect([again.code, again.stderr, again.asked]).toEqual([0, "", []]);
    expect(eventsOf(again, "taken-up")).toEqual([{ event: "taken-up", journal: pathOf(data, left) }]);
    expect(eventsOf(again, "upstream")).toEqual([]);
    expect(startOf(data)).toBe("2026-09-22");
    expect(readHeader(pathOf(data, left)).built).toBe(0);

    const third = await nights.crawl(1, mode);
    expect(eventsOf(third, "taken-up")).toEqual([]);
    expect(third.asked.length).toBeGreaterThan(2);
  });

  test("is named on another day and by another crawl, stays until a newer one is finished, and can be built", async () => {
    await using nights = await startNights();
    const { data } = nights;
    await nights.killInBuild(0);
    const [left = ""] = journalsOf(data);
    const line = [{ event: "not-built", journal: pathOf(data, left), build: "npm run build" }];
    const other = await nights.crawl(0, ["--days", "7", "--plan"]);
    expect(other.code).toBe(0);
    const cut = await nights.crawl(1, ["--rate", "1", "--max-time", "1s"]);
    expect([cut.code, eventsOf(cut, "not-built")]).toEqual([3, line]);
    expect(journalsOf(data)).toContain(left);
    expect([(await nights.build()).code, startOf(data)]).toEqual([0, "2026-09-21"]);
    const next = await nights.crawl(1);
    expect([next.code, eventsOf(next, "removed")]).toEqual([0, []]);
    const last = await nights.crawl(2);
    expect(eventsOf(last, "removed")).toEqual([
      { event: "removed", journal: pathOf(data, left), reason: "a newer one is finished" },
    ]);
    expect(numbersOf(data)).toEqual([2, 3]);
  });

  test("is not taken up where a kill came after the publication, nor with another --without", async () => {
    await using nights = await startNights(["--endpoints", "heroes,rank,stats"]);
    const { data } = nights;
    expect((await nights.crawl(0)).code).toBe(0);
    // As if it had been killed before the note.
    const [name = ""] = journalsOf(data);
    editFile(pathOf(data, name), "UPDATE header SET json = json_remove(json, '$.built')");
    const next = await nights.crawl(0);
    expect([next.code, eventsOf(next, "taken-up"), eventsOf(next, "not-built")]).toEqual([2, [], []]);
    await nights.killInBuild(1, ["--without", "stats"]);
    const whole = await nights.crawl(1);
    expect([whole.code, eventsOf(whole, "taken-up")]).toEqual([0, []]);
    expect(whole.asked.filter((path) => path.includes("/stats")).length).toBeGreaterThan(0);
    expect(whole.asked.filter((path) => path.includes("/rank"))).toEqual([]);
  });
});

describe("journals of another version", () => {
  const isOther = "PRAGMA user_version = 3";
  const isUnfinished = "UPDATE header SET json = json_set(json, '$.finished_at', json('null'))";
  const isDamaged = "UPDATE header SET json = '{'";

  /** A folder with a finished one, one that is not, and a damaged one; `years` are those of their names. */
  async function startOld(years: string) {
    const nights = await startNights();
    expect((await nights.crawl(0)).code).toBe(0);
    const [name = ""] = journalsOf(nights.data);
    const olds = [[isOther], [isOther, isUnfinished], [isDamaged]].map((changes, at) => {
      const old = `${years}010${at + 1}T030000Z-001.journal`;
      copyFileSync(pathOf(nights.data, name), pathOf(nights.data, old));
      for (const change of changes) editFile(pathOf(nights.data, old), change);
      return old;
    });
    return { ...nights, name, olds };
  }

  test("go with the damaged ones once one of this version is finished, each with a line", async () => {
    await using nights = await startOld("2025");
    const { data, olds } = nights;
    const next = await nights.crawl(1);
    expect([next.code, eventsOf(next, "removed").map(({ journal }) => journal)]).toEqual([
      0,
      olds.toReversed().map((old) => pathOf(data, old)),
    ]);
    expect(numbersOf(data)).toEqual([1, 2]);
  });

  test("that are unfinished are in the way until --fresh drops them, and no build takes any", async () => {
    await using nights = await startOld("2027");
    const { data, name, olds } = nights;
    const [finished = "", unfinished = "", damaged = ""] = olds;
    rmSync(pathOf(data, name));
    expect(await nights.build()).toMatchObject({
      code: 64,
      stderr: `${join(data, "journals")}: holds no finished journal of this version; run \`npm run crawl\` first, or name one with --journal\n`,
    });
    rmSync(pathOf(data, damaged));
    const refused = await nights.crawl(1);
    expect([refused.code, refused.asked]).toEqual([64, []]);
    expect(refused.stderr).toMatch(/\.journal: is a journal of version 3, this is \d+; .*--fresh`\n$/);
    const fresh = await nights.crawl(1, ["--fresh"]);
    expect([fresh.code, eventsOf(fresh, "removed").map(({ journal }) => journal)]).toEqual([
      0,
      [pathOf(data, unfinished)],
    ]);
    expect(journalsOf(data)).toContain(finished);
    const next = await nights.crawl(2);
    expect(eventsOf(next, "removed").map(({ journal }) => journal)).toEqual([pathOf(data, finished)]);
    expect(numbersOf(data)).toEqual([2, 3]);
  });
});
