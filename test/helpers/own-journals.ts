import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readHeader } from "../../src/journal/file.ts";
import { ONE_DAY, startNights } from "./own-nights.ts";
import { type Ended, RATES, runCommand } from "./run.ts";
import { editFile } from "./sqlite.ts";
import { signalledAt } from "./stopped.ts";

/** An upstream whose numbers are others on each day, and a folder of its nights with their journals. */
export async function startJournals(endpoints: readonly string[] = RATES) {
  const nights = await startNights(3, ["--languages", "en,ja", "--ranks", "all,glory", ...endpoints]);
  return {
    ...nights,
    crawl(day: number, more: readonly string[] = []) {
      nights.upstream.sample.set({ day });
      return nights.crawl(day * ONE_DAY, more);
    },
    async killInBuild(day: number, more: readonly string[] = []) {
      nights.upstream.sample.set({ day });
      const { signal, stderr } = await nights.start(day * ONE_DAY, more, signalledAt("verifying")).ended;
      expect([signal, stderr]).toEqual(["SIGKILL", ""]);
    },
    build: (...more: string[]) => runCommand("build", ["--data", nights.data, "--allow-partial", ...more]),
  };
}

export const journalsOf = (data: string) => readdirSync(join(data, "journals")).sort();
export const journalPath = (data: string, name = "") => join(data, "journals", name);
export const journalNumbers = (data: string) =>
  journalsOf(data).map((name) => readHeader(journalPath(data, name)).number);
export const eventsNamed = ({ events }: Ended, name: string) => events.filter(({ event }) => event === name);

const IS_OTHER = "PRAGMA user_version = 3";
const IS_UNFINISHED = "UPDATE header SET json = json_set(json, '$.finished_at', json('null'))";
const IS_DAMAGED = "UPDATE header SET json = '{'";

/**
 * A folder with a journal, and with others of another version: a finished one, one that is not, and a damaged one. `years` are those
 * of their names.
 */
export async function startOldJournals(years: string) {
  const nights = await startJournals();
  expect((await nights.crawl(0)).code).toBe(0);
  const [name = ""] = journalsOf(nights.data);
  const olds = [[IS_OTHER], [IS_OTHER, IS_UNFINISHED], [IS_DAMAGED]].map((changes, at) => {
    const old = `${years}010${at + 1}T030000Z-001.journal`;
    copyFileSync(journalPath(nights.data, name), journalPath(nights.data, old));
    for (const change of changes) editFile(journalPath(nights.data, old), change);
    return old;
  });
  return { ...nights, name, olds };
}
