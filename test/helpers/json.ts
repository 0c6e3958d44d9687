/** A number, or a text that is to keep its spelling, as the characters that it is written with. */
interface RawJson {
  rawJSON: string;
}

/** Read so that what is written again is the same to the digit. */
export type Json = null | boolean | string | RawJson | Json[] | { [key: string]: Json };

declare global {
  interface JSON {
    isRawJSON(value: unknown): value is RawJson;
  }
}

export const rawJson = (text: string) => JSON.rawJSON(text) as RawJson;

/** The characters of a number; undefined if the value is something else. */
export const numberText = (value: Json): string | undefined => (JSON.isRawJSON(value) ? value.rawJSON : undefined);

export const isObject = (value: Json): value is { [key: string]: Json } =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !JSON.isRawJSON(value);

/** Reads a text. If a key is there twice, the last one counts. */
export const readJson = (text: string): Json =>
  JSON.parse(text.replace(/^\ufeff/, ""), (_, value, { source }) =>
    typeof value === "number" ? rawJson(source ?? "") : value,
  ) as Json;

/** Stands in front of a key that is there without it too: both are written as the same key. */
export const TWICE = "\ue000";
/** The same, with its first letter as an escape. */
export const TWICE_ESCAPED = "\ue001";

export const writeJson = (value: Json): string =>
  JSON.stringify(value)
    .replaceAll(TWICE, "")
    .replaceAll(/\ue001(.)/g, (_, letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A value in a list, or under a key. */
export interface JsonPart {
  key: string | undefined;
  value: Json;
}

/** Puts the parts that are given for it in the place of all that lies at a path: `data.list[].id`, or "" for the value itself. */
export function rewriteJson(value: Json, path: string, change: (part: JsonPart) => readonly JsonPart[]): Json {
  const steps = path.split(/\.|(?=\[\])/).filter((step) => step !== "");
  return rewriteAt({ key: undefined, value }, steps, change)[0]?.value ?? null;
}

function rewriteAt(
  part: JsonPart,
  [step, ...rest]: readonly string[],
  change: (part: JsonPart) => readonly JsonPart[],
): readonly JsonPart[] {
  const { key, value } = part;
  if (step === undefined) return change(part);
  if (Array.isArray(value)) {
    const inside = value.flatMap((one) => rewriteAt({ key: undefined, value: one }, rest, change));
    return step === "[]" ? [{ key, value: inside.map((one) => one.value) }] : [part];
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return [part];
  const members = Object.entries(value).flatMap(([name, one]) =>
    name === step ? rewriteAt({ key: name, value: one }, rest, change) : [{ key: name, value: one }],
  );
  return [{ key, value: Object.fromEntries(members.map((one) => [one.key, one.value])) }];
}

/** Everything that lies at a path, in order. */
export function partsAt(value: Json, path: string): JsonPart[] {
  const found: JsonPart[] = [];
  rewriteJson(value, path, (part) => {
    found.push(part);
    return [part];
  });
  return found;
}

/** Returns the value at a path of object keys joined by dots, in JSON of any kind. */
export const at = (json: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (node, key) => (typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined),
      json,
    );
