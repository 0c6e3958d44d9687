import { cpSync } from "node:fs";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { beginDay, fileOf } from "./data-folder.ts";
import { crawlOptions, type Ended, runCommand, startCommand, temporaryFolder } from "./run.ts";
import { queryFile } from "./sqlite.ts";
import { type Intercept, type Rewrite, startUpstream } from "./upstream/upstream.ts";

export const ONE_HOUR = 3600;
export const ONE_DAY = 24 * ONE_HOUR;
const EVENING = Date.parse("2026-09-21T20:00:00Z") / 1000;

/** The moment so many seconds after the evening of the first night. */
export const momentOf = (seconds: number) => new Date((EVENING + seconds) * 1000).toISOString();

/** Seconds from that evening until now, and so many days more. */
export const fromNow = (days: number) => Date.now() / 1000 - EVENING + days * ONE_DAY;

/**
 * An upstream of a few heroes that can be changed from night to night, and a folder of its nights, which begins as a copy of another
 * one. All crawls have these words.
 */
export async function startNights(
  heroes: number,
  words: readonly string[],
  { from, now }: { from?: string; now?: () => number | undefined } = {},
) {
  const folder = temporaryFolder();
  if (from) cpSync(from, folder.path, { recursive: true });
  let [intercept, rewrite]: [Intercept, Rewrite] = [() => false, (_, body) => body];
  const upstream = await startUpstream(
    heroes,
    (req, res) => intercept(req, res),
    (path, body) => rewrite(path, body),
    now && { now },
  );
  const wordsOf = (more: readonly string[]) => [
    ...crawlOptions(upstream.url, folder.path),
    ...["--allow-partial", "--json"],
    ...words,
    ...more,
  ];
  /** The environment of a crawl at that time; at the real one where none is given. */
  function clock(seconds: number | undefined): Record<string, string> {
    const epoch = String(Math.floor(EVENING + (seconds ?? fromNow(0))));
    beginDay(folder.path, epoch);
    return seconds === undefined ? {} : { SOURCE_DATE_EPOCH: epoch };
  }

  return {
    data: folder.path,
    upstream,
    change(next: { intercept?: Intercept; rewrite?: Rewrite }) {
      intercept = next.intercept ?? intercept;
      rewrite = next.rewrite ?? rewrite;
    },
    /** A crawl that begins so many seconds after the first evening, or now. What it asked is in `asked`. */
    async crawl(seconds: number | undefined, more: readonly string[] = []): Promise<Ended & { asked: string[] }> {
      upstream.asked.length = 0;
      const ended = await runCommand("crawl", wordsOf(more), clock(seconds));
      return { ...ended, asked: [...upstream.asked] };
    },
    /** The same as a process. */
    start(seconds: number | undefined, more: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
      upstream.asked.length = 0;
      return startCommand("crawl", wordsOf(more), { ...(seconds !== undefined && clock(seconds)), ...env });
    },
    coverage: () => queryFile<Coverage>(fileOf(folder.path), "SELECT * FROM coverage"),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
