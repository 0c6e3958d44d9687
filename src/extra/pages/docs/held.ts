import type { Parameter } from "../../../api/request/parameters.ts";
import type { PageContext } from "../page.ts";

const dimensionSql = (column: string) =>
  `SELECT CAST(${column} AS TEXT) AS value FROM coverage WHERE dataset = @dataset AND status <> 'failed' AND ${column} IS NOT NULL GROUP BY ${column}`;

const HELD_SQL = {
  lane: dimensionSql("lane"),
  rank: dimensionSql("rank"),
  days: dimensionSql("days"),
  lang: dimensionSql("lang"),
};

/** The values of a parameter that the snapshot has answers for: any other one leads to an error. */
export function heldValues(
  parameter: Parameter & { values: readonly string[] },
  dataset: string,
  { snapshot, facts }: PageContext,
): readonly string[] {
  const { values } = parameter;
  const dimension = "selects" in parameter ? parameter.selects : undefined;
  if (dimension === undefined) return values;
  const rows = snapshot.select<{ value: string }>(HELD_SQL[dimension], { dataset });
  const asked = rows.map(({ value }) => value);
  // What is asked in one language is answered with the names of each.
  const held: readonly string[] = dimension === "lang" && asked.length < 2 ? facts.langs : asked;
  return held.length > 0 ? values.filter((value) => held.includes(value)) : values;
}
