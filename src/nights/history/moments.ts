import { isHeroEndpoint, parameterFor } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { RowSource, SliceField } from "../../snapshot/schema/row-source.ts";
import { matchRows, matchSlices } from "../../snapshot/schema/slices-of-rows.ts";
import type { HistoryTable } from "./tables.ts";

/** SQL of two moments: what was asked at the first said otherwise, what was asked at the second says so. */
export interface MomentsSql {
  after: string;
  before: string;
}

/** A version in SQL: `cellOf` gives the words and numbers of its key. */
export interface VersionSql {
  table: HistoryTable;
  cellOf: (column: string) => string;
}

/**
 * Between which moments a version came to say what it says, or ceased to, on a night (SQL of its id, and of its start): when the
 * slices that it comes from were asked for the night before, and when for that night. The first is null where the night before
 * lacks one. Where it comes from several, those that stay as they were asked have no part in it.
 */
export function momentsAt(
  version: VersionSql,
  night: string,
  startedAt: string,
  sources: readonly RowSource[] = version.table.rows,
): MomentsSql {
  const groups = groupSources(version, sources);
  const [only, ...more] = groups.map((group) => askedAround(group, night, startedAt));
  if (!only) return { after: "NULL", before: "NULL" };
  if (more.length === 0) return only;
  const parts = [only, ...more].map((moments, index) => ({
    ...moments,
    where: changedIn(groups[index] as SourceGroup, night),
  }));
  const union = (what: keyof MomentsSql) =>
    parts.map(({ [what]: moment, where }) => `SELECT ${moment} AS at WHERE ${where}`).join(" UNION ALL ");
  return {
    after: `(SELECT iif(count(*) = count(at), min(at), NULL) FROM (${union("after")}))`,
    before: `(SELECT max(at) FROM (${union("before")}))`,
  };
}

/** SQL for a night, or the one before it, having never been asked for what these sources tell. */
export function neverAsked(version: VersionSql, night: string, sources: readonly RowSource[]): string {
  const conditions = groupSources(version, sources).map(
    ({ match }) =>
      `EXISTS (SELECT 1 FROM carried_slice_fact AS slice WHERE slice.asked_at IS NULL AND slice.from_night <= ${night} AND ifnull(slice.to_night >= ${night}, true) AND ${match})`,
  );
  return `(${["false", ...conditions].join(" OR ")})`;
}

interface SourceGroup {
  /** Conditions for `slice` being one of theirs. */
  match: string;
  /** Conditions for the version being theirs. */
  isOf: string;
  oneSlice: boolean;
}

/** Sources of the same slices as one: which of them a row is of then makes no difference. */
function groupSources({ table, cellOf }: VersionSql, sources: readonly RowSource[]): SourceGroup[] {
  const { key } = table;
  const byMatch = Map.groupBy(sources, (source) => matchSlices(key, source, cellOf).join(" AND "));
  return [...byMatch].map(([match, same]) => {
    const constants = same.map((source) => matchRows(key, source, cellOf).join(" AND ") || "true");
    const isOf = byMatch.size === 1 || constants.includes("true") ? "true" : `(${constants.join(" OR ")})`;
    return { match, isOf, oneSlice: same.every((source) => namesOneSlice(table, source)) };
  });
}

/** Of several slices, those that were asked anew for that night tell when they were asked before. */
function askedAround({ match, oneSlice }: SourceGroup, night: string, startedAt: string): MomentsSql {
  const carried = (asked: string, conditions: string) =>
    `(SELECT ${asked} FROM carried_slice_fact AS slice WHERE ${match} AND ${conditions})`;
  const failed = `EXISTS (SELECT 1 FROM failed_slice AS slice WHERE slice.night_id = ${night} - 1 AND ${match})`;
  const before = oneSlice
    ? `slice.from_night < ${night} AND ifnull(slice.to_night >= ${night}, true)`
    : `slice.to_night = ${night}`;
  const was = `ifnull(${carried("min(ifnull(slice.asked_at, ''))", before)}, (SELECT started_at FROM night WHERE night_id = ${night} - 1))`;
  const now = carried("slice.asked_at", `slice.from_night <= ${night} AND ifnull(slice.to_night > ${night}, true)`);
  return {
    after: `iif(${failed}, NULL, nullif(${was}, ''))`,
    before: oneSlice ? `ifnull(${now}, ${startedAt})` : startedAt,
  };
}

/** Whether the version is of these sources, and their slice was not carried over to that night from the one before. */
const changedIn = ({ match, isOf, oneSlice }: SourceGroup, night: string) =>
  oneSlice
    ? `${isOf} AND NOT EXISTS (SELECT 1 FROM carried_slice_fact AS slice WHERE ${match} AND slice.from_night < ${night} AND ifnull(slice.to_night > ${night}, true))`
    : isOf;

/** Whether the key of a row names all that names a slice. */
function namesOneSlice({ key }: HistoryTable, { datasets, cells }: RowSource): boolean {
  const named = new Set(
    key.flatMap((column): SliceField[] => {
      const cell = cells[column];
      return cell?.kind === "asked" ? [cell.name] : [];
    }),
  );
  return datasets.map(endpointOf).every((endpoint) => {
    const { identifier } = endpoint;
    const needed: SliceField[] = (["lane", "rank", "days"] as const).filter((name) => parameterFor(endpoint, name));
    if (identifier) needed.push(isHeroEndpoint(endpoint) ? "hero" : "subject");
    return needed.every((name) => named.has(name));
  });
}
