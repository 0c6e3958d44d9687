import type { Endpoint } from "../../../src/api/endpoint.ts";
import { type Json, memberOf, type Part, partsAt, rewrite } from "./json.ts";
import { ENVELOPE_KINDS, KINDS, type Spot } from "./kinds.ts";
import { ENVELOPE } from "./paths.ts";

/** What is put where. */
export interface Change {
  path: string;
  /** The name of a kind. */
  kind: string;
  /** In one record, and there in one place; or in every place of all. */
  how: "one" | "all";
  /** Picks the one. */
  draw: number;
}

type Wrapping = Endpoint["wrapping"];

export function recordsOf(wrapping: Wrapping, body: Json): readonly Json[] {
  if (wrapping === "body") return [body];
  const data = memberOf(body, "data");
  const records = wrapping === "data" ? data : data && memberOf(data, "records");
  if (!records) throw new Error("an answer without records");
  return wrapping === "data" ? [records] : records.parts.map(({ value }) => value);
}

/** The body with each record as it is given for it. */
export function replaceRecords(wrapping: Wrapping, body: Json, replace: (record: Json) => Json): Json {
  const path = wrapping === "body" ? "" : wrapping === "data" ? "data" : "data.records[]";
  return rewrite(body, path, ({ key, value }) => [{ ...(key !== undefined && { key }), value: replace(value) }]);
}

/** The body with the change; nothing where it does not apply. `others` are the records of another slice of the dataset. */
export function mutateBody(
  wrapping: Wrapping,
  body: Json,
  change: Change,
  others: readonly Json[],
): string | undefined {
  if (change.path === ENVELOPE) return mutateEnvelope(body, change.kind);
  const changed = mutateRecords(recordsOf(wrapping, body), change, others);
  return changed && replaceRecords(wrapping, body, (record) => changed.get(record) ?? record).text;
}

export const mutateEnvelope = (body: Json, name: string): string | undefined =>
  ENVELOPE_KINDS.find((kind) => kind.name === name)?.apply(body);

/** The records that the change concerns, and what becomes of them; nothing where it does not apply. */
export function mutateRecords(
  records: readonly Json[],
  change: Change,
  others: readonly Json[],
): Map<Json, Json> | undefined {
  const places = findPlaces(records, change.path);
  const apply = toApply(places, change, others);
  const chosen = change.how === "all" ? places : chooseOne(places, change.draw, apply);
  const changed = chosen.flatMap(({ record, parts }): [Json, Json][] => {
    const meant = new Set(parts.map(({ value }) => value));
    const next = rewrite(record, change.path, (part) => (meant.has(part.value) && apply(part)) || [part]);
    return next === record ? [] : [[record, next]];
  });
  return changed.length > 0 ? new Map(changed) : undefined;
}

/** What lies at a path in one record. */
export interface Places {
  record: Json;
  parts: readonly Part[];
}

export const findPlaces = (records: readonly Json[], path: string): Places[] =>
  records.map((record) => ({ record, parts: partsAt(record, path) }));

/** Whether a kind applies anywhere. */
export function applies(places: readonly Places[], change: Change, others: readonly Json[]): boolean {
  const apply = toApply(places, change, others);
  return places.some(({ parts }) => parts.some((part) => apply(part) !== undefined));
}

type Apply = ReturnType<typeof toApply>;

function toApply(places: readonly Places[], { path, kind: name, how, draw }: Change, others: readonly Json[]) {
  const kind = KINDS.find((one) => one.name === name);
  if (!kind) throw new Error(`no kind is called ${name}`);
  const surroundings = {
    isRecord: path === "",
    peers: once(() => valuesIn(places)),
    foreign: once(() => valuesIn(findPlaces(others, path))),
    draw,
    count: how === "one" ? 1 : places.reduce((sum, { parts }) => sum + parts.length, 0),
  };
  return (part: Part) => kind.apply({ ...part, ...surroundings } satisfies Spot);
}

const valuesIn = (places: readonly Places[]) => places.flatMap(({ parts }) => parts.map(({ value }) => value));

/** The first place from the drawn one on at which the kind applies. */
function chooseOne(places: readonly Places[], draw: number, apply: Apply): Places[] {
  for (const { record, parts } of rotate(places, draw)) {
    const part = rotate(parts, Math.floor(draw / places.length)).find((one) => apply(one) !== undefined);
    if (part) return [{ record, parts: [part] }];
  }
  return [];
}

const rotate = <T>(list: readonly T[], by: number): T[] => {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
};

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
