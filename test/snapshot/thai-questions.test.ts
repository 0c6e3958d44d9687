import SQLite from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { THAI_QUESTIONS } from "../helpers/thai-questions.ts";
import { world } from "../helpers/world.ts";

const db = new SQLite(world.snapshot, { readonly: true });
afterAll(() => db.close());

test.for(THAI_QUESTIONS)("$question: the view says what the tables say", ({ view, tables }) => {
  const [shown, counted] = [view, tables].map((sql) => db.prepare<[], object>(sql).all());
  expect(shown?.length).toBeGreaterThan(0);
  expect(shown).toEqual(counted);
});

test("are fifteen, and each view that has names in English or Thai answers one", () => {
  expect(THAI_QUESTIONS).toHaveLength(15);
  const views = new Set(THAI_QUESTIONS.flatMap(({ view }) => /FROM (\w+)/.exec(view)?.[1] ?? []));
  expect(views.size).toBe(13);
  // A word that nobody knows in a filter gives no rows: each answer above has some in Thai.
  const thai = THAI_QUESTIONS.filter(({ view }) => JSON.stringify(db.prepare(view).all()).match(/[ก-๙]/));
  expect(thai.length).toBe(14);
});
