/**
 * The questions that a server asks a snapshot, as Kysely writes them: it takes longer to load than a server may take to
 * start, so that the texts stand here and test/queries-sql.test.ts compares them with what it writes.
 */
export const SQL = {
  head: 'select * from "snapshot"',
  coverage: 'select "status", "records" from "coverage" where "dataset" = ? and "slice" = ?',
  records: 'select "json" from "record" where "dataset" = ? and "slice" = ? order by "position"',
  page: 'select "json" from "record" where "dataset" = ? and "slice" = ? and "position" >= ? and "position" < ? order by "position"',
  rows: 'select "json" from "record" where "rowid" >= ? and "rowid" < ? order by "rowid"',
  places:
    'select "dataset", "slice", min(rowid - position) as "first", max(rowid - position) as "last", count(*) as "count" from "record" group by "dataset", "slice"',
  languages: 'select "lang", "slice" from "coverage" where "dataset" = ?',
  tables: 'select "name" from "sqlite_schema" where "type" = ?',
  misfits: 'select coalesce(sum("count"), 0) as "count" from "misfit"',
  setTexts: (texts: number) => `select json_set(?${", ?, json(?)".repeat(texts)}) as "json"`,
} as const;
