import type SQLite from "better-sqlite3";
import { sql } from "kysely";
import { sliceKey } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import type { Coverage } from "../schema/row-types.ts";
import type { StoredRecord } from "../texts/localiser.ts";
import { boundInteger, boundText, prepare, query } from "./query.ts";

/** A slice with an answer. */
export interface AnsweredSlice {
  /** Its number in the file. */
  id: number;
  /** Records of the whole slice. */
  total: number;
  /** Start of the crawl that asked for it, ISO 8601 in UTC. */
  askedAt: string;
}

export interface StoredPage extends AnsweredSlice {
  records: StoredRecord[];
}

/** The records of a file by slice. */
export interface Slices {
  /** Returns the answer of a slice; undefined if the file has none. */
  held(dataset: string, slice: string): AnsweredSlice | undefined;
  /** Returns the answer of a list in a language. */
  heldList(dataset: string, lang: Lang): AnsweredSlice | undefined;
  /** Tells why the file lacks a slice; undefined if it does not, or does not know the slice. */
  holeOf(dataset: string, slice: string): Pick<Coverage, "reason" | "part_id"> | undefined;
  /** All records of a slice, in the upstream's order. */
  records(dataset: string, slice: string): string[];
  /** The records from the place `start` up to and without `end`, counted from 0; undefined if the file has no answer for the slice. */
  page(dataset: string, slice: string, start: number, end: number): StoredPage | undefined;
  /** The records of a slice at these places, counted from 0, in this order. */
  at(dataset: string, slice: AnsweredSlice, positions: readonly number[]): StoredRecord[];
}

export interface SlicesOptions {
  /** The datasets whose records are read with the notes on their texts. */
  withNotes: ReadonlySet<string>;
  /** Makes the time of an answer from its `asked_at`, which holds anything in a file of somebody else. */
  toAskedAt: (stored: string | null) => string;
}

export function createSlices(db: SQLite.Database, { withNotes, toAskedAt }: SlicesOptions): Slices {
  const statements = prepareReads(db);

  function find(dataset: string, slice: string) {
    const row = statements.find.get({ dataset, slice });
    return row && row.status !== "failed" ? row : undefined;
  }

  function held(dataset: string, slice: string): AnsweredSlice | undefined {
    const row = find(dataset, slice);
    return row && { id: row.slice_id, total: row.records, askedAt: toAskedAt(row.asked_at) };
  }

  // Each request asks for the list of heroes in its language. There are few lists, and a file does not change.
  const lists = new Map<string, AnsweredSlice | undefined>();

  function heldList(dataset: string, lang: Lang): AnsweredSlice | undefined {
    const name = `${dataset} ${lang}`;
    if (!lists.has(name)) lists.set(name, held(dataset, sliceKey({ dataset, lang })));
    return lists.get(name);
  }

  const toStored = (dataset: string, records: StoredRecord[]): StoredRecord[] =>
    withNotes.has(dataset) ? records : records.map(({ json }) => ({ json, texts: null }));

  return {
    held,
    heldList,

    holeOf(dataset, slice) {
      const row = statements.find.get({ dataset, slice });
      return row?.status === "failed" ? row : undefined;
    },

    records(dataset, slice) {
      const row = find(dataset, slice);
      return row ? statements.range.all({ id: row.slice_id, start: 0, end: row.records }).map(({ json }) => json) : [];
    },

    page(dataset, slice, start, end) {
      const answered = held(dataset, slice);
      return (
        answered && { ...answered, records: toStored(dataset, statements.range.all({ id: answered.id, start, end })) }
      );
    },

    at: (dataset, { id }, positions) =>
      toStored(dataset, statements.scattered.all({ id, wanted: JSON.stringify(positions) })),
  };
}

function prepareReads(db: SQLite.Database) {
  return {
    find: prepare(db, ({ dataset, slice }: { dataset: string; slice: string }) =>
      query
        .selectFrom("coverage")
        .select(["slice_id", "status", "records", "asked_at", "reason", "part_id"])
        .where("dataset", "=", boundText(dataset))
        .where("slice", "=", boundText(slice)),
    ),
    range: prepare(db, ({ id, start, end }: { id: number; start: number; end: number }) =>
      query
        .selectFrom("record")
        .select(["json", "texts"])
        .where("slice_id", "=", boundInteger(id))
        .where("position", ">", boundInteger(start))
        .where("position", "<=", boundInteger(end))
        .orderBy("position"),
    ),
    scattered: prepare(db, ({ id, wanted }: { id: number; wanted: string }) =>
      query
        .selectFrom(sql<{ key: number; value: number }>`json_each(${wanted})`.as("wanted"))
        .crossJoin("record")
        .select(["record.json", "texts"])
        .where("slice_id", "=", boundInteger(id))
        .where("position", "=", sql<number>`wanted.value + 1`)
        .orderBy("wanted.key"),
    ),
  };
}
