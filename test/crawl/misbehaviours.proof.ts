/** All that an upstream can do wrong, each in a process of its own, whose time and memory have bounds. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCourt } from "../helpers/misbehaviours/judge.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "../helpers/misbehaviours/table.ts";
import { runProcess, temporaryFolder } from "../helpers/run.ts";

/** Of a crawl that does not say so. A busy machine may take so many times as long: what hangs takes longer. */
const [SECONDS, MEGABYTES, SLOWEST] = [8, 330, 8];

const PEAK = join(import.meta.dirname, "..", "helpers", "misbehaviours", "peak.cjs");
const used = { seconds: 0, megabytes: 0 };

/** Crawls, and notes how long that took and how much memory. */
async function crawl(words: string[]) {
  using folder = temporaryFolder();
  const file = join(folder.path, "peak");
  const begun = performance.now();
  const ended = await runProcess("crawl", words, { NODE_OPTIONS: `--require=${PEAK}`, PEAK_FILE: file });
  used.seconds = (performance.now() - begun) / 1000;
  used.megabytes = existsSync(file) ? Number(readFileSync(file, "utf8")) / 1024 : Number.POSITIVE_INFINITY;
  return ended;
}

let court: Awaited<ReturnType<typeof startCourt>>;
beforeAll(async () => {
  court = await startCourt(crawl);
});
afterAll(() => court[Symbol.asyncDispose]());

test.for(Object.keys(MISBEHAVIOURS) as MisbehaviourName[])(
  "a crawl that meets it ends as it must: %s",
  async (name) => {
    const { does, seconds = SECONDS, megabytes = MEGABYTES, ...row } = MISBEHAVIOURS[name];
    expect(await court.judge(name, { does, ...row }), does).toEqual([]);
    expect(used.seconds, "seconds").toBeLessThan(SLOWEST * seconds);
    expect(used.megabytes, "mebibytes").toBeLessThanOrEqual(megabytes);
  },
);
