import type SQLite from "better-sqlite3";
import { canonical } from "../../../api/body/canonical.ts";
import { PROXY_HOSTS, unwrapPictures } from "../../../api/body/pictures.ts";

type Side = "was" | "main";

/** A slice with its number in either file. */
interface SharedSlice {
  dataset: string;
  was: number;
  main: number;
}

/**
 * Counts by dataset the slices which `where` lets through and whose hashes differ only because their pictures are behind a proxy in one of
 * the two snapshots. Records are read only if one mentions proxies more often than the other: on most nights none are.
 */
export function countSamePictures(db: SQLite.Database, from: string, where: string): ReadonlyMap<string, number> {
  const candidates = db
    .prepare<[], SharedSlice>(
      `SELECT dataset, was.slice_id AS was, now.slice_id AS main FROM ${from} WHERE ${where} AND was.records = now.records
         AND ${mentionsIn("main", "now")} <> ${mentionsIn("was", "was")}`,
    )
    .all();
  const [before, after] = [readerOf(db, "was"), readerOf(db, "main")];
  const counts = new Map<string, number>();
  for (const slice of candidates)
    if (isSame(before(slice), after(slice))) counts.set(slice.dataset, (counts.get(slice.dataset) ?? 0) + 1);
  return counts;
}

/** SQL for how many characters of the records of a slice are names of proxies. */
function mentionsIn(side: Side, alias: string): string {
  const hosts = PROXY_HOSTS.map((host) => `'${host}'`);
  const without = hosts.reduce((json, host) => `replace(${json}, ${host}, '')`, "json");
  const holdsAny = hosts.map((host) => `json LIKE '%' || ${host} || '%'`).join(" OR ");
  return `(SELECT ifnull(sum(length(json) - length(${without})), 0) FROM ${side}.record AS own
    WHERE own.slice_id = ${alias}.slice_id AND (${holdsAny}))`;
}

function readerOf(db: SQLite.Database, side: Side) {
  const select = db
    .prepare<[number], string>(`SELECT json FROM ${side}.record WHERE slice_id = ? ORDER BY position`)
    .pluck();
  return (slice: SharedSlice) => select.all(slice[side]);
}

const isSame = (before: readonly string[], after: readonly string[]) =>
  before.every((json, index) => toComparable(json) === toComparable(after[index] ?? "null"));

const toComparable = (json: string) => canonical(unwrapPictures(JSON.parse(json)));
