import { type NeededField, neededFields } from "../../../src/api/body/needed-fields.ts";
import { readPath, valuesAt } from "../../../src/api/body/path.ts";
import { type Endpoint, type Identity, type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { LANES, RANKS } from "../../../src/api/enumerations.ts";
import type { Failure } from "../../../src/api/failure.ts";
import { HERO_IDENTIFIER, SUBJECT } from "../../../src/api/request/path-parameter.ts";
import type { BuildResult } from "../../../src/snapshot/pipeline.ts";
import type { MutatingUpstream } from "./mutating-upstream.ts";
import { type Mutation, toRequest } from "./mutations.ts";

/**
 * Why an answer may be refused, in words; nothing where it must be taken. The fields come from the table, what is right in
 * them is said here once more, so that the crawl is not its own judge.
 */
export function mayRefuse(slice: Slice, body: string): string | undefined {
  const { wrapping = "pages" } = endpointOf(slice.dataset);
  const { code, data } = JSON.parse(body.replace(/^\ufeff/, "")) as { code?: unknown; data?: unknown };
  if (code !== 0) return "code is not 0";
  if (!isObject(data)) return "data is no object";
  if (wrapping === "data") return mayRefuseRecord(slice, data);
  const { records, total } = data;
  if (!Array.isArray(records)) return "records is no list";
  if (total !== records.length) return "total is not their number";
  return records.map((record) => mayRefuseRecord(slice, record)).find((reason) => reason !== undefined);
}

function mayRefuseRecord(slice: Slice, record: unknown): string | undefined {
  const endpoint = endpointOf(slice.dataset);
  const unmet = neededFields(endpoint)
    .filter(({ base }) => !base || slice.lang === "en")
    .find((need) => !isMet(need, record, need.path));
  return unmet ? `${unmet.path} is needed` : findStrange(endpoint.identity ?? {}, slice, record);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function isMet(need: NeededField, node: unknown, path: string): boolean {
  const [first = "", ...rest] = path.split("[].");
  const value = readPath(node, first);
  if (rest.length === 0) return FITS[need.kind](value);
  if (!Array.isArray(value)) return false;
  const entries = value.filter((entry) => entry !== null && typeof entry === "object");
  return entries.every((entry) => isMet(need, entry, rest.join("[].")));
}

const isWhole = (value: unknown) =>
  (typeof value === "number" && Number.isSafeInteger(value)) ||
  (typeof value === "string" && /^-?(0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(Number(value)));

const FITS: Record<NeededField["kind"], (value: unknown) => boolean> = {
  hero: (value) => isWhole(value) && Number(value) >= 1,
  id: isWhole,
  number: (value) => isWhole(value) || (typeof value === "number" && Number.isFinite(value)),
  word: (value) => wordOf(value) !== undefined,
  name: (value) => typeof value === "string",
  segment: (value) => /^[\w-]{1,64}$/.test(wordOf(value) ?? ""),
};

/** 12, 12.0 and "12" are one word. */
export function wordOf(value: unknown): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Of these only another real one says that the answer is another's. */
const REAL: Partial<Record<keyof Identity, readonly string[]>> = {
  road: LANES.map(({ id }) => id),
  bigrank: RANKS.map(({ bigrank }) => bigrank),
  match_type: ["0", "1"],
};

function findStrange(identity: Identity, slice: Slice, record: unknown): string | undefined {
  const asked: Record<keyof Identity, string | undefined> = {
    hero: slice.hero?.toString(),
    subject: slice.subject,
    road: LANES.find(({ code }) => code === slice.lane)?.id,
    bigrank: RANKS.find(({ code }) => code === slice.rank)?.bigrank,
    match_type: endpointOf(slice.dataset).matchType,
  };
  for (const [name, path] of Object.entries(identity) as [keyof Identity, string][]) {
    const [found, expected] = [wordOf(readPath(record, path)), asked[name]];
    if (found === undefined || expected === undefined || found === expected) continue;
    if (REAL[name]?.includes(found) ?? true) return `${path} is that of another ${name}`;
  }
  return undefined;
}

/** Whether a path is that of a needed field, or of something around one. */
export const isNeeded = (endpoint: Endpoint, path: string): boolean =>
  neededFields(endpoint).some(
    ({ path: need }) => path === "" || need === path || need.startsWith(`${path}.`) || need.startsWith(`${path}[`),
  );

export interface Event {
  event: string;
  [fact: string]: unknown;
}

/** What a crawl and its build came to. Whatever else is thrown is a fault of ours. */
export interface Ended {
  events: Event[];
  night?: BuildResult;
  failure?: Failure;
}

export interface Blamed {
  mutation: Mutation;
  reason: string;
}

/** The mutations that had the right to end a crawl so. Throws where there is none: nothing needed was odd. */
export async function explainFailure(upstream: MutatingUpstream, { failure, events }: Ended): Promise<Blamed[]> {
  const renamed = await findRenamed(upstream);
  const faults = events.filter(({ event, reason }) => event === "fault" && reason !== "odd") as unknown as (Slice & {
    detail: string;
  })[];
  const blamed = faults.length > 0 ? [] : [...renamed];
  for (const fault of new Map(faults.map((one) => [sliceId(one), one])).values()) {
    const found = await explainFault(upstream, fault, renamed);
    if (found.length === 0) throw new Error(`${sliceId(fault)} is refused without need: ${fault.detail}`);
    blamed.push(...found);
  }
  const once = [...new Map(blamed.map((one) => [one.mutation, one])).values()];
  if (once.length === 0) throw new Error(`exit ${failure?.exit} without need: ${failure?.message}`);
  return once;
}

async function explainFault(upstream: MutatingUpstream, fault: Slice, renamed: readonly Blamed[]): Promise<Blamed[]> {
  const response = await fetch(upstream.url + toRequest(fault, { size: 200, index: 1 }));
  const body = await response.text();
  const reason = response.status === 200 ? mayRefuse(fault, body) : undefined;
  // Whoever is named otherwise is asked otherwise.
  if (reason === undefined) return [...renamed];
  const { mutations } = await upstream.changedOf(fault);
  return mutations.map((mutation) => ({ mutation, reason: `${fault.dataset}: ${reason}` }));
}

/** What names other heroes or votes than there are: they are asked for, and others are not. */
async function findRenamed(upstream: MutatingUpstream): Promise<Blamed[]> {
  const named = [
    { list: HERO_IDENTIFIER.list, at: HERO_IDENTIFIER.id },
    ...(SUBJECT.kind === "word" ? [{ list: SUBJECT.list, at: SUBJECT.at }] : []),
  ];
  const found: Blamed[] = [];
  for (const { list, at } of named) {
    const { records, mutations } = await upstream.changedOf({ dataset: list, lang: "en" });
    const words = (texts: Iterable<string>) =>
      [...texts].flatMap((text) => valuesAt(JSON.parse(text), at).map(wordOf)).sort();
    if (String(words(records.keys())) === String(words(records.values()))) continue;
    found.push(...mutations.map((mutation) => ({ mutation, reason: `${list}: ${at} names others` })));
  }
  return found;
}
