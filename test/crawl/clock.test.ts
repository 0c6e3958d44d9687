import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { judgeClock } from "../../src/crawl/clock.ts";
import { startNights } from "../helpers/own-nights.ts";
import type { Ended } from "../helpers/run.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SOME = [
  ...["--languages", "en,ja", "--ranks", "all", "--days", "7"],
  ...["--endpoints", "heroes,rank,hero,stats,counters"],
];
const ISO = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

/** How far the upstream's clock is off. */
let isOff = 0;
const now = () => Date.now() + isOff;

const said = ({ code, stderr }: Ended) => [code, stderr];

describe("the clock is believed", () => {
  const NOW = Date.UTC(2026, 10, 24, 3);
  test.for<[string, number | undefined, number | undefined, ReturnType<typeof judgeClock>]>([
    ["if the upstream says the same", 11 * HOUR, undefined, "agreed"],
    ["if the upstream says the same, and the folder is ahead", -11 * HOUR, 400 * DAY, "agreed"],
    ["if only the folder says the same", 13 * HOUR, -2 * DAY, "upstream-differs"],
    ["if nobody says otherwise", undefined, -90 * DAY, "alone"],
    ["not if the folder is too old to tell", 13 * HOUR, -4 * DAY, "doubted"],
    ["not if both say otherwise", -400 * DAY, 1000, "doubted"],
    ["not if the upstream says otherwise of an empty folder", -13 * HOUR, undefined, "doubted"],
    ["not if the folder is ahead, and the upstream says nothing", undefined, 1000, "doubted"],
  ])("%s", ([, upstreamOff, folderOff, verdict]) => {
    const at = (off: number | undefined) => (off === undefined ? undefined : NOW + off);
    expect(judgeClock({ clock: NOW, upstream: at(upstreamOff), folder: at(folderOff) })).toBe(verdict);
  });
});

describe("a crawl by a clock that is not believed", () => {
  test("asks nothing, leaves nothing, and ends with one line of three times", async () => {
    await using nights = await startNights(3, SOME, { now });
    isOff = -400 * DAY;
    const first = await nights.crawl(undefined, ["--budget", "34"]);
    expect(said(first)).toEqual([
      64,
      expect.stringMatching(
        new RegExp(
          `^the clock here says ${ISO}, ${nights.upstream.url} says ${ISO}, and the newest in \\S+ is of no time: [^\n]*\n$`,
        ),
      ),
    ]);
    const journals = join(nights.data, "journals");
    expect([first.asked, existsSync(journals) ? readdirSync(journals) : []]).toEqual([[], []]);
    // A clock that agrees with the folder is believed.
    isOff = 0;
    expect(said(await nights.crawl(undefined))).toEqual([0, ""]);
    isOff = -400 * DAY;
    const next = await nights.crawl(undefined);
    expect([next.code, next.events.find(({ event }) => event === "clock-differs")]).toMatchObject([
      2,
      { host: nights.upstream.url },
    ]);
  });
});
