/** Which journal is built, which is taken up, and which one goes: by when they were finished, whatever the clock said. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readHeader } from "../../src/journal/file.ts";
import { manifestOf, pointerOf } from "../helpers/data-folder.ts";
import {
  eventsNamed,
  journalNumbers,
  journalPath,
  journalsOf,
  startJournals,
  startOldJournals,
} from "../helpers/own-journals.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";

const startOf = (data: string) => pointerOf(data).started_at.slice(0, 10);

describe("a build", () => {
  test("takes the journal that was finished last, also after the clock was set back, and goes back only on purpose", async () => {
    await using nights = await startJournals();
    const { data, build } = nights;
    for (const day of [5, 1]) expect((await nights.crawl(day)).code).toBe(0);
    expect(journalNumbers(data)).toEqual([2, 1]);
    expect(manifestOf(data).journal).toBe(2);
    const [second = "", first = ""] = journalsOf(data);
    expect([(await build()).code, startOf(data)]).toEqual([2, "2026-09-22"]);

    // The night is withdrawn.
    const { version } = pointerOf(data);
    expect((await runCommand("rollback", ["--data", data])).code).toBe(0);
    expect(await build()).toMatchObject({
      code: 64,
      stderr: `${journalPath(data, second)}: a rollback has withdrawn its night, ${version}; nothing was published; publish it anyway with --allow-older, or name another one with --journal\n`,
    });
    expect(startOf(data)).toBe("2026-09-26");
    expect([(await build("--allow-older")).code, startOf(data)]).toEqual([0, "2026-09-22"]);

    // The journal of the latest night is gone.
    rmSync(journalPath(data, second));
    expect(await build()).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(
        /: is journal 1, and the latest night, \S+, is of journal 2; nothing was published; [^\n]*\n$/,
      ),
    });
    expect(startOf(data)).toBe("2026-09-22");
    expect([(await build("--journal", journalPath(data, first))).code, startOf(data)]).toEqual([0, "2026-09-26"]);
  });

  test("at a mirror counts on from the night that was pulled", async () => {
    await using nights = await startJournals();
    using mirror = temporaryFolder();
    await using source = await startSource(nights.data);
    // What lies there before is older than what is pulled.
    for (const day of [0, 1, 2]) expect((await nights.crawl(day)).code).toBe(0);
    expect((await nights.crawl(0, ["--data", mirror.path])).code).toBe(0);
    const pulled = await runCommand("pull", [source.url, "--data", mirror.path]);
    expect([pulled.code, startOf(mirror.path)]).toEqual([0, "2026-09-23"]);
    expect(manifestOf(mirror.path).journal).toBe(3);
    const build = () => runCommand("build", ["--data", mirror.path, "--allow-partial"]);
    expect(await build()).toMatchObject({ code: 64, stderr: expect.stringContaining("is of journal 3") });
    expect((await nights.crawl(3, ["--data", mirror.path])).code).toBe(0);
    expect([manifestOf(mirror.path).journal, (await build()).code]).toEqual([4, 2]);
  });
});

describe("a finished journal whose build did not end", () => {
  test.for([
    ["a plain one", []],
    ["--reuse", ["--reuse"]],
    ["--budget", ["--budget", "300"]],
  ] as const)("is taken up by the same crawl of that day, which asks nothing: %s", async ([, mode]) => {
    await using nights = await startJournals(["--endpoints", "heroes,rank,stats"]);
    const { data } = nights;
    expect((await nights.crawl(0)).code).toBe(0);
    await nights.killInBuild(1, mode);
    const [, left = ""] = journalsOf(data);
    expect(readHeader(journalPath(data, left))).toMatchObject({ number: 2, finished_at: expect.any(String) });
    expect(startOf(data)).toBe("2026-09-21");

    const again = await nights.crawl(1, mode);
    expect([again.code, again.stderr, again.asked]).toEqual([0, "", []]);
    expect(eventsNamed(again, "taken-up")).toEqual([{ event: "taken-up", journal: journalPath(data, left) }]);
    expect(eventsNamed(again, "upstream")).toEqual([]);
    expect(startOf(data)).toBe("2026-09-22");
    expect(readHeader(journalPath(data, left)).built).toBe(0);

    const third = await nights.crawl(1, mode);
    expect(eventsNamed(third, "taken-up")).toEqual([]);
    expect(third.asked.length).toBeGreaterThan(2);
  });

  test("is named on another day and by another crawl, stays until a newer one is finished, and can be built", async () => {
    await using nights = await startJournals();
    const { data } = nights;
    await nights.killInBuild(0);
    const [left = ""] = journalsOf(data);
    const line = [{ event: "not-built", journal: journalPath(data, left), build: "npm run build" }];
    const other = await nights.crawl(0, ["--days", "7", "--plan"]);
    expect(other.code).toBe(0);
    const cut = await nights.crawl(1, ["--rate", "1", "--max-time", "1s"]);
    expect([cut.code, eventsNamed(cut, "not-built")]).toEqual([3, line]);
    expect(journalsOf(data)).toContain(left);
    expect([(await nights.build()).code, startOf(data)]).toEqual([0, "2026-09-21"]);
    const next = await nights.crawl(1);
    expect([next.code, eventsNamed(next, "removed")]).toEqual([0, []]);
    const last = await nights.crawl(2);
    expect(eventsNamed(last, "removed")).toEqual([
      { event: "removed", journal: journalPath(data, left), reason: "a newer one is finished" },
    ]);
    expect(journalNumbers(data)).toEqual([2, 3]);
  });

  test("is not taken up where a kill came after the publication, nor with another --without", async () => {
    await using nights = await startJournals(["--endpoints", "heroes,rank,stats"]);
    const { data } = nights;
    expect((await nights.crawl(0)).code).toBe(0);
    // As if it had been killed before the note.
    const [name = ""] = journalsOf(data);
    editFile(journalPath(data, name), "UPDATE header SET json = json_remove(json, '$.built')");
    const next = await nights.crawl(0);
    expect([next.code, eventsNamed(next, "taken-up"), eventsNamed(next, "not-built")]).toEqual([2, [], []]);
    await nights.killInBuild(1, ["--without", "stats"]);
    const whole = await nights.crawl(1);
    expect([whole.code, eventsNamed(whole, "taken-up")]).toEqual([0, []]);
    expect(whole.asked.filter((path) => path.includes("/stats")).length).toBeGreaterThan(0);
    expect(whole.asked.filter((path) => path.includes("/rank"))).toEqual([]);
  });
});

describe("journals of another version", () => {
  test("go with the damaged ones once one of this version is finished, each with a line", async () => {
    await using nights = await startOldJournals("2025");
    const { data, olds } = nights;
    const next = await nights.crawl(1);
    expect([next.code, eventsNamed(next, "removed").map(({ journal }) => journal)]).toEqual([
      0,
      olds.toReversed().map((old) => journalPath(data, old)),
    ]);
    expect(journalNumbers(data)).toEqual([1, 2]);
  });

  test("that are unfinished are in the way until --fresh drops them, and no build takes any", async () => {
    await using nights = await startOldJournals("2027");
    const { data, name, olds } = nights;
    const [finished = "", unfinished = "", damaged = ""] = olds;
    rmSync(journalPath(data, name));
    expect(await nights.build()).toMatchObject({
      code: 64,
      stderr: `${join(data, "journals")}: holds no finished journal of this version; run \`npm run crawl\` first, or name one with --journal\n`,
    });
    rmSync(journalPath(data, damaged));
    const refused = await nights.crawl(1);
    expect([refused.code, refused.asked]).toEqual([64, []]);
    expect(refused.stderr).toMatch(/\.journal: is a journal of version 3, this is \d+; .*--fresh`\n$/);
    const fresh = await nights.crawl(1, ["--fresh"]);
    expect([fresh.code, eventsNamed(fresh, "removed").map(({ journal }) => journal)]).toEqual([
      0,
      [journalPath(data, unfinished)],
    ]);
    expect(journalsOf(data)).toContain(finished);
    const next = await nights.crawl(2);
    expect(eventsNamed(next, "removed").map(({ journal }) => journal)).toEqual([journalPath(data, finished)]);
    expect(journalNumbers(data)).toEqual([2, 3]);
  });
});
