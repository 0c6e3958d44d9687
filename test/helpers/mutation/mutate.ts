import { type Endpoint, type Slice, sliceId } from "../../../src/api/endpoint.ts";
import type { Lang } from "../../../src/api/enumerations.ts";
import { type Json, partsAt, rewriteJson } from "../json.ts";
import { sliceOfRequest } from "../slice-requests.ts";
import { ODD_KINDS } from "./kinds.ts";

/** Says what is put where. */
export interface Change {
  path: string;
  /** The name of a kind. */
  kind: string;
  /** Changes one place, or every place in all records. */
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

/** A change of the answers of one slice or of a whole dataset. */
export interface Mutation extends Change {
  /** Path and query of a slice without pages and language, or the name of a dataset. */
  at: string;
  /** Left out, it is the same in all languages. */
  lang?: Lang;
}

/** `/api/heroes/1/stats?rank=all|data.sub_hero[].heroid|zero|one:3|en`: place, path, kind, in which one, language. */
export const toOddLine = ({ at, path, kind, how, draw, lang }: Mutation): string =>
  [at, path, kind, how === "one" && draw > 0 ? `one:${draw}` : how, ...(lang ? [lang] : [])].join("|");

export const datasetOf = ({ at }: Mutation) => sliceOfRequest(at)?.dataset ?? at;

export function isMutated({ at, lang }: Mutation, slice: Slice): boolean {
  if (lang !== undefined && lang !== slice.lang) return false;
  const meant = sliceOfRequest(at);
  return meant ? sliceId({ ...meant, lang: slice.lang }) === sliceId(slice) : at === slice.dataset;
}
