import type SQLite from "better-sqlite3";
import { sql } from "kysely";
import { sliceKey } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import type { StoredRecord } from "../texts/localiser.ts";
import { boundText, prepare, query } from "./query.ts";

/** A slice with an answer. */
interface AnsweredSlice {
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
  /** Undefined if the file has no answer for the slice. */
  held(dataset: string, slice: string): AnsweredSlice | undefined;
  /** The same of a list in a language. */
  heldList(dataset: string, lang: Lang): AnsweredSlice | undefined;
  /** All records of a slice, in the upstream's order. */
  records(dataset: string, slice: string): string[];
  /** The records from position `start` up to and without position `end`; undefined if the file has no answer for the slice. */
  page(dataset: string, slice: string, start: number, end: number): StoredPage | undefined;
  /** The records at these positions, in this order. */
  at(dataset: string, slice: string, positions: readonly number[]): StoredRecord[];
}

/** Where the slices of one dataset are. Arrays for all of them take half the memory of an object for each. */
interface Locations {
  /** By slice its place in the other arrays. */
  places: Map<string, number>;
  totals: number[];
  askedAt: string[];
  /** Where the rows of a slice begin in `rowids`; those of the next slice end them. */
  starts: number[];
  /** Of all records, by slice in the upstream's order. */
  rowids: number[];
}

export interface SlicesOptions {
  /** The datasets whose records are read with the notes on their texts. */
  withNotes: ReadonlySet<string>;
  /** Makes the time of an answer from its `asked_at`, which holds anything in a file of somebody else. */
  toAskedAt: (stored: string | null) => string;
}

/**
 * Finds a slice in memory, where each takes some 130 bytes from the first question about its dataset on: to find it in two tables
 * takes as long as to read its records.
 */
export function createSlices(db: SQLite.Database, { withNotes, toAskedAt }: SlicesOptions): Slices {
  const statements = prepareReads(db);
  const datasets = new Map<string, Locations>();

  function locate(dataset: string): Locations {
    const located: Locations = { places: new Map(), totals: [], askedAt: [], starts: [], rowids: [] };
    const { places, totals, askedAt, starts, rowids } = located;
    for (const { slice, total, asked_at, rowid } of statements.locations.iterate({ dataset })) {
      if (!places.has(slice)) {
        places.set(slice, places.size);
        totals.push(total);
        const [before, time] = [askedAt.at(-1), toAskedAt(asked_at)];
        // One text for all slices of a night, not an equal one for each.
        askedAt.push(before === time ? before : time);
        starts.push(rowids.length);
      }
      // A slice without records is one row that has none.
      if (rowid !== null) rowids.push(rowid);
    }
    datasets.set(dataset, located);
    return located;
  }

  const locationsOf = (dataset: string) => datasets.get(dataset) ?? locate(dataset);

  function held(dataset: string, slice: string): AnsweredSlice | undefined {
    const { places, totals, askedAt } = locationsOf(dataset);
    const place = places.get(slice);
    return place === undefined ? undefined : { total: totals[place] ?? 0, askedAt: askedAt[place] ?? "" };
  }

  function rowidsOf(dataset: string, slice: string): number[] {
    const { places, starts, rowids } = locationsOf(dataset);
    const place = places.get(slice);
    return place === undefined ? [] : rowids.slice(starts[place], starts[place + 1]);
  }

  function read(dataset: string, rowids: readonly number[]): StoredRecord[] {
    const [first = 0] = rowids;
    const areConsecutive = rowids.every((rowid, index) => rowid === first + index);
    const records = areConsecutive
      ? statements.consecutive.all({ first, end: first + rowids.length })
      : statements.scattered.all({ rowids: JSON.stringify(rowids) });
    return withNotes.has(dataset) ? records : records.map(({ json }) => ({ json, texts: null }));
  }

  return {
    held,

    heldList: (dataset, lang) => held(dataset, sliceKey({ dataset, lang })),

    records: (dataset, slice) => read(dataset, rowidsOf(dataset, slice)).map(({ json }) => json),

    page(dataset, slice, start, end) {
      const answered = held(dataset, slice);
      return answered && { ...answered, records: read(dataset, rowidsOf(dataset, slice).slice(start, end)) };
    },

    at(dataset, slice, positions) {
      const rowids = rowidsOf(dataset, slice);
      const wanted = positions.flatMap((position) => rowids[position] ?? []);
      return read(dataset, wanted);
    },
  };
}

function prepareReads(db: SQLite.Database) {
  const rowid = sql<number | null>`record.rowid`;
  return {
    locations: prepare(db, ({ dataset }: { dataset: string }) =>
      query
        .selectFrom("coverage")
        .leftJoin("record", (join) =>
          join.onRef("record.dataset", "=", "coverage.dataset").onRef("record.slice", "=", "coverage.slice"),
        )
        .select(["coverage.slice", "records as total", "asked_at", rowid.as("rowid")])
        .where("coverage.dataset", "=", boundText(dataset))
        .where("status", "!=", "failed")
        .orderBy("coverage.slice")
        .orderBy("position"),
    ),
    consecutive: prepare(db, ({ first, end }: { first: number; end: number }) =>
      query
        .selectFrom("record")
        .select(["json", "texts"])
        .where(rowid, ">=", first)
        .where(rowid, "<", end)
        .orderBy(rowid),
    ),
    scattered: prepare(db, ({ rowids }: { rowids: string }) =>
      query
        .selectFrom(sql<{ rowid: number; value: number }>`json_each(${rowids})`.as("wanted"))
        .crossJoin("record")
        .select(["record.json", "texts"])
        .where(rowid, "=", sql<number>`wanted.value`)
        .orderBy("wanted.rowid"),
    ),
  };
}
