import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import type { Lang } from "../../../src/api/enumerations.ts";
import { sliceOfRequest } from "../slice-requests.ts";
import type { Change } from "./mutate.ts";

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

export function parseOddLine(line: string): Mutation {
  const [at = "", path = "", kind = "", which = "one", lang] = line.split("|");
  const [how = "", draw = "0"] = which.split(":");
  if (how !== "one" && how !== "all") throw new Error(`${line}: one or all, not ${which}`);
  return { at, path, kind, how, draw: Number(draw), ...(lang && { lang: lang as Lang }) };
}

export const datasetOf = ({ at }: Mutation) => sliceOfRequest(at)?.dataset ?? at;

export function isMutated({ at, lang }: Mutation, slice: Slice): boolean {
  if (lang !== undefined && lang !== slice.lang) return false;
  const meant = sliceOfRequest(at);
  return meant ? sliceId({ ...meant, lang: slice.lang }) === sliceId(slice) : at === slice.dataset;
}
