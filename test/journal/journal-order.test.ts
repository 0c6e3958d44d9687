/** Which journal is built, which is taken up, and which one goes: by when they were finished, whatever the clock said. */
import { rmSync } from "node:fs";
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
import { runCommand } from "../helpers/run.ts";

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
});

describe("a finished journal whose build did not end", () => {
  test("is taken up by the same crawl of that day, which asks nothing", async () => {
    await using nights = await startJournals(["--endpoints", "heroes,rank,stats"]);
    const { data } = nights;
    expect((await nights.crawl(0)).code).toBe(0);
    await nights.killInBuild(1);
    const [, left = ""] = journalsOf(data);
    expect(readHeader(journalPath(data, left))).toMatchObject({ number: 2, finished_at: expect.any(String) });
    expect(startOf(data)).toBe("2026-09-21");

    const again = await nights.crawl(1);
    expect([again.code, again.stderr, again.asked]).toEqual([0, "", []]);
    expect(eventsNamed(again, "taken-up")).toEqual([{ event: "taken-up", journal: journalPath(data, left) }]);
    expect(eventsNamed(again, "upstream")).toEqual([]);
    expect(startOf(data)).toBe("2026-09-22");
    expect(readHeader(journalPath(data, left)).built).toBe(0);

    const third = await nights.crawl(1);
    expect(eventsNamed(third, "taken-up")).toEqual([]);
    expect(third.asked.length).toBeGreaterThan(2);
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
});
