import { readPath } from "./body/path.ts";
import type { Slice } from "./endpoint.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Why a slice has no answer of its own crawl, besides the faults of `faults.ts`. */
const HOLES = {
  "not-asked": "no crawl has asked for the slice yet",
  refused: "the upstream refuses the slice",
  withdrawn: "the upstream refuses a group with the slice in it, so the crawl did not ask",
  "left-out": "the operator left the endpoint out (`--without`)",
  unsettled: "slices of the same rank and window are missing or of another batch; one of the next nights asks again",
} as const;

export type HoleReason = keyof typeof HOLES;

export const NOT_ASKED = "not-asked" satisfies HoleReason;

/** Those that no further request of the night would change: such a slice is carried over or stays a hole, and fails nothing. */
export const EXCUSED: readonly string[] = ["refused", "withdrawn", "left-out"] satisfies HoleReason[];
export const isExcused = (reason: string | null | undefined): boolean => EXCUSED.includes(reason ?? "");

/** Those that are the upstream's will. */
export const REFUSED: readonly string[] = ["refused", "withdrawn"] satisfies HoleReason[];
export const isRefused = (reason: string | null | undefined): boolean => REFUSED.includes(reason ?? "");

/** How the service says no. Two refusals are alike if status and code are the same. */
export interface Refusal {
  /** Of HTTP. */
  status: number;
  /** The service's own, as text; null if it gives none. */
  code: string | null;
  /** In its words, cut and cleaned. It may hold the id of a request. */
  message: string;
}

const REFUSING_STATUSES = [400, 401, 403, 404, 405, 410, 422, 451, 501];
const MAX_CODE_CHARS = 64;
const MAX_MESSAGE_CHARS = 200;

/** Codes that are about load: the same request may be answered a minute later. */
const LOAD_CODES = /^(?:429|503)$|rate.?limit|too.?many|overload|unavailable|maintenance|time.?out/i;

/**
 * What a parsed body says no with, behind a status of 200 or one that refuses; undefined if it does not. `load`: it says so
 * because there is too much to do.
 */
export function readRefusal(status: number, json: unknown): (Refusal & { load: boolean }) | undefined {
  const code = readCode(json);
  const refuses = status === 200 ? code !== null && code !== "0" : REFUSING_STATUSES.includes(status);
  if (!refuses) return undefined;
  return { status, code, message: readMessage(json), load: LOAD_CODES.test(code ?? "") };
}

export const isRefusingStatus = (status: number): boolean => REFUSING_STATUSES.includes(status);

function readCode(json: unknown): string | null {
  for (const path of ["code", "error.code"]) {
    const code = readPath(json, path);
    if (typeof code === "number" || (typeof code === "string" && code !== ""))
      return clean(String(code), MAX_CODE_CHARS);
  }
  return null;
}

function readMessage(json: unknown): string {
  const messages = ["message", "error.message", "msg", "detail"].map((path) => readPath(json, path));
  const message =
    messages.find((text) => typeof text === "string" && text !== "") ?? messages.find((text) => text != null);
  const text = typeof message === "string" ? message : (JSON.stringify(message) ?? "");
  return clean(text, MAX_MESSAGE_CHARS);
}

const clean = (text: string, most: number) => sanitizeLine(text.slice(0, 4 * most).toWellFormed()).slice(0, most);

/** `200, code 10407`, or `422`. */
export function describeRefusal({ status, code }: Pick<RefusedGroup, "status" | "code">): string {
  if (status === null) return `no usable answer (${code})`;
  return code === null ? String(status) : `${status}, code ${code}`;
}

/** What a group has in common, the widest first. */
export const DIMENSIONS = ["endpoint", "lang", "rank", "days", "lane", "hero"] as const;
export type GroupDimension = (typeof DIMENSIONS)[number];

/** The slices of one dataset with one value in one dimension. A group has such a part for each dataset in which it is refused. */
export interface GroupPart {
  dimension: GroupDimension;
  value: string;
  dataset: string;
}

/** A part of a group that the upstream refuses. */
export interface RefusedGroup extends GroupPart {
  /** Start of the crawl of the night since which it is refused, ISO 8601 in UTC. */
  since: string;
  /** That night; null stands for the one at hand, which has no name before its data is whole. */
  since_version: string | null;
  /** Of HTTP; null if it was given up for another reason than a refusal. */
  status: number | null;
  code: string | null;
}

export const valueIn = (slice: Slice, dimension: GroupDimension): string | undefined =>
  dimension === "endpoint" ? slice.dataset : slice[dimension]?.toString();

/** All of an endpoint. */
export const endpointPart = (dataset: string): GroupPart => ({ dimension: "endpoint", value: dataset, dataset });

/** The parts that a slice is in, one for each of its parameters but the subject. */
export const partsOf = (slice: Slice): GroupPart[] =>
  DIMENSIONS.flatMap((dimension) => {
    const value = dimension === "endpoint" ? undefined : valueIn(slice, dimension);
    return value === undefined ? [] : [{ dimension, value, dataset: slice.dataset }];
  });

export const isInPart = ({ dataset, dimension, value }: GroupPart, slice: Slice): boolean =>
  slice.dataset === dataset && valueIn(slice, dimension) === value;

export const groupId = ({ dimension, value }: Omit<GroupPart, "dataset">): string => `${dimension} ${value}`;
export const partId = (part: GroupPart): string => `${groupId(part)} ${part.dataset}`;

/** One line a group, as `ratings, rating: 200, code 10407` and `lang km in 12 endpoints: 422`. */
export function describeGroups(
  parts: readonly Pick<RefusedGroup, "dimension" | "value" | "dataset" | "status" | "code">[],
  more: (group: Omit<GroupPart, "dataset">) => string = () => "",
): string[] {
  const endpoints = parts.filter(({ dimension }) => dimension === "endpoint");
  const alike = [...Map.groupBy(endpoints, describeRefusal)].map(
    ([how, same]) => `${same.map(({ dataset }) => dataset).join(", ")}: ${how}`,
  );
  const others = parts.filter(({ dimension }) => dimension !== "endpoint");
  const groups = [...Map.groupBy(others, groupId)].map(([id, same]) => {
    const [first] = same;
    const how = [...new Set(same.map(describeRefusal))].join(" or ");
    const where = same.length === 1 ? first?.dataset : `${same.length} endpoints`;
    return `${id} in ${where}: ${how}${first ? more(first) : ""}`;
  });
  return [...alike, ...groups];
}

export const ENDPOINT_STATES = ["open", "withdrawn", "left-out"] as const;

/** What became of an endpoint. */
export interface EndpointState {
  dataset: string;
  state: (typeof ENDPOINT_STATES)[number];
  /** Start of the crawl of the night in which it was first in this state, ISO 8601 in UTC. */
  since: string;
  /** 1: the upstream's own document says that it is on its way out; null: that was never read. */
  deprecated: number | null;
}
