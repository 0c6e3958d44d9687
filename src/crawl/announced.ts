import { readPath } from "../api/body/path.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import type { Parameter } from "../api/request/parameters.ts";

/** The announcements about our endpoints in the OpenAPI document of an upstream. */
export interface Announced {
  /** The datasets of endpoints that it marks as deprecated. */
  deprecated: string[];
  /** Ranks, windows, lanes, roles and languages that only one side knows, in words; empty if there are none. */
  onlyThere: string;
  onlyHere: string;
}

/** The most parts of a schema that are read: the service has no lists so long, but many places may refer to one. */
const MOST_PARTS = 1000;
/** The most characters of a value from outside. */
const MOST_WORD_CHARS = 40;

/** Reads such a document; undefined if the text is not one. Any part of it may be anything: a part of another form counts as absent. */
export function readAnnounced(document: unknown): Announced | undefined {
  const paths = readPath(document, "paths");
  if (!isNode(paths)) return undefined;
  const items = new Map(Object.entries(paths).map(([path, item]) => [toTemplate(path), item]));
  const itemOf = ({ path }: Endpoint) => items.get(toTemplate(path));
  const follow = createFollow(document);
  const deprecated = ENDPOINTS.filter((endpoint) => readPath(itemOf(endpoint), "get.deprecated") === true);
  const differences = ENDPOINTS.flatMap((endpoint) => compare(endpoint, itemOf(endpoint), follow));
  return {
    deprecated: deprecated.map(({ dataset }) => dataset),
    onlyThere: describe(differences.flatMap(({ there }) => there)),
    onlyHere: describe(differences.flatMap(({ here }) => here)),
  };
}

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Makes a template that both sides share: they may name the parameters of a path differently, and end it with a slash or without. */
const toTemplate = (path: string) => path.replaceAll(/\{[^{}]*\}/g, "{}").replace(/\/$/, "");

/** Returns the node that a node refers to; the node itself if that is nothing in `components`. */
type Follow = (node: unknown) => unknown;

function createFollow(document: unknown): Follow {
  const components = ["schemas", "parameters"].flatMap((kind) => {
    const named = readPath(document, `components.${kind}`);
    const entries = Object.entries(isNode(named) ? named : {});
    return entries.map(([name, node]): [unknown, unknown] => [`#/components/${kind}/${name}`, node]);
  });
  const known = new Map(components);
  return (node) => known.get(readPath(node, "$ref")) ?? node;
}

/** Returns the values of each parameter that only one side has: `rank glory`. None if the other side states no values. */
function compare({ parameters }: Endpoint, item: unknown, follow: Follow) {
  const stated = ["get.parameters", "parameters"].flatMap((path) => listAt(item, path)).map(follow);
  return parameters.filter(isEnumerated).map(({ name, values }) => {
    const found = stated.find((one) => readPath(one, "name") === name && readPath(one, "in") === "query");
    const ours = new Set(values);
    const theirs = readWords(readPath(found, "schema"), follow);
    const say = (words: ReadonlySet<string>) => [...words].map((word) => `${name} ${word.slice(0, MOST_WORD_CHARS)}`);
    return { there: say(theirs.difference(ours)), here: theirs.size > 0 ? say(ours.difference(theirs)) : [] };
  });
}

type Enumerated = Extract<Parameter, { values: readonly string[] }>;

/** Tells whether a parameter is a rank, window, lane, role or language, and no order. */
const isEnumerated = (parameter: Parameter): parameter is Enumerated =>
  parameter.kind === "choices" || (parameter.kind === "choice" && parameter.selects !== undefined);

function listAt(node: unknown, path: string): unknown[] {
  const list = readPath(node, path);
  return Array.isArray(list) && list.length <= MOST_PARTS ? list : [];
}

/** Returns the values that a schema states, in any of its parts; none if there are too many. */
function readWords(schema: unknown, follow: Follow): ReadonlySet<string> {
  const words = new Set<string>();
  // The set grows while it is read, and holds a part that refers to itself once.
  const parts = new Set([schema]);
  for (const part of parts) {
    for (const value of [...listAt(part, "enum"), readPath(part, "const")])
      if (typeof value === "number" || (typeof value === "string" && value !== "")) words.add(String(value));
    for (const next of ["anyOf", "oneOf", "allOf"].flatMap((path) => listAt(part, path))) parts.add(next);
    parts.add(follow(part)).add(readPath(part, "items"));
    if (words.size > MOST_PARTS || parts.size > MOST_PARTS) return new Set();
  }
  return words;
}

const describe = (words: readonly string[]): string =>
  [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => `${word} in ${length === 1 ? "1 endpoint" : `${length} endpoints`}`)
    .join(", ");
