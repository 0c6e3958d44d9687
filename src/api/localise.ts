import { createHash } from "node:crypto";
import type { Path, Reference, TextRule } from "./endpoint.ts";
import { BASE_LANG, type Lang } from "./languages.ts";

type Node = Record<string, unknown>;

/** Keys of objects and places in arrays, from the record down. */
export type Place = readonly (string | number)[];

/** A hero as a language's hero list shows it. */
export interface HeroName {
  name: string;
  head: string | null;
}

/** By language and hero id. */
export type Names = Pick<ReadonlyMap<string, ReadonlyMap<number, HeroName>>, "get" | "has">;

/** The entries of a reference's list in a language, by id; nothing where that list is not there. */
export type Lists = (reference: Reference, lang: Lang) => ReadonlyMap<unknown, unknown> | undefined;

export function readPath(record: unknown, path: Path): unknown {
  return path.split(".").reduce<unknown>((node, key) => (node as Node | null | undefined)?.[key], record);
}

/** Lists by dataset and language, each read once. */
export function createLists(readRecords: (dataset: string, lang: Lang) => readonly unknown[] | undefined): Lists {
  const known = new Map<string, ReadonlyMap<unknown, unknown> | undefined>();
  return (reference, lang) => {
    const { list, entries = "", key } = reference;
    const name = `${list} ${entries} ${key} ${lang}`;
    if (!known.has(name)) {
      const found = readRecords(list, lang)?.flatMap((record) => elementsOf(record, entries));
      // Of two entries with one id the first counts.
      known.set(name, found && new Map(found.map(({ node }) => [readPath(node, key), node] as const).reverse()));
    }
    return known.get(name);
  };
}

/**
 * What a record shows in another language: the places to write and the texts. A picture is the language's own only where
 * the record shows the one of the base list. Nothing when a text is not that of the base list, or the language lacks it.
 */
export function localisedTexts(
  rule: readonly Reference[],
  record: unknown,
  lang: Lang,
  lists: Lists,
): [Place, string][] | undefined {
  const texts: [Place, string][] = [];
  for (const reference of rule) {
    const [base, own] = [lists(reference, BASE_LANG), lists(reference, lang)];
    for (const { place, node } of elementsOf(record, reference.at ?? "")) {
      const id = readPath(node, reference.id);
      for (const [path, source, needed] of shownBy(reference)) {
        const shown = readPath(node, path);
        if (typeof shown !== "string") continue;
        const text = shown === readPath(base?.get(id), source) ? readPath(own?.get(id), source) : undefined;
        if (typeof text === "string") texts.push([[...place, ...path.split(".")], text]);
        else if (needed) return undefined;
      }
    }
  }
  return texts;
}

/** Fingerprints of the texts of other lists that a record shows: all of them must be among those of the lists. */
export function shownTexts(rule: TextRule, record: unknown): string[] {
  if (typeof rule === "string") return [];
  return rule.flatMap((reference) =>
    elementsOf(record, reference.at ?? "").flatMap(({ node }) => {
      const id = readPath(node, reference.id);
      return Object.entries(reference.texts).flatMap(([path, source]) => {
        const shown = readPath(node, path);
        return typeof shown !== "string" ? [] : [fingerprint(reference, id, source, shown)];
      });
    }),
  );
}

/** Fingerprints of the texts that the lists of a rule hold in the base language. */
export function listedTexts(rule: readonly Reference[], lists: Lists): string[] {
  return rule.flatMap((reference) =>
    [...(lists(reference, BASE_LANG) ?? [])].flatMap(([id, entry]) =>
      Object.values(reference.texts).map((source) => fingerprint(reference, id, source, readPath(entry, source))),
    ),
  );
}

function fingerprint({ list }: Reference, id: unknown, source: Path, text: unknown): string {
  const whole = JSON.stringify([list, id, source, text]);
  return createHash("sha1").update(whole).digest("base64").slice(0, 12);
}

const shownBy = ({ texts, pictures = {} }: Reference): [Path, Path, boolean][] => [
  ...Object.entries(texts).map(([path, source]): [Path, Path, boolean] => [path, source, true]),
  ...Object.entries(pictures).map(([path, source]): [Path, Path, boolean] => [path, source, false]),
];

/** The objects at a path, `[]` for the elements of an array; the record itself at the empty path. */
function elementsOf(node: unknown, path: Path, place: Place = []): { place: Place; node: unknown }[] {
  if (node === null || typeof node !== "object") return [];
  if (path === "") return [{ place, node }];
  const [step = "", ...rest] = path.split(".");
  const key = step.replace("[]", "");
  const next = (node as Node)[key];
  if (!step.endsWith("[]")) return elementsOf(next, rest.join("."), [...place, key]);
  if (!Array.isArray(next)) return [];
  return next.flatMap((element, at) => elementsOf(element, rest.join("."), [...place, key, at]));
}

/** A copy of the record with the texts at their places. */
export function writeTexts(record: unknown, texts: readonly [Place, string][]): unknown {
  const copy = structuredClone(record);
  for (const [place, text] of texts) {
    const parent = place.slice(0, -1).reduce<unknown>((node, key) => (node as Node | undefined)?.[key], copy);
    (parent as Node)[place.at(-1) ?? ""] = text;
  }
  return copy;
}
