import SQLite from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Path } from "../../src/api/body/path.ts";
import { joinChunks } from "../../src/api/body/wrapping.ts";
import { type Reference, type Slice, sliceKey } from "../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../src/api/endpoints.ts";
import { LANG_CODES, type Lang } from "../../src/api/enumerations.ts";
import { createListLookup, localisedTexts, writeTexts } from "../../src/api/localise.ts";
import { createRecordInserter } from "../../src/snapshot/build/archive.ts";
import { createTables } from "../../src/snapshot/derive/deriver.ts";
import { openSnapshot, type Snapshot } from "../../src/snapshot/read/snapshot.ts";
import { createTextFinder } from "../../src/snapshot/texts/find.ts";
import { createListedTexts, createLocaliser, type StoredRecord } from "../../src/snapshot/texts/localiser.ts";
import { createNotes } from "../../src/snapshot/texts/note.ts";
import { createRandom, type Random, SEED } from "../helpers/random.ts";
import { world } from "../helpers/world.ts";

/** The endpoints whose records show texts of lists. */
const RULED = ENDPOINTS.flatMap(({ dataset, text }) => (typeof text === "string" ? [] : [{ dataset, rule: text }]));

type Localise = Snapshot["localise"];

/** What is served at the noted places, and what is when the record is read; empty where the language lacks a text. */
function bothWays(localise: Localise, record: StoredRecord, rule: readonly Reference[], lang: Lang) {
  const [noted, read] = [record, { ...record, texts: null }].map((one) => localise(one, rule, lang));
  return { noted: noted && joinChunks(noted).toString(), read: read && joinChunks(read).toString() };
}

describe("records of the sample, with their texts put at the noted places", () => {
  let db: SQLite.Database;
  let snapshot: Snapshot;
  beforeAll(() => {
    db = new SQLite(world.snapshot, { readonly: true });
    snapshot = openSnapshot(world.snapshot);
  });
  afterAll(() => {
    db.close();
    snapshot.close();
  });

  test.for(RULED)(
    "$dataset: are those that reading and writing gives, each in another language",
    ({ dataset, rule }) => {
      const select = "SELECT json, texts FROM record JOIN coverage USING (slice_id) WHERE dataset = ? AND lang = 'en'";
      const records = db.prepare<[string], StoredRecord>(select).all(dataset);
      expect(records.filter(({ texts }) => texts === null)).toEqual([]);
      const faults = records.flatMap((record, at) => {
        const lang = LANG_CODES[at % LANG_CODES.length] ?? "en";
        const { noted, read } = bothWays(snapshot.localise, record, rule, lang);
        return noted === undefined || noted !== read ? [`${lang} ${record.json}`] : [];
      });
      expect(faults).toEqual([]);
    },
  );
});

/** An archive in memory with some lists and the records of one body. */
function createArchive() {
  const db = new SQLite(":memory:");
  db.pragma("foreign_keys = OFF");
  createTables(db);
  const select = db.prepare<[], StoredRecord>("SELECT json, texts FROM record ORDER BY position");

  return {
    /** What is stored of a body, and how it is localised from the lists. */
    fill(slice: Slice, body: string, readRecords: (dataset: string, lang: Lang) => readonly unknown[] | undefined) {
      const lists = createListLookup(readRecords);
      const notes = createNotes(lists);
      db.exec("DELETE FROM record");
      createRecordInserter(db, ({ slice }) => notes.noterOf(slice))({ id: 1, slice }, [Buffer.from(body)]);
      const localise = createLocaliser(createListedTexts(notes.texts(), readRecords), lists);
      return { records: select.all(), localise, lists, texts: notes.texts() };
    },
    close: () => void db.close(),
  };
}

const pageOf = (records: readonly string[]) => `{"code":0,"data":{"records":[${records.join(",")}],"total":1}}`;

/** Quotes, backslashes, controls, halves of characters, characters of two units, nothing, and much. */
const oddText = () =>
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.integer({ max: 0xffff, min: 0 }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
    fc.constantFrom("", '"', "\\", '\\"', "\\\\", "\\u0041", "\u0000\u0001", "\ud83d\ude00", "\ud800", "\udfff\ud800"),
    fc.constantFrom("é", "ไทย", "\u2028", "\u007f", '","name":"', "x".repeat(9000), "\\".repeat(5000)),
  );

describe("records with odd texts", () => {
  const archive = createArchive();
  afterAll(() => archive.close());

  test("come out as if they were read, whatever they hold", () => {
    const seen = { noted: 0, read: 0, localised: 0, lacking: 0 };
    const check = fc.property(fc.array(oddText(), { minLength: 1, maxLength: 6 }), fc.integer(), (words, number) => {
      const random = createRandom(String(number));
      const { dataset, rule } = random.pick(RULED);
      const { lists, body } = draw(rule, words, random);
      const slice: Slice = { dataset, lang: "en" };
      const {
        records,
        localise,
        lists: known,
      } = archive.fill(slice, body, (list, lang) => lists.get(`${list} ${lang}`));
      for (const record of records) {
        seen[record.texts === null ? "read" : "noted"] += 1;
        for (const lang of ["en", "th", "de"] as const) {
          const { noted, read } = bothWays(localise, record, rule, lang);
          expect(noted, `${lang} ${record.texts} ${record.json}`).toBe(read);
          const json: unknown = JSON.parse(record.json);
          const texts = localisedTexts(rule, json, lang, known);
          expect(read && JSON.stringify(JSON.parse(read))).toBe(texts && JSON.stringify(writeTexts(json, texts)));
          seen[noted === undefined ? "lacking" : "localised"] += 1;
        }
      }
    });
    fc.assert(check, { seed: SEED, numRuns: 300 });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
  });
});

/** Lists in English and Thai, none in German, and a body with records that show their texts. */
function draw(rule: readonly Reference[], words: readonly string[], random: Random) {
  const lists = new Map<string, readonly unknown[]>();
  for (const reference of rule) {
    lists.set(`${reference.list} en`, listFor(reference, words, random));
    lists.set(`${reference.list} th`, listFor(reference, words, random));
  }
  const known = createListLookup((list, lang) => lists.get(`${list} ${lang}`));
  const textOf = (reference: Reference, id: number, source: string) =>
    known(reference, "en")?.get(String(id))?.[source];
  const records = Array.from({ length: 1 + random.below(3) }, () =>
    spell(recordFor(rule, textOf, words, random), random),
  );
  return { lists, body: pageOf(records) };
}

type Tree = { [key: string]: Tree } | Tree[] | string | number;
type Node = { [key: string]: Tree };

/** Puts a value at a path; the objects on the way are made. */
function put(node: Node, path: Path, value: Tree) {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let parent = node;
  for (const key of keys) {
    parent[key] ??= {};
    parent = parent[key] as Node;
  }
  parent[last] = value;
}

/** Puts objects at a path with `[]`, or the one object that is the record itself. */
function putAt(record: Node, at: Path, objects: Node[]) {
  if (at === "") return void Object.assign(record, objects[0]);
  put(record, at.replace(/\[\]$/, ""), objects);
}

/** The records of a list in which some ids have the given texts, by path; of some a text is missing, or none at all. */
function listFor({ entries = "", key, texts, pictures = {} }: Reference, words: readonly string[], random: Random) {
  const made = [1, 2, 3, 3].map((id) => {
    const entry: Node = {};
    put(entry, key, random.below(4) === 0 ? String(id) : id);
    for (const path of Object.values({ ...texts, ...pictures })) {
      if (random.below(12) > 0) put(entry, path, random.below(12) === 0 ? random.below(9) : random.pick(words));
    }
    return entry;
  });
  if (entries === "") return made;
  const record: Node = {};
  putAt(record, entries, made);
  return [record];
}

/** A record that shows texts of such lists; now and then another one, or none. `textOf` reads the list. */
function recordFor(
  rule: readonly Reference[],
  textOf: (reference: Reference, id: number, source: Path) => unknown,
  words: readonly string[],
  random: Random,
): Node {
  const record: Node = {};
  for (const reference of rule) {
    const { at = "", id, texts, pictures = {} } = reference;
    const objects = Array.from({ length: at === "" ? 1 : random.below(4) }, (): Node => {
      const object: Node = {};
      const named = 1 + random.below(3);
      put(object, id, named);
      for (const [path, source] of Object.entries({ ...texts, ...pictures })) {
        const listed = textOf(reference, named, source);
        if (random.below(15) > 0)
          put(object, path, typeof listed === "string" && random.below(15) > 0 ? listed : random.pick(words));
      }
      return object;
    });
    // Two references may share their objects.
    const before = at === "" ? undefined : readList(record, at);
    if (before) before.forEach((object, index) => void merge(object, objects[index] ?? {}));
    else putAt(record, at, objects);
  }
  return record;
}

function readList(record: Node, at: Path): Node[] | undefined {
  let node: Tree | undefined = record;
  for (const key of at.replace(/\[\]$/, "").split(".")) node = (node as Node | undefined)?.[key];
  return node as Node[] | undefined;
}

function merge(into: Node, from: Node) {
  for (const [key, value] of Object.entries(from)) {
    if (typeof into[key] === "object" && typeof value === "object") merge(into[key] as Node, value as Node);
    else into[key] = value;
  }
}

const SPACES = ["", "", "", " ", "\n\t", "\r\n"];
const NOISE = [
  "1",
  "0.50",
  "-0",
  "1e400",
  "null",
  "true",
  '""',
  '"}"',
  '"\\\\"',
  '"\\"name\\":"',
  '{"name":"x"}',
  "[[],{}]",
];
const KEYS = [
  "a",
  "name",
  "data",
  "head",
  "caption",
  "battleskill",
  "skillid",
  "emblem",
  "__proto__",
  "",
  '"',
  "\\",
  "\ud800",
];

/** JSON with all that JSON allows: escapes, white space, more members, keys that are there twice. */
function spell(tree: Tree, random: Random): string {
  const space = () => random.pick(SPACES);
  const text = (value: string) => {
    const mode = random.below(4);
    if (mode > 0) return JSON.stringify(value);
    const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, "0"));
    return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
  };
  const write = (value: Tree): string => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((one) => space() + write(one) + space()).join(",")}]`;
    const members = Object.entries(value).map(([key, one]): [string, string] => [key, write(one)]);
    for (let more = random.below(3); more > 0; more -= 1) {
      // One that is there already seldom: of what follows it nothing is to be noted.
      const key = random.pick(KEYS);
      if (random.below(8) === 0 || !Object.hasOwn(value, key)) members.push([key, random.pick(NOISE)]);
    }
    const written = random
      .shuffle(members)
      .map(([key, one]) => `${space()}${text(key)}${space()}:${space()}${one}${space()}`);
    return `{${written.join(",")}}`;
  };
  return write(tree);
}

describe("what is noted", () => {
  const archive = createArchive();
  afterAll(() => archive.close());

  const hero = (id: number, name: unknown, head?: unknown) => ({
    data: { hero_id: id, hero: { data: { name, head } } },
  });
  const LISTS: Record<string, readonly unknown[]> = {
    "heroes en": [hero(1, "Miya", "m.png"), hero(2, "Tim", "t.png")],
    "heroes th": [hero(1, "มิยา", "th.png"), hero(2, "ทิม")],
    "heroes de": [hero(1, 7), hero(2, "Tim", "de.png")],
  };
  const rank = (record: string) => {
    const { records, localise } = archive.fill(
      { dataset: "rank", lang: "en" },
      pageOf([record]),
      (list, lang) => LISTS[`${list} ${lang}`],
    );
    const [stored] = records as [StoredRecord];
    const rule = endpointOf("rank").text as readonly Reference[];
    const inLang = (lang: Lang) => {
      const pieces = localise(stored, rule, lang);
      return pieces && joinChunks(pieces).toString();
    };
    return { ...stored, inLang };
  };
  const ofHero = (id: number, name: string, head: string) =>
    `{"data":{"main_heroid":${id},"main_hero":{"data":{"head":${head},"name":${name}}},"rate":0.50}}`;

  test("are the texts of the base list, with start, length and number", () => {
    const { texts, json, inLang } = rank(ofHero(1, '"Miya"', '"m.png"'));
    const [head, name] = [json.indexOf('"m.png"'), json.indexOf('"Miya"')];
    expect(JSON.parse(String(texts))).toEqual([head, 7, 0, name, 6, 1]);
    expect(inLang("th")).toBe(ofHero(1, '"มิยา"', '"th.png"'));
  });

  test("is no picture that is not the list's: it is that of all languages", () => {
    const { texts, json, inLang } = rank(ofHero(1, '"Miya"', '"other.png"'));
    expect(JSON.parse(String(texts))).toEqual([json.indexOf('"Miya"'), 6, 0]);
    expect(inLang("th")).toBe(ofHero(1, '"มิยา"', '"other.png"'));
  });

  test("is no record with a name that is not the list's: it is told in no language", () => {
    const { texts, inLang } = rank(ofHero(1, '"Miya."', '"m.png"'));
    expect(texts).toBeNull();
    expect(inLang("th")).toBeUndefined();
  });

  test("is told in no language that lacks a name, and keeps a picture that it lacks", () => {
    expect(rank(ofHero(1, '"Miya"', '"m.png"')).inLang("de")).toBeUndefined();
    expect(rank(ofHero(2, '"Tim"', '"t.png"')).inLang("th")).toBe(ofHero(2, '"ทิม"', '"t.png"'));
    expect(rank(ofHero(2, '"Tim"', '"t.png"')).inLang("ru")).toBeUndefined();
  });

  test("is nothing, which is noted too, where a record shows no text", () => {
    const { texts, inLang } = rank('{"data":{"main_heroid":1}}');
    expect(texts).toBe("[]");
    expect(inLang("ru")).toBe('{"data":{"main_heroid":1}}');
  });

  test("is found behind much else, and counted in units of JavaScript", () => {
    const long = `{"a":"${"😀".repeat(400)}",${ofHero(1, '"Miya"', '"m.png"').slice(1)}`;
    const { texts, inLang } = rank(long);
    expect(JSON.parse(String(texts))).toEqual([long.indexOf('"m.png"'), 7, 0, long.indexOf('"Miya"'), 6, 1]);
    expect(inLang("th")).toBe(long.replace('"m.png"', '"th.png"').replace('"Miya"', '"มิยา"'));
  });

  test("is read at once, however many texts a record shows that has too many to be noted", () => {
    const spell = (name: string) => ({ data: { battleskillid: 1, __data: { skillname: name, skilldesc: name } } });
    const text = '{"data":{"__data":{"skillname":"Flash","skilldesc":"Flash"}}}';
    const record = `{"data":{"build":[${Array(20_000).fill(`{"skillid":1,"battleskill":${text}}`).join(",")}],"rate":0.50}}`;
    const { records, localise } = archive.fill({ dataset: "builds", lang: "en" }, pageOf([record]), (list, lang) =>
      list === "spells" ? [spell(lang === "en" ? "Flash" : "กระพริบ")] : [],
    );
    const [stored] = records as [StoredRecord];
    expect(stored.texts).toBeNull();
    const pieces = localise(stored, endpointOf("builds").text as readonly Reference[], "th");
    expect(pieces && joinChunks(pieces).toString()).toBe(record.replaceAll("Flash", "กระพริบ"));
  });

  test("are only records of the base language, and of endpoints with texts of lists", () => {
    const body = pageOf([ofHero(1, '"Miya"', '"m.png"')]);
    for (const slice of [
      { dataset: "rank", lang: "th" },
      { dataset: "trends", lang: "en" },
    ] as Slice[]) {
      const { records, texts } = archive.fill(slice, body, (list, lang) => LISTS[`${list} ${lang}`]);
      expect([records[0]?.texts, texts], sliceKey(slice)).toEqual([null, []]);
    }
  });
});

describe("texts in JSON", () => {
  const findTexts = createTextFinder();

  test("are found in the order in which they stand, each with the number of its place", () => {
    const json = ' { "b" : [ "x", {"c":"\\"y"} ] , "\\u0061" : "z" } ';
    const places = [["a"], ["b", 1, "c"], ["b", 0]];
    const found = findTexts(json, places) ?? [];
    expect(found.filter((_, at) => at % 3 === 2)).toEqual([2, 1, 0]);
    const texts = [0, 3, 6].map((at) => json.slice(found[at], (found[at] ?? 0) + (found[at + 1] ?? 0)));
    expect(texts).toEqual(['"x"', '"\\"y"', '"z"']);
  });

  test("are not told when one is missing, no text, cut off, the same as another or in another", () => {
    const json = '{"a":{"b":"x"},"c":1,"d":["y"]}';
    expect(findTexts(json, [["a", "b"], ["e"]])).toBeUndefined();
    expect(findTexts(json, [["c"]])).toBeUndefined();
    expect(findTexts(json, [["d", "0"]])).toBeUndefined();
    expect(findTexts(json, [["a"], ["a", "b"]])).toBeUndefined();
    expect(
      findTexts(json, [
        ["a", "b"],
        ["a", "b"],
      ]),
    ).toBeUndefined();
    expect(findTexts("1", [["a"]])).toBeUndefined();
    expect(findTexts("", [["a"]])).toBeUndefined();
    const whole = '{"x":["\\\\"],"\\u0061":{"b":"\\"x"}}';
    for (let end = 0; end < whole.length - 2; end += 1)
      expect(findTexts(whole.slice(0, end), [["a", "b"]]), whole.slice(0, end)).toBeUndefined();
    expect(findTexts(whole.slice(0, -2), [["a", "b"]])).toHaveLength(3);
    expect(findTexts(json, [])).toEqual([]);
  });
});
