import type { Reference } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import { createListLookup } from "../../api/localise.ts";
import type { ListedText } from "../schema/row-types.ts";

/** The JSON of a text as UTF-8; nothing where the language lacks it. */
type JsonBytes = Buffer | undefined;

export type ListedTexts = ReturnType<typeof createListedTexts>;

/**
 * The texts of lists that records show, by their numbers. Those of a language are read when it is first asked for, and
 * kept: some 70 kB.
 */
export function createListedTexts(
  rows: readonly ListedText[],
  readRecords: (dataset: string, lang: Lang) => readonly unknown[] | undefined,
) {
  const listed = Map.groupBy(rows, ({ dataset, entries, id_path }) => [dataset, entries, id_path].join("\n"));
  const references = new Map([...listed].map(([name, texts]) => [name, toReference(texts)] as const));
  const kept = new Map<Lang, readonly JsonBytes[]>();

  function read(lang: Lang): JsonBytes[] {
    const lists = createListLookup(readRecords);
    const texts: JsonBytes[] = [];
    for (const [name, own] of listed) {
      const entries = lists(references.get(name) as Reference, lang);
      for (const { text_id, id, path } of own) {
        const text = entries?.get(id)?.[path];
        if (typeof text === "string") texts[text_id] = Buffer.from(JSON.stringify(text));
      }
    }
    return texts;
  }

  return {
    needed: new Set(rows.filter(({ needed }) => needed === 1).map(({ text_id }) => text_id)),

    in(lang: Lang): readonly JsonBytes[] {
      const known = kept.get(lang);
      if (known) return known;
      const texts = read(lang);
      kept.set(lang, texts);
      return texts;
    },
  };
}

function toReference(texts: readonly ListedText[]): Reference {
  const [{ dataset = "", entries = "", id_path = "" } = {}] = texts;
  const paths = Object.fromEntries(texts.map(({ path }) => [path, path]));
  return { list: dataset, entries, key: id_path, id: "", texts: paths };
}
