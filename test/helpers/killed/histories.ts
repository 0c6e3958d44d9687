import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { expect } from "vitest";
import { findOwnNights } from "../../../src/extra/nights/history/find-nights.ts";
import { updateHistory } from "../../../src/extra/nights/history/history.ts";
import { judgeHistory } from "../judge-history.ts";
import { publishDays } from "../mirror.ts";
import { temporaryFolder } from "../run.ts";
import { killBefore } from "./at-steps.ts";

type How = "add" | "fresh";

/** Small nights, and folds of them that are killed. */
export async function startHistories(days: readonly number[]) {
  const nightsFolder = temporaryFolder();
  const data = nightsFolder.path;
  const versions = await publishDays(data, days, "--endpoints", "heroes,rank,stats,counters,equipment");
  const { nights } = findOwnNights(data);

  const fold = (file: string, how: How, step?: number) =>
    killBefore(step, ["history", "--data", data, "--file", file, ...(how === "fresh" ? ["--fresh"] : [])], true);

  return {
    data,
    versions,
    nights,

    /** A fold that nobody kills: its steps, and what comes of it. */
    async foldWhole(how: How) {
      using folder = temporaryFolder();
      const file = join(folder.path, "whole.sqlite");
      if (how === "fresh") updateHistory(file, nights.slice(0, -1));
      const { steps } = await fold(file, how);
      return { steps, content: dumpOf(file) };
    },

    /** A kill leaves the nights before it, and the next run goes on to the same. */
    async goOnAfter(step: number, whole: unknown) {
      using folder = temporaryFolder();
      const file = join(folder.path, "killed.sqlite");
      expect((await fold(file, "add", step)).signal).toBe("SIGKILL");
      const count = countNights(file);
      const folded = nights.slice(0, count).map(({ sequence, withdrawn, file: night }, at) => ({
        ...{ sequence, withdrawn, file: night, version: versions[at] ?? "", failed: 0 },
      }));
      if (count > 0) expect(judgeHistory(file, folded)).toEqual([]);
      expect(updateHistory(file, nights).ingested).toBe(nights.length - count);
      expect(dumpOf(file)).toEqual(whole);
    },

    /** A kill of a fold anew leaves the old one as it was (true) or the new one whole, and the next run goes on from either. */
    async goOnAfresh(step: number, whole: unknown): Promise<boolean> {
      using folder = temporaryFolder();
      const file = join(folder.path, "killed.sqlite");
      updateHistory(file, nights.slice(0, -1));
      const before = readFileSync(file);
      expect((await fold(file, "fresh", step)).signal).toBe("SIGKILL");
      const isOld = readFileSync(file).equals(before);
      if (!isOld) expect(dumpOf(file)).toEqual(whole);
      // What was left of the new one is no history to anybody.
      expect(updateHistory(file, nights).ingested).toBe(isOld ? 1 : 0);
      expect(readdirSync(folder.path).filter((name) => name.startsWith(".draft-"))).toEqual([]);
      expect(dumpOf(file)).toEqual(whole);
      expect((await fold(file, "fresh")).signal).toBe(null);
      expect(dumpOf(file)).toEqual(whole);
      expect(readdirSync(folder.path)).toEqual(["killed.sqlite"]);
      return isOld;
    },

    [Symbol.dispose]: () => nightsFolder[Symbol.dispose](),
  };
}

/** Every row of every table. */
export function dumpOf(file: string) {
  const db = new SQLite(file, { readonly: true, fileMustExist: true });
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").pluck().all();
  const content = tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).raw().all()]);
  db.close();
  return content;
}

/**
 * How many nights are in it; a kill before the first may leave none, and no file. The next one to open it plays back what was
 * cut.
 */
function countNights(file: string): number {
  if (!existsSync(file)) return 0;
  const db = new SQLite(file);
  try {
    const [table] = db.prepare("SELECT name FROM sqlite_schema WHERE name = 'night'").all();
    return table ? (db.prepare<[], number>("SELECT count(*) FROM night").pluck().get() ?? 0) : 0;
  } finally {
    db.close();
  }
}
