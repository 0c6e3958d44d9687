import { neededFields } from "../../api/body/needed-fields.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import type { Drift } from "../documents/drift-document.ts";
import type { ShapeRow } from "./shape.ts";

/**
 * Returns the changes between two fingerprints, needed fields first. Fields that only some records have may come and go; a dataset that was
 * not there before has nothing to drift from.
 */
export function compareShapes(before: readonly ShapeRow[], now: readonly ShapeRow[]): Drift[] {
  const old = new Map(before.map((row) => [keyOf(row), row]));
  const current = new Map(now.map((row) => [keyOf(row), row]));
  const datasetsBefore = new Set(before.map(({ dataset }) => dataset));
  const holders = countHolders(now);
  const changed = now.flatMap((row) => {
    const was = old.get(keyOf(row));
    if (was?.types === row.types || !datasetsBefore.has(row.dataset)) return [];
    return [{ ...headOf(row), before: was?.types ?? "absent", now: row.types, ...countNew(was, row) }];
  });
  const gone = before.flatMap((row) => {
    const count = holders.get(holderOf(row));
    if (!count || current.has(keyOf(row))) return [];
    return [{ ...headOf(row), before: row.types, now: "absent", count, example: row.example }];
  });
  return [...changed, ...gone]
    .map((row) => ({ ...row, needed: isNeeded(row) }))
    .sort((a, b) => Number(b.needed) - Number(a.needed));
}

const headOf = ({ dataset, path }: ShapeRow) => ({ dataset, path });
const keyOf = ({ dataset, path }: ShapeRow) => `${dataset} ${path}`;

/** Names the object or list that holds a field or an element. */
function holderOf({ dataset, path }: ShapeRow): string {
  const end = path.endsWith("[]") ? path.length - 2 : path.lastIndexOf(".");
  return `${dataset} ${path.slice(0, end)}`;
}

/** Counts the objects at each path: a field is gone only if its holder is still there. */
function countHolders(rows: readonly ShapeRow[]): Map<string, number> {
  const fields = rows.filter(({ path }) => !path.endsWith("[]"));
  return new Map([
    ...rows.map((row): [string, number] => [keyOf(row), typesOf(row).object?.seen ?? 0]),
    // The records themselves have no row; their fields count them.
    ...fields.map((row): [string, number] => [holderOf(row), row.parents]),
  ]);
}

function countNew(was: ShapeRow | undefined, now: ShapeRow): Pick<Drift, "count" | "example"> {
  const types = Object.entries(typesOf(now));
  if (!was) return { count: now.seen, example: now.example };
  const typesBefore = was.types.split("|");
  const added = types.filter(([type]) => !typesBefore.includes(type)).map(([, counted]) => counted);
  return { count: added.reduce((sum, { seen }) => sum + seen, 0), example: added[0]?.example ?? now.example };
}

/** A file from elsewhere may hold anything there. */
function typesOf({ by_type }: ShapeRow): Record<string, { seen: number; example: string }> {
  const types = JSON.parse(by_type);
  const counts: { seen?: unknown; example?: unknown }[] = Object.values(types);
  if (counts.every(({ seen, example }) => Number.isInteger(seen) && typeof example === "string")) return types;
  throw new Error("a fingerprint does not count its types");
}

const needed = new Set(
  ENDPOINTS.flatMap((endpoint) => neededFields(endpoint).map(({ path }) => `${endpoint.dataset} $.${path}`)),
);
const isNeeded = ({ dataset, path }: Pick<Drift, "dataset" | "path">) => needed.has(`${dataset} ${path}`);
