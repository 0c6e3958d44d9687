import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAsked } from "../../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import manifest from "../captures/manifest.json" with { type: "json" };
import { startServer } from "../server.ts";

/** These are captured in one language and sent in each. */
export const IN_EVERY_LANGUAGE = ["heroes", "ratings", "rating"];

/** What a capture answers. Without `hero` on a hero's route each record is the answer of its own hero; without `lang` any language. */
export interface Captured {
  dataset: string;
  slice: {
    hero?: number | undefined;
    subject?: string | undefined;
    lane?: string | undefined;
    rank?: string | undefined;
    days?: string | undefined;
    lang?: string | undefined;
  };
  /** JSON text of each record, its numbers with the digits of the file. */
  records: string[];
  /** The envelope carries a `traceID: null`. */
  traced: boolean;
}

export interface CapturedFile extends Captured {
  file: string;
  text: string;
}

const FOLDER = join(import.meta.dirname, "..", "captures");

interface CapturedRoute {
  path: string;
  /** The parameters that select data, with their defaults. */
  query: Record<string, string>;
  unpaged: boolean;
}

/** By dataset; how they answer is written here from the specification. */
const ROUTES: Readonly<Record<string, CapturedRoute>> = Object.fromEntries(
  ENDPOINTS.filter(isAsked).map((endpoint) => {
    const { dataset, path, parameters, text, wrapping = "pages" } = endpoint;
    const selecting = parameters.flatMap((parameter) =>
      parameter.kind === "choice" && parameter.selects ? [parameter] : [],
    );
    const isLocalised = text !== "none" && !IN_EVERY_LANGUAGE.includes(dataset);
    const query = selecting
      .filter(({ selects }) => selects !== "lang" || isLocalised)
      .map(({ name, default: value = "" }) => [name, value]);
    const route = {
      path: path.replace("{hero_identifier}", "{hero}"),
      query: Object.fromEntries(query),
      unpaged: wrapping !== "pages",
    };
    return [dataset, route];
  }),
);

/** The lists that are sent in the order of a field, greatest first. */
const DESCENDING: Record<string, string> = {
  heroes: "data.hero_id",
  positions: "data.hero_id",
  rank: "data.main_hero_win_rate",
};

// The language's own way to keep the digits of a number; its types do not know it yet.
const lossless = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
};

/** All captures of the manifest. */
export function readCaptures(): CapturedFile[] {
  return manifest.map(({ file, dataset, slice }) => {
    const text = readFileSync(join(FOLDER, file), "utf8");
    const json = lossless.parse(text, (_key, value, { source }) =>
      typeof value === "number" ? lossless.rawJSON(source) : value,
    );
    // Some captures are the bare records; what has no pages is one record.
    const paged = Array.isArray(json) ? json : at(json, "data.records");
    const records = ROUTES[dataset]?.unpaged ? [at(json, "data")] : paged;
    if (!Array.isArray(records)) throw new Error(`${file} has no records`);
    const traced = at(json, "traceID") === null;
    return { file, text, dataset, slice, records: records.map((record) => JSON.stringify(record)), traced };
  });
}

/** Every answer of the upstream that holds a record, by path and query without paging. */
export function answersOf(captures: readonly Captured[]): Map<string, Captured> {
  const answers = new Map<string, Captured>();
  const others = captures.filter(({ dataset }) => dataset !== "heroes");
  for (const { dataset, slice, records, traced } of [createRoster(captures), ...others]) {
    const { path = "" } = ROUTES[dataset] ?? {};
    for (const record of records) {
      const own = path.includes("{hero}") ? { ...slice, hero: slice.hero ?? heroOf(record) } : slice;
      const address = addressOf(path, own);
      const answer = answers.get(address) ?? { dataset, slice: own, records: [], traced: false };
      answer.records.push(record);
      answer.traced ||= traced;
      answers.set(address, answer);
    }
  }
  for (const { dataset, records } of answers.values()) {
    const field = DESCENDING[dataset];
    if (field) records.sort((a, b) => Number(at(JSON.parse(b), field)) - Number(at(JSON.parse(a), field)));
  }
  return answers;
}

function addressOf(path: string, { hero, subject, lane, rank, days, lang }: Captured["slice"]): string {
  const named = path.replace("{hero}", String(hero)).replace("{subject}", String(subject));
  const url = new URL(named, "http://upstream");
  const given = { lane, rank, lang, days, "past-days": days };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) url.searchParams.set(name, value);
  const address = canonical(url);
  if (address === undefined) throw new Error(`no route has the path ${url}`);
  return address;
}

/** The path with the parameters that select data; nothing when no route has it. */
function canonical({ pathname, searchParams }: URL): string | undefined {
  const pattern = pathname.replace(/heroes\/\d+/, "heroes/{hero}").replace(/ratings\/\d+$/, "ratings/{subject}");
  const route = Object.values(ROUTES).find(({ path }) => path === pattern);
  if (!route) return undefined;
  const query = Object.entries(route.query).map(([name, value]) => `${name}=${searchParams.get(name) ?? value}`);
  return [pathname, ...(query.length > 0 ? [query.join("&")] : [])].join("?");
}

/**
 * The hero list, the same in every language: every hero that a capture is about. Two of its records are captured; the
 * others are derived from what the hero's own captures say of name, portraits and relations (an empty place where none
 * says anything). Nothing else of what the upstream sends is derived.
 */
function createRoster(captures: readonly Captured[]): Captured {
  const byHero = new Map<number, string[]>();
  for (const record of captures.flatMap(({ records }) => records)) {
    const hero = heroOf(record);
    if (hero !== undefined) byHero.set(hero, [...(byHero.get(hero) ?? []), record]);
  }
  const listed = captures.filter(({ dataset }) => dataset === "heroes").flatMap(({ records }) => records);
  for (const record of listed) byHero.delete(heroOf(record) ?? 0);
  const derived = [...byHero].map(([hero, records]) => deriveListRecord(hero, records));
  return { dataset: "heroes", slice: {}, records: [...listed, ...derived], traced: false };
}

function deriveListRecord(hero: number, records: readonly string[]): string {
  const first = (...paths: string[]) =>
    records.flatMap((record) => paths.map((path) => at(JSON.parse(record), path))).find((value) => value !== undefined);
  const targets = (kind: string) => ({ target_hero_id: first(`data.relation.${kind}.target_hero_id`) ?? [0] });
  const data = {
    head: first("data.hero.data.head", "data.main_hero.data.head"),
    name: first("data.hero.data.name", "data.main_hero.data.name", "data.main_hero.data.hero.data.name") ?? `${hero}`,
    smallmap: first("data.hero.data.smallmap"),
  };
  const relation = { assist: targets("assist"), strong: targets("strong"), weak: targets("weak") };
  return JSON.stringify({ data: { hero: { data }, hero_id: hero, relation } });
}

function heroOf(record: string): number | undefined {
  const json: unknown = JSON.parse(record);
  const hero = at(json, "data.hero_id") ?? at(json, "data.main_heroid") ?? at(json, "data.heroid");
  return typeof hero === "number" ? hero : undefined;
}

/** What lies at a path of object keys joined by dots. */
export function at(json: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (node, key) => (typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined),
      json,
    );
}

/** The number tokens of a JSON text in their order, as they are written. */
export const numbersOf = (text: string) =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)].map(([token]) => token).filter((token) => token[0] !== '"');

/** An upstream that sends the captured records and, for whatever was not captured, an answer without records. */
export async function startCapturedUpstream(captures: readonly Captured[] = readCaptures()) {
  const sent = answersOf(captures);
  /** What was asked for, without paging. */
  const requests: string[] = [];
  const server = await startServer((_, response, asked) => {
    const url = new URL(asked.url, "http://upstream");
    const path = canonical(url);
    requests.push(path ?? url.pathname);
    response.writeHead(path === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(
      path === undefined ? '{"detail":"Not Found"}' : answer(sent.get(path), url.searchParams, /ratings/.test(path)),
    );
  });
  return { url: server.url, sent, requests, close: () => server[Symbol.asyncDispose]() };
}

function answer(captured: Captured | undefined, query: URLSearchParams, unpaged: boolean): string {
  if (unpaged) return `{"code":0,"message":"Success","data":${captured?.records[0]},"traceID":"5edd"}`;
  const { records, traced } = captured ?? { records: [], traced: false };
  const size = Number(query.get("size") ?? 20);
  const start = (Number(query.get("index") ?? 1) - 1) * size;
  const data = `{"records":[${records.slice(start, start + size).join(",")}],"total":${records.length}}`;
  return `{"code":0,"message":"OK","data":${data}${traced ? ',"traceID":null' : ""}}`;
}
