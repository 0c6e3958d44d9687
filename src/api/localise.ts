import { createHash } from "node:crypto";
import { MAX_LINE_CHARS } from "./body/bounds.ts";
import { type KeyPath, keysOf, objectsAt, type Path, readPath } from "./body/path.ts";
import { unwrapPicture } from "./body/pictures.ts";
import { readWord } from "./body/scalars.ts";
import type { Reference, TextRule } from "./endpoint.ts";
import { BASE_LANG, type Lang } from "./enumerations.ts";

type Node = Record<string | number, unknown>;

/** A hero as a language's hero list shows it. */
export interface HeroName {
  name: string;
  head: string | null;
}

/** The names of heroes, by language and hero id. */
export type NamesByLang = Pick<ReadonlyMap<string, ReadonlyMap<number, HeroName>>, "get" | "has">;

/** The texts and pictures of a list's entry that records show, by their path in the entry. */
type EntryTexts = Readonly<Record<Path, unknown>>;

/** Finds the entries of a reference's list in a language, by id; undefined if that list was not captured. */
export type ListLookup = (reference: Reference, lang: Lang) => ReadonlyMap<string, EntryTexts> | undefined;

/**
 * Reads each list once for each language, and keeps of its entries only what records show. A text too long to be kept counts as missing.
 */
export function createListLookup(
  readRecords: (dataset: string, lang: Lang) => readonly unknown[] | undefined,
): ListLookup {
  const indexes = new Map<Reference, Map<Lang, ReadonlyMap<string, EntryTexts> | undefined>>();
  return (reference, lang) => {
    const byLang = indexes.get(reference) ?? new Map<Lang, ReadonlyMap<string, EntryTexts> | undefined>();
    indexes.set(reference, byLang);
    if (!byLang.has(lang)) byLang.set(lang, indexList(reference, readRecords(reference.list, lang)));
    return byLang.get(lang);
  };
}

function indexList(reference: Reference, records: readonly unknown[] | undefined) {
  const { entries = "", key } = reference;
  const sources = shownPathsOf(reference).map(([, source]) => source);
  const entriesOfList = records?.flatMap((record) => objectsAt(record, entries));
  const given = entriesOfList?.flatMap(({ node }): [string, EntryTexts][] => {
    const id = readWord(readLine(node, key));
    if (id === undefined) return [];
    return [[id, Object.fromEntries(sources.map((source) => [source, readLine(node, source)]))]];
  });
  // The first of two entries with one id counts.
  return given && new Map(given.reverse());
}

function readLine(node: unknown, path: Path): unknown {
  const value = readPath(node, path);
  return typeof value === "string" && value.length > MAX_LINE_CHARS ? undefined : value;
}

/** A text of a list that a record shows, as the base language has it. */
export interface ShownText {
  place: KeyPath;
  reference: Reference;
  /** The entry, and the path of the text in it. */
  id: string;
  source: Path;
  /** False for a picture: if a language has none, that of the base language stays. */
  needed: boolean;
}

/**
 * Finds the texts and pictures of the base lists that a record of the base language shows. Undefined if a text is not the list's own; a
 * picture that is not is left out. A record that is older than its lists may show a text of its time (`isOlder`).
 */
export function findShownTexts(
  rule: readonly Reference[],
  record: unknown,
  lists: ListLookup,
  isOlder = false,
): ShownText[] | undefined {
  const texts: ShownText[] = [];
  for (const reference of rule) {
    const base = lists(reference, BASE_LANG);
    for (const { place, node } of objectsAt(record, reference.at ?? "")) {
      const id = readWord(readPath(node, reference.id)) ?? "";
      const listed = base?.get(id);
      for (const [path, source, needed] of shownPathsOf(reference)) {
        const shown = readPath(node, path);
        if (shown === undefined) continue;
        const isSame = !needed ? isSamePicture : isOlder ? areTexts : isSameText;
        if (isSame(shown, listed?.[source]))
          texts.push({ place: [...place, ...keysOf(path)], reference, id, source, needed });
        else if (needed) return undefined;
      }
    }
  }
  return texts;
}

const areTexts = (shown: unknown, listed: unknown) => typeof shown === "string" && typeof listed === "string";

const isSameText = (shown: unknown, listed: unknown) => typeof shown === "string" && shown === listed;

const isSamePicture = (shown: unknown, listed: unknown) =>
  isSameText(shown, listed) ||
  (typeof shown === "string" && typeof listed === "string" && unwrapPicture(shown) === unwrapPicture(listed));

/**
 * Finds the places to write in a record of the base language, and the texts of another language for them. Undefined if a text is not that
 * of the base list, or if the language lacks it; a picture then stays as it is.
 */
export function localisedTexts(
  rule: readonly Reference[],
  record: unknown,
  lang: Lang,
  lists: ListLookup,
  isOlder = false,
): [KeyPath, string][] | undefined {
  const shown = findShownTexts(rule, record, lists, isOlder);
  if (!shown) return undefined;
  const texts: [KeyPath, string][] = [];
  for (const { place, reference, id, source, needed } of shown) {
    const text = lists(reference, lang)?.get(id)?.[source];
    if (typeof text === "string") texts.push([place, text]);
    else if (needed) return undefined;
  }
  return texts;
}

/**
 * Makes fingerprints of the texts of other lists that a record shows; each must be among `fingerprintListed`. A text that the record lacks
 * gets `absentText`, which no list has.
 */
export function fingerprintShown(rule: TextRule, record: unknown): string[] {
  if (typeof rule === "string") return [];
  return rule.flatMap((reference) =>
    objectsAt(record, reference.at ?? "").flatMap(({ node }) => {
      const id = readWord(readPath(node, reference.id));
      return Object.entries(reference.texts).map(([path, source]) => {
        const shown = readPath(node, path);
        return shown === undefined ? absentText(reference, source) : fingerprint(reference, id, source, shown);
      });
    }),
  );
}

/** The mark of records that do not show a text at all. */
export const absentText = ({ list }: Reference, source: Path) => `no ${list} ${source}`;

/** Makes fingerprints of the texts that the lists of a rule hold in the base language. */
export const fingerprintListed = (rule: readonly Reference[], lists: ListLookup): string[] =>
  rule.flatMap((reference) =>
    [...(lists(reference, BASE_LANG) ?? [])].flatMap(([id, entry]) =>
      Object.values(reference.texts).flatMap((source) => fingerprintEntry(reference, id, source, entry)),
    ),
  );

/** Returns the `fingerprintListed` that a language's lists lack: a record that shows one cannot be localised. */
export const fingerprintLacking = (rule: readonly Reference[], lang: Lang, lists: ListLookup): string[] =>
  rule.flatMap((reference) => {
    const entries = lists(reference, lang);
    return [...(lists(reference, BASE_LANG) ?? [])].flatMap(([id, entry]) =>
      Object.values(reference.texts).flatMap((source) =>
        typeof entries?.get(id)?.[source] === "string" ? [] : fingerprintEntry(reference, id, source, entry),
      ),
    );
  });

const fingerprintEntry = (reference: Reference, id: string, source: Path, entry: EntryTexts) =>
  typeof entry[source] === "string" ? [fingerprint(reference, id, source, entry[source])] : [];

function fingerprint({ list }: Reference, id: string | undefined, source: Path, text: unknown): string {
  const whole = JSON.stringify([list, id, source, text]);
  return createHash("sha1").update(whole).digest("base64").slice(0, 12);
}

type ShownPath = readonly [path: Path, source: Path, needed: boolean];

// Cached: there are few references, each looked up for every record.
const shownPaths = new WeakMap<Reference, readonly ShownPath[]>();

function shownPathsOf(reference: Reference): readonly ShownPath[] {
  const remembered = shownPaths.get(reference);
  if (remembered) return remembered;
  const { texts, pictures = {} } = reference;
  const paths = [
    ...Object.entries(texts).map(([path, source]): ShownPath => [path, source, true]),
    ...Object.entries(pictures).map(([path, source]): ShownPath => [path, source, false]),
  ];
  shownPaths.set(reference, paths);
  return paths;
}

/** Returns a copy of the record with the texts at their places. */
export function writeTexts(record: unknown, texts: readonly [KeyPath, string][]): unknown {
  const copy = structuredClone(record);
  for (const [place, text] of texts) {
    const parent = place.slice(0, -1).reduce<unknown>((node, key) => (node as Node | undefined)?.[key], copy);
    (parent as Node)[place.at(-1) ?? ""] = text;
  }
  return copy;
}
