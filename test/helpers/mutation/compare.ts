import { decode, type Json, memberOf, parseJson } from "./json.ts";

export interface Strictness {
  /** Numbers are compared by their characters; otherwise by their size. */
  digits: boolean;
}

/** Path of the first difference of two texts of JSON; nothing where a reader would find none. */
export function compareTexts(ours: string, theirs: string, strictness: Strictness = { digits: true }) {
  return firstDifference(read(ours), read(theirs), "$", strictness);
}

/** The same for two answers: what is beside code and data is noise. */
export function compareAnswers(ours: string, theirs: string, strictness: Strictness = { digits: true }) {
  const [own, other] = [read(ours), read(theirs)];
  for (const name of ["code", "data"]) {
    const found = compareMembers(memberOf(own, name), memberOf(other, name), name, strictness);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `JSON.parse` is the judge of what is JSON. */
function read(text: string): Json {
  const bare = text.replace(/^\ufeff/, "");
  JSON.parse(bare);
  return parseJson(bare);
}

function firstDifference(a: Json, b: Json, path: string, strictness: Strictness): string | undefined {
  if (a.text === b.text) return undefined;
  if (a.type !== b.type) return path;
  if (a.type === "string") return decode(a.text) === decode(b.text) ? undefined : path;
  if (a.type === "number") return !strictness.digits && Number(a.text) === Number(b.text) ? undefined : path;
  if (a.type === "word") return path;
  const [own, others] = [childrenOf(a), childrenOf(b)];
  for (const name of new Set([...own.keys(), ...others.keys()])) {
    const found = compareMembers(own.get(name), others.get(name), `${path}${name}`, strictness);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareMembers(a: Json | undefined, b: Json | undefined, path: string, strictness: Strictness) {
  if (a && b) return firstDifference(a, b, path, strictness);
  return a || b ? path : undefined;
}

/** By their step in a path; of a key that is there twice the last one. */
const childrenOf = ({ parts }: Json): Map<string, Json> =>
  new Map(parts.map(({ key, value }, place) => [key === undefined ? `[${place}]` : `.${decode(key)}`, value]));
