import SQLite from "better-sqlite3";
import { afterAll, expect, test } from "vitest";
import { sourcesOf } from "../../src/snapshot/schema/sources.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { UNMAPPED } from "../../src/snapshot/schema/unmapped.ts";
import { type Row, recordsWhere, type Sent } from "../helpers/archive.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { world } from "../helpers/world.ts";

const db = new SQLite(world.snapshot, { readonly: true });
afterAll(() => db.close());

type Cell = Row[string];

/** A key as a text that no other key has. */
const keyText = (row: Row, columns: readonly string[]) => columns.map((column) => row[column]).join(" · ");

const toPattern = (path: string) => path.replaceAll(/[^\w*]/g, "\\$&").replaceAll("*", "[^.]*");

/** Every tenth hero, and what is of none: records of the others have no other fields. */
const SOME = "coalesce(hero_id, 1) % 10 = 1";
const isSome = ({ hero_id }: Row) => hero_id === null || Number(hero_id) % 10 === 1;

test("every field of a record has a column that names it as its source, or a reason to be left out", () => {
  const homeless = new Set<string>();
  const idle = new Set(UNMAPPED);
  const known = new Set<string>();
  for (const { dataset, record } of recordsWhere(db, `${SOME} AND lang = ?`, "en")) {
    for (const path of pathsOf(record)) {
      if (known.has(`${dataset} ${path}`)) continue;
      known.add(`${dataset} ${path}`);
      const left = leftOut(dataset, path);
      if (left) idle.delete(left);
      else if (homesOf(dataset, path).length === 0) homeless.add(`${dataset} ${path}`);
    }
  }
  expect([...homeless]).toEqual([]);
  expect([...idle]).toEqual([]);
  expect(known.size).toBeGreaterThan(200);
});

test("every value of some hundred records is in a column of a row that belongs to the record", () => {
  const valuesOf = indexValues();
  const some = `FROM record JOIN coverage USING (slice_id) WHERE ${SOME}`;
  const rowids = createRandom("typed fields").shuffle(db.prepare(`SELECT record.rowid ${some}`).pluck().all());
  // And of each endpoint the last one: of some there are only a few.
  const last = db.prepare(`SELECT max(record.rowid) ${some} GROUP BY dataset`).pluck().all();
  const ids = JSON.stringify([...rowids.slice(0, 1000), ...last]);
  const lost: string[] = [];
  let found = 0;
  for (const sent of recordsWhere(db, "record.rowid IN (SELECT value FROM json_each(?))", ids)) {
    const facts = factsOf(sent);
    if (!isSome(facts)) continue;
    for (const [path, value] of scalarsOf(sent.record)) {
      if (isEmpty(path, value) || leftOut(sent.dataset, path)) continue;
      const homes = homesOf(sent.dataset, path);
      if (homes.some((home) => has(valuesOf(home, facts), value))) found += 1;
      else lost.push(`${path} = ${value} of ${JSON.stringify(facts)}: not in ${homes}`);
    }
  }
  expect(lost, `SEED=${SEED}`).toEqual([]);
  expect(found).toBeGreaterThan(10_000);
});

/** The fields of a record that hold no others, as `data.sub_hero[].heroid`. */
function* scalarsOf(value: unknown, path = ""): Generator<[path: string, value: Cell]> {
  if (Array.isArray(value)) for (const entry of value) yield* scalarsOf(entry, `${path}[]`);
  else if (value !== null && typeof value === "object") {
    for (const [key, entry] of Object.entries(value)) yield* scalarsOf(entry, path ? `${path}.${key}` : key);
  } else yield [path, value as Cell];
}

/** The paths alone, each once: what every record is asked for. */
function pathsOf(record: unknown): Set<string> {
  const paths = new Set<string>();
  const walk = (value: unknown, path: string) => {
    if (Array.isArray(value)) for (const entry of value) walk(entry, `${path}[]`);
    else if (value !== null && typeof value === "object") {
      for (const key of Object.keys(value))
        walk((value as Record<string, unknown>)[key], path ? `${path}.${key}` : key);
    } else paths.add(path);
  };
  walk(record, "");
  return paths;
}

function leftOut(dataset: string, path: string) {
  const fits = (wanted: string) => `$.${path}` === wanted || path === wanted || path.endsWith(`.${wanted}`);
  return UNMAPPED.find((one) => (one.datasets.length === 0 || one.datasets.includes(dataset)) && one.paths.some(fits));
}

/** What the tables resolve: an empty text is null, and 0 is no hero. */
const isEmpty = (path: string, value: Cell) =>
  value === "" || value === null || (value === 0 && path.endsWith(".target_hero_id[]"));

/** Numbers that are sent as texts are numbers in the tables, several by commas too; numbers of codes are texts there. */
const has = (values: ReadonlySet<unknown> | undefined, value: Cell) =>
  values !== undefined &&
  (values.has(value) ||
    (typeof value === "string"
      ? value.split(",").every((part) => values.has(Number(part)))
      : values.has(String(value))));

/** The English name in a statistics record, and the publisher's number of a place, whose own column has our code. */
const ALSO: [source: string, home: string][] = [
  ["data.main_hero.data.name", "hero_text.name"],
  ["data.main_hero.data.hero.data.name", "hero_text.name"],
  ["timeline data.real_road", "lane.road_sort_id"],
  ["builds data.real_road", "lane.road_sort_id"],
  ["data.hero.data.roadsort[].data.road_sort_id", "lane.road_sort_id"],
  ["data.hero.data.sortid[].data.sort_id", "role.sort_id"],
];

/** `hero data.url, data.page` names two paths of one endpoint; a source without an endpoint is one of several. */
const SOURCES = [
  ...TABLES.flatMap((table) =>
    Object.entries(sourcesOf(table)).map(([column, source]) => [source ?? "", `${table.name}.${column}`] as const),
  ),
  ...ALSO,
]
  .filter(([source]) => source !== "")
  .flatMap(([source, home]) => {
    let dataset: string | undefined;
    return source.split(", ").map((part) => {
      const [, named, path = ""] = /^(?:(\S+) )?(.*)$/.exec(part) ?? [];
      dataset = named ?? dataset;
      const pattern = toPattern(path.replaceAll(/\[\d+\]/g, "[]"));
      return { dataset, whole: new RegExp(`^${pattern}$`), end: new RegExp(`\\.${pattern}$`), home };
    });
  });

/** The columns that come from a path: the whole path before its end, this endpoint before others. */
function homesOf(dataset: string, path: string): string[] {
  const isOwn = (source: (typeof SOURCES)[number]) => source.dataset === undefined || source.dataset === dataset;
  const whole = SOURCES.filter((source) => source.whole.test(path));
  const end = SOURCES.filter((source) => source.end.test(path));
  const choices = [whole.filter(isOwn), whole, end.filter(isOwn), end];
  return choices.find((homes) => homes.length > 0)?.map(({ home }) => home) ?? [];
}

/** The columns that say which record a row belongs to. */
const OWNER = ["source", "hero_id", "subject", "rank", "days", "lang", "combo_id", "version_id"];

function factsOf({ dataset, hero, record, ...asked }: Sent): Row {
  const { id = null, data = {} } = record as { id?: number; data?: { hero_id?: number; main_heroid?: number } };
  const hero_id = hero || (data.hero_id ?? data.main_heroid ?? null);
  return { source: dataset, hero_id, ...asked, combo_id: id, version_id: id };
}

/** Looks up the values of a column among the rows that belong to a record. */
function indexValues() {
  const owners = new Map<string, string[]>();
  const rowsOf = new Map<string, Row[]>();
  const values = new Map<string, Set<unknown>>();
  for (const { name: table, columns, rows, constants } of TABLES) {
    if (!rows && !constants) continue;
    const owner = Object.keys(columns).filter((column) => OWNER.includes(column));
    owners.set(table, owner);
    const where = columns.hero_id ? `WHERE ${SOME}` : "";
    for (const row of db.prepare<[], Row>(`SELECT * FROM ${table} ${where}`).iterate()) {
      // The list of all votes is asked for without a subject.
      for (const subject of new Set([row.subject ?? 0, 0])) {
        const place = `${table} ${keyText({ ...row, subject }, owner)}`;
        const rows = rowsOf.get(place) ?? [];
        rowsOf.set(place, rows);
        rows.push(row);
      }
    }
  }
  return (home: string, facts: Row) => {
    const [table = "", column = ""] = home.split(".");
    const key = keyText(facts, owners.get(table) ?? []);
    const place = `${home} ${key}`;
    const known = values.get(place) ?? new Set(rowsOf.get(`${table} ${key}`)?.map((row) => row[column]));
    values.set(place, known);
    return known;
  };
}
