import type { Endpoint } from "../endpoint.ts";
import { ENDPOINTS } from "../endpoints.ts";
import { BASE_LANG, type Lang } from "../enumerations.ts";
import { type Path, readPath } from "./path.ts";
import { readId, readNumber, readWord } from "./scalars.ts";

/** A field without which a record cannot be found, ordered, filtered, or asked for. */
export interface NeededField {
  path: Path;
  kind: keyof typeof FIELD_KINDS;
  /** Its use, as a verb: identifies, orders … */
  use: string;
  /** True if it is checked in the base language only. */
  base?: true;
}

const FIELD_KINDS = {
  hero: { allowed: "a whole number of at least 1", fits: (value: unknown) => (readId(value) ?? 0) >= 1 },
  id: { allowed: "a whole number", fits: (value: unknown) => readId(value) !== undefined },
  number: { allowed: "a number", fits: (value: unknown) => readNumber(value) !== undefined },
  word: { allowed: "a text or a whole number", fits: (value: unknown) => readWord(value) !== undefined },
  name: { allowed: "a text", fits: (value: unknown) => typeof value === "string" },
  // It is a segment of paths that are asked for.
  segment: {
    allowed: "letters and digits, 64 at most",
    fits: (value: unknown) => /^[\w-]{1,64}$/.test(readWord(value) ?? ""),
  },
};

const needsByPath = new Map<string, readonly NeededField[]>();

/**
 * Returns the fields that the records of an endpoint must have. They follow from the table of endpoints: fields that identify a record,
 * order or filter a list, or name something else that is asked. Texts that localise and stamps are not among them: a crawl asks in all
 * languages if a text is odd, and says which slices carry no stamp.
 */
export function neededFields(endpoint: Endpoint): readonly NeededField[] {
  const needs = needsByPath.get(endpoint.dataset) ?? unique([...ownNeeds(endpoint), ...needsOfOthers(endpoint)]);
  needsByPath.set(endpoint.dataset, needs);
  return needs;
}

function ownNeeds({ ofHeroes, key, identity, ordering, filters = {} }: Endpoint): NeededField[] {
  const orders = ordering ? [...Object.values(ordering.fields), ordering.tie] : [];
  return [
    ...(ofHeroes && key[0] ? [{ path: key[0], kind: "hero", use: "identifies" } as const] : []),
    ...(identity?.hero ? [{ path: identity.hero, kind: "hero", use: "identifies" } as const] : []),
    ...(identity?.subject ? [{ path: identity.subject, kind: "word", use: "identifies" } as const] : []),
    ...orders.map((path): NeededField => ({ path, kind: "number", use: "orders" })),
    ...Object.values(filters).map(({ at }): NeededField => ({ path: at, kind: "word", use: "filters" })),
  ];
}

/** Returns the fields that other endpoints read from its records. */
function needsOfOthers({ dataset }: Endpoint): NeededField[] {
  return ENDPOINTS.flatMap(({ from, range, identifier }): NeededField[] => {
    if (from === dataset && range) {
      return [range.first, range.last].map((path) => ({ path, kind: "id", use: "identifies" }));
    }
    if (!identifier || identifier.kind === "integer" || identifier.list !== dataset) return [];
    if (identifier.kind === "word")
      return [{ path: identifier.at, kind: "segment", use: "names what the crawl asks for" }];
    return [{ path: identifier.called, kind: "name", use: "names what the crawl asks for", base: true }];
  });
}

const unique = (needs: readonly NeededField[]) =>
  needs.filter(({ path }, index) => needs.findIndex((need) => need.path === path) === index);

/** Describes the first needed field that a record lacks or that does not fit; undefined if all fit. */
export function findUnfit(needs: readonly NeededField[], record: unknown, lang: Lang): string | undefined {
  for (const need of needs) {
    if (need.base && lang !== BASE_LANG) continue;
    const unmet = findAt(need, record, need.path, "");
    if (unmet) return unmet;
  }
  return undefined;
}

function findAt(need: NeededField, node: unknown, path: Path, before: string): string | undefined {
  const mark = path.indexOf("[]");
  if (mark < 0) {
    const value = readPath(node, path);
    return FIELD_KINDS[need.kind].fits(value)
      ? undefined
      : describe(need, before + path, FIELD_KINDS[need.kind].allowed, value);
  }
  const list = readPath(node, path.slice(0, mark));
  const listPath = before + path.slice(0, mark);
  if (!Array.isArray(list)) return describe(need, listPath, "a list", list);
  for (const [index, element] of list.entries()) {
    // Everything but an object is padding.
    if (element === null || typeof element !== "object") continue;
    const unmet = findAt(need, element, path.slice(mark + 3), `${listPath}[${index}].`);
    if (unmet) return unmet;
  }
  return undefined;
}

const describe = ({ use }: NeededField, path: string, allowed: string, value: unknown) =>
  `${path} ${use} and must be ${allowed}, received ${JSON.stringify(value)?.slice(0, 60) ?? "nothing"}`;
