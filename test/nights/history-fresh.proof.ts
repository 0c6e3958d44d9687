import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { findOwnNights } from "../../src/extra/nights/history/find-nights.ts";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { dumpOf, startHistories } from "../helpers/killed/histories.ts";

const histories = await startHistories([0, 1]);
const { data, versions, nights, goOnAfresh } = histories;
const whole = await histories.foldWhole("fresh");
afterAll(() => histories[Symbol.dispose]());

test("a history --fresh that is killed right before it replaces the old one leaves that, and right after it the new one", async () => {
  const replaced = whole.steps.lastIndexOf("renameSync");
  expect(await goOnAfresh(replaced, whole.content)).toBe(true);
  expect(await goOnAfresh(replaced + 1, whole.content)).toBe(false);
});

/** The whole history as a kill leaves it in the middle of a commit: half written, with the journal that undoes it. */
function cutCommit(file: string) {
  const writing = `${file}.writing`;
  updateHistory(writing, nights);
  const db = new SQLite(writing);
  // With no room in memory what is changed is on the disk before the end.
  db.exec("PRAGMA cache_size = 1; BEGIN; UPDATE item_fact SET to_night = 1; DELETE FROM night");
  cpSync(writing, file);
  cpSync(`${writing}-journal`, `${file}-journal`);
  db.close();
}

test("a history that was killed in the commit of a night is mended before --fresh asks what would be lost", () => {
  using folder = copyOf(data);
  const file = join(folder.path, "killed.sqlite");
  cutCommit(file);
  for (const ending of ["sqlite", "json"]) rmSync(join(folder.path, "snapshots", `${versions[0]}.${ending}`));
  expect(() => updateHistory(file, findOwnNights(folder.path).nights, { fresh: true })).toThrow(
    /holds 1 night that lies nowhere else/,
  );
  expect(dumpOf(file)).toEqual(whole.content);
});
