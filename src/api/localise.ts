import type { Path, TextRule } from "./endpoint.ts";

type Node = Record<string, unknown>;

/** A hero as a language's hero list shows it. */
export interface HeroName {
  name: string;
  head: string | null;
}

/** By language and hero id. */
export type Names = Pick<ReadonlyMap<string, ReadonlyMap<number, HeroName>>, "get" | "has">;

export function readPath(record: unknown, path: Path): unknown {
  return path.split(".").reduce<unknown>((node, key) => (node as Node | null | undefined)?.[key], record);
}

/**
 * What a hero's record shows in another language: the paths to write and the texts. A portrait is the language's own
 * only where the record shows the one of the English list. Nothing when that language lacks the hero.
 */
export function localisedTexts(
  rule: Exclude<TextRule, string>,
  hero: number,
  head: string | null,
  names: { base: ReadonlyMap<number, HeroName> | undefined; own: ReadonlyMap<number, HeroName> | undefined },
): [Path, string][] | undefined {
  const own = names.own?.get(hero);
  if (!own) return undefined;
  const portrait = rule.head && own.head !== null && head !== null && names.base?.get(hero)?.head === head;
  return [[rule.name, own.name], ...(portrait ? [[rule.head, own.head] as [Path, string]] : [])];
}

/** A copy of the record with the texts at their paths. */
export function writePaths(record: unknown, texts: readonly [Path, string][]): unknown {
  const copy = structuredClone(record);
  for (const [path, text] of texts) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    const parent = readPath(copy, keys.join("."));
    if (parent !== null && typeof parent === "object") (parent as Node)[last] = text;
  }
  return copy;
}
