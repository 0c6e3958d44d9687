import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { sql } from "kysely";
import { afterAll, describe, expect, test, vi } from "vitest";
import { joinChunks } from "../../src/api/body/wrapping.ts";
import type { Reference } from "../../src/api/endpoint.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import { prepare, query } from "../../src/snapshot/read/query.ts";
import { type AnsweredSlice, createSlices } from "../../src/snapshot/read/slices.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { prepareStatements } from "../../src/snapshot/read/statements.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const folder = temporaryFolder();
const [file = ""] = world.nights.files;
afterAll(() => folder[Symbol.dispose]());

/** A copy of the file with something changed in it. */
function changed(name: string, change: string): string {
  const copy = join(folder.path, name);
  copyFileSync(file, copy);
  const db = new SQLite(copy);
  db.exec(change);
  db.close();
  return copy;
}

const RANK = "rank=all&days=1&lang=en";
const NAMES = endpointOf("rank").text as readonly Reference[];

/** All records of a list in Japanese, as a server would write them. */
function inJapanese(name: string) {
  const snapshot = openSnapshot(name);
  try {
    return (snapshot.page("rank", RANK, 0, 100)?.records ?? []).map((record) => {
      const pieces = snapshot.localise(record, NAMES, "ja");
      return { noted: record.texts !== null, text: pieces && joinChunks(pieces).toString() };
    });
  } finally {
    snapshot.close();
  }
}

describe("a statement", () => {
  const db = new SQLite(":memory:");
  afterAll(() => void db.close());

  test("takes values by name, wherever and however often its query has them", () => {
    const select = ({ a, b }: { a: string; b: string }) =>
      query.selectNoFrom(sql<string>`${b} || ${"-"} || ${a} || ${b}`.as("joined"));
    const statement = prepare(db, select);
    expect(statement.all({ a: "x", b: "2" })).toEqual([{ joined: "2-x2" }]);
    expect(statement.get({ b: "7", a: "?" })).toEqual({ joined: "7-?7" });
  });

  test("is refused when its query has a value that was not named", () => {
    const build = ({ a, ...rest }: { a: string; b: string }) => query.selectNoFrom(sql`${a} || ${rest.b}`.as("joined"));
    expect(() => prepare(db, build)).toThrow("invalid immediate value undefined");
  });
});

describe("a snapshot that is open for reading", () => {
  test("finds what it is asked for by key, in order and without sorting more than one slice", () => {
    const db = new SQLite(file, { readonly: true });
    const asked = vi.spyOn(db, "prepare");
    const questions = prepareStatements(db);
    questions.listedTexts();
    createSlices(db, { withNotes: new Set(), toAskedAt: String });
    const written = asked.mock.calls.map(([text]) => text).filter((text) => !text.includes("pragma_table_info"));
    const plans = written.flatMap((text) => {
      const values = Object.fromEntries([...text.matchAll(/@(\w+)/g)].map(([, name = ""]) => [name, "[]"]));
      return db
        .prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        .all(values)
        .map(({ detail }) => detail);
    });
    expect(plans.filter((detail) => /record|coverage|TEMP/.test(detail)).sort()).toEqual([
      "SEARCH coverage USING INDEX coverage_dataset_slice (dataset=? AND slice=?)",
      "SEARCH coverage USING INDEX coverage_dataset_slice (dataset=?)",
      "SEARCH record USING INDEX sqlite_autoindex_record_1 (slice_id=? AND position=?)",
      "SEARCH record USING INDEX sqlite_autoindex_record_1 (slice_id=? AND position>? AND position<?)",
      "USE TEMP B-TREE FOR ORDER BY",
    ]);
    db.close();
  });

  test.each([
    ["rows of a slice follow one another", ""],
    [
      "rows lie in no order",
      `PRAGMA foreign_keys = OFF; CREATE TABLE copy AS SELECT * FROM record; DELETE FROM record;
       INSERT INTO record SELECT * FROM copy ORDER BY position * 7919 % 13, slice_id; DROP TABLE copy`,
    ],
  ])("gives records by place: a whole list, from one to before another, and some in their order, if %s", (_, sql) => {
    const snapshot = openSnapshot(changed("places.sqlite", sql));
    const whole = openSnapshot(file);
    expect(snapshot.records("rank", RANK)).toEqual(whole.records("rank", RANK));
    whole.close();
    const all = snapshot.records("rank", RANK);
    const held = snapshot.held("rank", RANK) as AnsweredSlice;
    expect(held.total).toBe(all.length);
    expect(all).toHaveLength(10);
    const jsonOf = (records: { json: string }[] = []) => records.map(({ json }) => json);
    const pageOf = (start: number, end: number) => {
      const page = snapshot.page("rank", RANK, start, end);
      return [page?.total, jsonOf(page?.records)];
    };
    expect(pageOf(1, 3)).toEqual([10, all.slice(1, 3)]);
    expect(pageOf(3, Number.MAX_SAFE_INTEGER)).toEqual([10, all.slice(3)]);
    expect(pageOf(10, 20)).toEqual([10, []]);
    expect(pageOf(1e99, 1e100)).toEqual([10, []]);
    expect(snapshot.page("rank", "rank=none", 0, 20)).toBeUndefined();
    expect(jsonOf(snapshot.at("rank", held, [2, 0, 3, 0]))).toEqual([2, 0, 3, 0].map((place) => all[place]));
    expect(snapshot.at("rank", held, [])).toEqual([]);
    expect(snapshot.held("rank", "rank=none")).toBeUndefined();
    snapshot.close();
  });

  test("shares its lock: others read the file and remove it, and nobody writes to it until it is closed", () => {
    const shared = changed("shared.sqlite", "");
    const snapshot = openSnapshot(shared);
    const second = openSnapshot(shared);
    const readPage = () => second.page("rank", RANK, 0, 1)?.records ?? [];
    const [record] = readPage();
    expect(record && snapshot.localise(record, NAMES, "ja")).toBeDefined();
    const other = new SQLite(shared, { timeout: 0 });
    const write = () => other.exec("BEGIN EXCLUSIVE; ROLLBACK");
    expect(write).toThrow("database is locked");
    snapshot.close();
    expect(write).toThrow("database is locked");
    rmSync(shared);
    expect(readPage()).toEqual([record]);
    second.close();
    other.close();
  });
});

describe("records are localised to the same bytes", () => {
  test("from the notes on them, and without these", () => {
    const noted = inJapanese(file);
    expect(noted.map((record) => record.noted)).toEqual(noted.map(() => true));
    const bare = changed("bare.sqlite", "UPDATE record SET texts = NULL");
    expect(inJapanese(bare)).toEqual(noted.map(({ text }) => ({ noted: false, text })));
  });

  test("when the notes were made by another rule: they are not used", () => {
    const other = changed(
      "other.sqlite",
      "UPDATE text_rule SET rule = '[]' WHERE dataset = 'rank'; UPDATE record SET texts = '[]'",
    );
    expect(inJapanese(other)).toEqual(inJapanese(file).map(({ text }) => ({ noted: false, text })));
  });
});
