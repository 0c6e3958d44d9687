import type SQLite from "better-sqlite3";
import { sql } from "kysely";
import type { KeyPath } from "../../api/body/path.ts";
import type { Chunk } from "../../api/body/wrapping.ts";
import type { Reference } from "../../api/endpoint.ts";
import type { Lang } from "../../api/enumerations.ts";
import { createListLookup, type ListLookup, localisedTexts } from "../../api/localise.ts";
import { prepare, query, type Statement } from "../read/query.ts";
import type { ListedText, RecordTable } from "../schema/row-types.ts";

/** A record as it was sent, with the notes on its texts. */
export type StoredRecord = Pick<RecordTable, "json" | "texts">;

/** Localises a record of the base language, by the rule of its endpoint; undefined if the language lacks a text. */
export type Localise = (record: StoredRecord, rule: readonly Reference[], lang: Lang) => Chunk[] | undefined;

/** Writes texts at the places that the build has noted; a record without notes is parsed. Both give the same bytes. */
export function createLocaliser(db: SQLite.Database, listed: ListedTexts, lists: ListLookup): Localise {
  const setTexts = createJsonSetter(db);

  function putNoted(json: string, texts: string, lang: Lang): Chunk[] | undefined {
    const notes = JSON.parse(texts) as number[];
    const textsOfLang = listed.in(lang);
    const chunks: Chunk[] = [];
    let done = 0;
    for (let at = 0; at < notes.length; at += 3) {
      const [start = 0, length = 0, number = 0] = [notes[at], notes[at + 1], notes[at + 2]];
      const text = textsOfLang[number];
      if (text) {
        chunks.push(json.slice(done, start), text);
        done = start + length;
      } else if (listed.needed.has(number)) return undefined;
    }
    chunks.push(json.slice(done));
    return chunks;
  }

  return ({ json, texts }, rule, lang) => {
    if (texts !== null) return putNoted(json, texts, lang);
    const localised = localisedTexts(rule, JSON.parse(json), lang, lists);
    return localised && [setTexts(json, localised)];
  };
}

/** SQLite takes a thousand arguments; a text has two. */
const MAX_TEXTS_PER_STATEMENT = 200;

/**
 * SQLite's json_set puts the texts in, so that each number keeps the digits it was sent with. Texts are passed as JSON: a lone
 * surrogate or a NUL would not survive as plain text.
 */
function createJsonSetter(db: SQLite.Database) {
  const statements = new Map<number, Statement<Record<string, string>, { json: string }>>();

  function statementFor(count: number) {
    const statement = statements.get(count) ?? prepare(db, (given: Record<string, string>) => selectSet(given, count));
    statements.set(count, statement);
    return statement;
  }

  return (json: string, texts: readonly [KeyPath, string][]): string => {
    let written = json;
    for (let start = 0; start < texts.length; start += MAX_TEXTS_PER_STATEMENT) {
      const some = texts.slice(start, start + MAX_TEXTS_PER_STATEMENT);
      const given = some.flatMap(([path, text], index) => [
        [`path${index}`, toJsonPath(path)],
        [`text${index}`, JSON.stringify(text)],
      ]);
      written = statementFor(some.length).get({ json: written, ...Object.fromEntries(given) })?.json ?? written;
    }
    return written;
  };
}

function selectSet(given: Record<string, string>, count: number) {
  const pairs = Array.from(
    { length: count },
    (_, index) => sql`, ${given[`path${index}`]}, json(${given[`text${index}`]})`,
  );
  return query.selectNoFrom(sql<string>`json_set(${given.json}${sql.join(pairs, sql``)})`.as("json"));
}

const toJsonPath = (path: KeyPath) =>
  `$${path.map((key) => (typeof key === "number" ? `[${key}]` : `."${key}"`)).join("")}`;

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
