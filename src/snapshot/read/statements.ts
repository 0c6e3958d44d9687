import type SQLite from "better-sqlite3";
import { sql } from "kysely";
import type { ListedText, TextRuleRow } from "../schema/row-types.ts";
import { boundText, prepare, query, selectSnapshotRow } from "./query.ts";

interface SliceRef {
  dataset: string;
  slice: string;
}

/** The queries of a server, prepared once. */
export function prepareStatements(db: SQLite.Database) {
  const recordsOf = ({ dataset, slice }: SliceRef) =>
    query
      .selectFrom("record")
      .where("dataset", "=", boundText(dataset))
      .where("slice", "=", boundText(slice))
      .orderBy("position");

  return {
    head: prepare(db, selectSnapshotRow),
    held: prepare(db, ({ dataset, slice }: SliceRef) =>
      query
        .selectFrom("coverage")
        .select(["records as total", "asked_at"])
        .where("dataset", "=", dataset)
        .where("slice", "=", slice)
        .where("status", "!=", "failed"),
    ),
    missing: prepare(db, ({ dataset, slice }: SliceRef) =>
      query
        .selectFrom("coverage")
        .select("reason")
        .where("dataset", "=", dataset)
        .where("slice", "=", slice)
        .where("status", "=", "failed"),
    ),
    datasetsIn: prepare(db, ({ lang }: { lang: string }) =>
      query.selectFrom("coverage").select("dataset").distinct().where("lang", "=", lang),
    ),
    records: prepare(db, (given: SliceRef) => recordsOf(given).select("json")),
    page: prepare(db, ({ dataset, slice, start, end }: SliceRef & { start: number; end: number }) =>
      query
        .selectFrom("coverage")
        .leftJoin("record", (join) =>
          join
            .onRef("record.dataset", "=", "coverage.dataset")
            .onRef("record.slice", "=", "coverage.slice")
            .on("position", ">=", start)
            .on("position", "<", end),
        )
        // Of the slice once, not with each of its records.
        .select(["coverage.records as total", "json", "texts"])
        .select(sql<string | null>`iif(ifnull(position, ${start}) = ${start}, asked_at, null)`.as("asked_at"))
        .where("coverage.dataset", "=", boundText(dataset))
        .where("coverage.slice", "=", boundText(slice))
        .where("status", "!=", "failed")
        .orderBy("position"),
    ),
    at: prepare(db, ({ dataset, slice, positions }: SliceRef & { positions: string }) =>
      query
        .selectFrom(sql<{ rowid: number; value: number }>`json_each(${positions})`.as("wanted"))
        .crossJoin("record")
        .select(["record.json", "texts"])
        .where("dataset", "=", boundText(dataset))
        .where("slice", "=", boundText(slice))
        .whereRef("position", "=", "wanted.value")
        .orderBy("wanted.rowid"),
    ),
    languages: prepare(db, ({ dataset }: { dataset: string }) =>
      query.selectFrom("coverage").select("lang").where("dataset", "=", dataset),
    ),
    listedTexts: (): ListedText[] =>
      prepare(db, () => query.selectFrom("listed_text").selectAll().orderBy("text_id")).all({}),
    textRules: (): TextRuleRow[] => prepare(db, () => query.selectFrom("text_rule").selectAll()).all({}),
    misfits(): number {
      const counted = prepare(db, () =>
        query.selectFrom("misfit").select(({ fn }) => fn.sum<number>("count").as("count")),
      );
      return counted.get({})?.count ?? 0;
    },
  };
}
