import type { Chunk } from "../../api/body/wrapping.ts";
import type { Reference } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import { createListLookup, type ListLookup, localisedTexts } from "../../api/localise.ts";
import type { ListedText, RecordTable } from "../schema/row-types.ts";
import { createTextFinder } from "./find.ts";

/** A record as it was sent, with the notes on its texts. */
export type StoredRecord = Pick<RecordTable, "json" | "texts">;

/** Localises a record of the base language, by the rule of its endpoint; undefined if the language lacks a text. */
export type Localise = (record: StoredRecord, rule: readonly Reference[], lang: Lang) => Chunk[] | undefined;

/** Writes texts at the places that the build has noted; a record without notes is parsed. Both give the same bytes. */
export function createLocaliser(listed: ListedTexts, lists: ListLookup): Localise {
  const findTexts = createTextFinder();

  return ({ json, texts }, rule, lang) => {
    if (texts !== null) return putTexts(json, JSON.parse(texts), listed.in(lang), listed.needed);
    const localised = localisedTexts(rule, JSON.parse(json), lang, lists);
    if (!localised) return undefined;
    const places = localised.map(([place]) => place);
    const written = localised.map(([, text]) => JSON.stringify(text));
    const spans = findTexts(json, places);
    return spans && putTexts(json, spans, written);
  };
}

/** Puts texts at spans of a record: start, length and number of each. Undefined if one that is needed is lacking. */
function putTexts(
  json: string,
  spans: readonly number[],
  texts: readonly (Chunk | undefined)[],
  needed?: ReadonlySet<number>,
) {
  const chunks: Chunk[] = [];
  let done = 0;
  for (let at = 0; at < spans.length; at += 3) {
    const [start = 0, length = 0, number = 0] = [spans[at], spans[at + 1], spans[at + 2]];
    const text = texts[number];
    if (text) {
      chunks.push(json.slice(done, start), text);
      done = start + length;
    } else if (needed?.has(number)) return undefined;
  }
  chunks.push(json.slice(done));
  return chunks;
}

/** The JSON of a text in UTF-8; undefined if the language lacks it. */
type JsonBytes = Buffer | undefined;

/** The texts of lists that records show, by their `text_id`. */
export interface ListedTexts {
  /** Those without which a record cannot be localised. */
  needed: ReadonlySet<number>;
  /** All texts in a language, as JSON, at the index of their id. Read once for each language, some 70 kB. */
  in(lang: Lang): readonly JsonBytes[];
}

export function createListedTexts(
  rows: readonly ListedText[],
  readRecords: (dataset: string, lang: Lang) => readonly unknown[] | undefined,
): ListedTexts {
  const listed = Map.groupBy(rows, ({ dataset, entries, id_path }) => [dataset, entries, id_path].join("\n"));
  const references = new Map([...listed].map(([name, texts]) => [name, toReference(texts)] as const));
  const kept = new Map<Lang, readonly JsonBytes[]>();

  function read(lang: Lang): JsonBytes[] {
    const lists = createListLookup(readRecords);
    const texts: JsonBytes[] = [];
    for (const [name, rowsOfList] of listed) {
      const entries = lists(references.get(name) as Reference, lang);
      for (const { text_id, id, path } of rowsOfList) {
        const text = entries?.get(id)?.[path];
        if (typeof text === "string") texts[text_id] = Buffer.from(JSON.stringify(text));
      }
    }
    return texts;
  }

  return {
    needed: new Set(rows.filter(({ needed }) => needed === 1).map(({ text_id }) => text_id)),

    in(lang) {
      const remembered = kept.get(lang);
      if (remembered) return remembered;
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
