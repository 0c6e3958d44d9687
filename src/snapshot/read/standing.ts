import { hash } from "node:crypto";
import type SQLite from "better-sqlite3";
import { EXCUSED, isRefused, type RefusedGroup } from "../../api/refusals.ts";
import type { EndpointStateRow, RefusalRow } from "../schema/row-types.ts";
import { endpointStateTable, refusalTable } from "../schema/tables/refusal.ts";
import { openCheckedFile } from "./open.ts";
import { readFilled } from "./summary.ts";

/** A row of the table `refusal`. */
export type CountedGroup = RefusalRow & RefusedGroup;

/** What the upstream refuses, in groups, as it stands in a file or in the one attached as `schema`. */
export const readRefusals = (db: SQLite.Database): CountedGroup[] => readAll<CountedGroup>(db, refusalTable);

export const readEndpointStates = (db: SQLite.Database): EndpointStateRow[] =>
  readAll<EndpointStateRow>(db, endpointStateTable);

const readAll = <Row>(db: SQLite.Database, { name, key }: { name: string; key: readonly string[] }): Row[] =>
  db.prepare<[], Row>(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`).all();

const EXCUSED_SQL = EXCUSED.map((reason) => `'${reason}'`).join(", ");

/**
 * A hash over what a file says of the upstream besides its data: the refused groups, the states of the endpoints, and when the
 * answers were asked that it has instead of refused ones.
 */
export function hashStanding(db: SQLite.Database): string {
  const carried = db
    .prepare(
      `SELECT dataset, slice, asked_at FROM coverage WHERE status <> 'failed' AND reason IN (${EXCUSED_SQL}) ORDER BY dataset, slice`,
    )
    .raw()
    .all();
  return hash("sha256", JSON.stringify([readRefusals(db), readEndpointStates(db), carried]));
}

/**
 * What a crawl must know of the snapshot that it goes on from before it asks. Reads little of the file and proves nothing: undefined
 * where it cannot be read.
 */
export function readInHand(file: string) {
  let db: SQLite.Database | undefined;
  try {
    db = openCheckedFile(file);
    const head = db.prepare<[], { version: string; started_at: string }>("SELECT * FROM snapshot").get();
    const rows = db
      .prepare<[], { id: string; reason: string }>(
        `SELECT dataset || '?' || slice AS id, reason FROM coverage WHERE reason IN (${EXCUSED_SQL})`,
      )
      .all();
    return (
      head && {
        version: head.version,
        startedAt: head.started_at,
        heroes: db.prepare<[], number>("SELECT hero_id FROM hero").pluck().all(),
        groups: readRefusals(db),
        endpoints: readEndpointStates(db) as InHandEndpoint[],
        refused: new Set(rows.flatMap(({ id, reason }) => (isRefused(reason) ? [id] : []))),
        hasRecords: readAnswered(db),
        filled: readFilled(db),
      }
    );
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** By `sliceId`, of what has an answer: whether there is a record in it. */
function readAnswered(db: SQLite.Database): Map<string, boolean> {
  const select = db.prepare<[], { id: string; status: string }>(
    "SELECT dataset || '?' || slice AS id, status FROM coverage WHERE status <> 'failed'",
  );
  const hasRecords = new Map<string, boolean>();
  for (const { id, status } of select.iterate()) hasRecords.set(id, status === "captured");
  return hasRecords;
}

type InHandEndpoint = EndpointStateRow & { state: "open" | "withdrawn" | "left-out" };
