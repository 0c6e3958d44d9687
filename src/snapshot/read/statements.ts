import type SQLite from "better-sqlite3";
import type { ListedText, TextRuleRow } from "../schema/row-types.ts";
import { prepare, query, selectSnapshotRow } from "./query.ts";

/** The queries of a server, prepared once. */
export function prepareStatements(db: SQLite.Database) {
  return {
    head: prepare(db, selectSnapshotRow),
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
