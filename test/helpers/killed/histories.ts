import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import SQLite from "better-sqlite3";
import { expect } from "vitest";
import { findOwnNights } from "../../../src/nights/history/find-nights.ts";
import { updateHistory } from "../../../src/nights/history/history.ts";
import { publishDays } from "../mirror.ts";
import { judgeHistory } from "../month/history.ts";
import { temporaryFolder } from "../run.ts";

/** Right before a step, or after so many milliseconds. */
export type Kill = { step: number } | { delay: number };
type How = "add" | "fresh";

/** Small nights, and folds of them that are killed. */
export async function startHistories(days: readonly number[]) {
  const nightsFolder = temporaryFolder();
  const data = nightsFolder.path;
  const versions = await publishDays(data, days, "--endpoints", "heroes,rank,stats,counters,equipment");
  const { nights } = findOwnNights(data);

  async function fold(file: string, how: How, step = "", delay = "") {
    const words = [join(import.meta.dirname, "fold.ts"), data, file, how, step, delay];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
    const [said] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { signal: child.signalCode, said };
  }

  /** Kills a fold. One at a step that it does not reach would be no kill. */
  async function foldKilled(file: string, how: How, kill: Kill) {
    const isAtStep = "step" in kill;
    const { signal } = await fold(file, how, ...(isAtStep ? [String(kill.step)] : ["", String(kill.delay)]));
    if (isAtStep) expect(signal).toBe("SIGKILL");
  }

  return {
    data,
    versions,
    nights,

    /** A fold that nobody kills: its steps, its time, and what comes of it. */
    async foldWhole(how: How) {
      using folder = temporaryFolder();
      const file = join(folder.path, "whole.sqlite");
      const { said } = await fold(file, how);
      return { ...(JSON.parse(said) as { steps: string[]; milliseconds: number }), content: dumpOf(file) };
    },

    /** A kill leaves the nights before it, and the next run goes on to the same. */
    async goOnAfter(kill: Kill, whole: unknown) {
      using folder = temporaryFolder();
      const file = join(folder.path, "killed.sqlite");
      await foldKilled(file, "add", kill);
      const count = countNights(file);
      const folded = nights.slice(0, count).map(({ sequence, withdrawn, file: night }, at) => ({
        ...{ sequence, withdrawn, file: night, version: versions[at] ?? "", failed: 0 },
      }));
      if (count > 0) expect(judgeHistory(file, folded)).toEqual([]);
      expect(updateHistory(file, nights).ingested).toBe(nights.length - count);
      expect(dumpOf(file)).toEqual(whole);
    },

    /** A kill of a fold anew leaves the old one as it was (true) or the new one whole, and the next run goes on from either. */
    async goOnAfresh(kill: Kill, whole: unknown): Promise<boolean> {
      using folder = temporaryFolder();
      const file = join(folder.path, "killed.sqlite");
      updateHistory(file, nights.slice(0, -1));
      const before = readFileSync(file);
      await foldKilled(file, "fresh", kill);
      const isOld = readFileSync(file).equals(before);
      if (!isOld) expect(dumpOf(file)).toEqual(whole);
      // What was left of the new one is no history to anybody.
      expect(updateHistory(file, nights).ingested).toBe(isOld ? 1 : 0);
      expect(dumpOf(file)).toEqual(whole);
      updateHistory(file, nights, { fresh: true });
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
