import type { Endpoint } from "../../api/endpoint.ts";
import { BASE_LANG, LANG_CODES, LANGUAGES } from "../../api/enumerations.ts";
import type { NamesByLang } from "../../api/localise.ts";
import { nameKey } from "../../api/request/identifier.ts";
import { isRequired, type Parameter } from "../../api/request/parameters.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";

export interface Query {
  endpoint: Endpoint;
  /** The value of the path parameter, not escaped. */
  identifier: string | undefined;
  search: URLSearchParams;
}

export interface RandomSource {
  /** Returns an integer from 0, below the limit. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
}

/** Makes a Mulberry32 generator: the same seed gives the same queries on every machine. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below, pick: <T>(values: readonly T[]) => values[below(values.length)] as T };
}

/** Mostly the first page: of one hero's record there is no other, and an empty page proves little. */
const PAGE_INDEXES = ["1", "1", "1", "1", "2", "3"];

/** The values of a snapshot that queries can name. */
export type QueryValues = Pick<Snapshot, "names" | "words">;

/** Draws a valid query with values that the snapshot knows; each optional parameter is in about every third. */
export function randomQuery(endpoint: Endpoint, values: QueryValues, random: RandomSource): Query {
  const { names } = values;
  const search = new URLSearchParams();
  for (const parameter of endpoint.parameters) {
    for (const value of randomValues(parameter, names, random)) search.append(parameter.name, value);
  }
  const lang = search.get("lang") ?? BASE_LANG;
  return { endpoint, identifier: randomIdentifier(endpoint, lang, values, random), search };
}

function randomIdentifier(
  { identifier }: Endpoint,
  lang: string,
  values: QueryValues,
  random: RandomSource,
): string | undefined {
  if (identifier?.kind === "hero") return randomHero(lang, values.names, random);
  if (identifier?.kind === "word") return random.pick(values.words(identifier) ?? ["0".repeat(identifier.length)]);
  // Small numbers more often: ranges are short at the lower end.
  return identifier && String(identifier.minimum + random.below(random.pick([10, 300, identifier.maximum])));
}

export function queryPath({ endpoint, identifier, search }: Query): string {
  const path = endpoint.path.replace(/\{\w+\}/, encodeURIComponent(identifier ?? ""));
  return search.size === 0 ? path : `${path}?${search}`;
}

function randomValues(parameter: Parameter, names: NamesByLang, random: RandomSource): string[] {
  if (!isRequired(parameter) && random.below(3) === 0) return [];
  if ("examples" in parameter) return [random.pick(parameter.examples)];
  if (parameter.kind === "choices") return [random.pick(parameter.values), random.pick(parameter.values)];
  if (parameter.kind === "choice") {
    const held = parameter.selects === "lang" ? [...LANG_CODES.filter((code) => names.has(code))] : parameter.values;
    return [random.pick(held)];
  }
  if (parameter.name === "index") return [random.pick(PAGE_INDEXES)];
  const roster = names.get(BASE_LANG)?.size ?? 0;
  return [String(parameter.minimum + random.below(random.pick([5, 30, roster + 1])))];
}

function randomHero(lang: string, names: NamesByLang, random: RandomSource): string {
  const [id, { name }] = random.pick([...(names.get(BASE_LANG) ?? [])]);
  const spellings = [name, names.get(lang)?.get(id)?.name ?? name].filter((spelling) => isComparable(spelling, lang));
  const spelling = spellings.length > 0 ? random.pick(spellings) : String(id);
  return random.pick([String(id), spelling, nameKey(spelling)]);
}

/**
 * Tells whether a name can be compared. The upstream compares ASCII letters only: a name in another script, and any name in a language of
 * another script, finds a wrong hero there. That is not mirrored, so only an id can be compared.
 */
function isComparable(name: string, lang: string): boolean {
  const latin = LANGUAGES.some(({ code, script }) => code === lang && script === "Latin");
  return latin && /^(?=.*[a-z])[a-z0-9]+$/.test(nameKey(name)) && !name.includes("/");
}
