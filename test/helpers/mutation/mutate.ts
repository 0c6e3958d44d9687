import type { Endpoint } from "../../../src/api/endpoint.ts";
import { type Json, partsAt, rewriteJson } from "../json.ts";
import { ODD_KINDS } from "./kinds.ts";

/** Says what is put where. */
export interface Change {
  path: string;
  /** The name of a kind. */
  kind: string;
  /** In one place, or in every place of all records. */
  how: "one" | "all";
  /** Picks the one. */
  draw: number;
}

type Wrapping = Endpoint["wrapping"];

const RECORDS_IN = { pages: "data.records[]", data: "data", body: "" };

export const answerRecords = (wrapping: Wrapping, body: Json): Json[] =>
  partsAt(body, RECORDS_IN[wrapping ?? "pages"]).map(({ value }) => value);

export const replaceRecords = (wrapping: Wrapping, body: Json, replace: (record: Json) => Json): Json =>
  rewriteJson(body, RECORDS_IN[wrapping ?? "pages"], ({ key, value }) => [{ key, value: replace(value) }]);

/** The records with the change; nothing where it does not apply. */
export function mutateRecords(
  records: readonly Json[],
  { path, kind, how, draw }: Change,
  others: readonly Json[],
): Json[] | undefined {
  const apply = ODD_KINDS[kind];
  if (!apply) throw new Error(`no kind is called ${kind}`);
  const parts = records.flatMap((record) => partsAt(record, path));
  const surroundings = {
    isRecord: path === "",
    peers: parts.map(({ value }) => value),
    foreign: others.flatMap((record) => partsAt(record, path)).map(({ value }) => value),
    draw,
    count: how === "one" ? 1 : parts.length,
  };
  const odd = new Map<number, ReturnType<typeof apply>>();
  for (let tries = 0; tries < parts.length && (how === "all" || odd.size === 0); tries += 1) {
    const place = how === "all" ? tries : (draw + tries) % parts.length;
    const part = parts[place];
    const changed = part && apply({ ...part, ...surroundings });
    if (changed) odd.set(place, changed);
  }
  let place = -1;
  const replace = (record: Json) =>
    rewriteJson(record, path, (part) => {
      place += 1;
      return odd.get(place) ?? [part];
    });
  return odd.size > 0 ? records.map(replace) : undefined;
}
