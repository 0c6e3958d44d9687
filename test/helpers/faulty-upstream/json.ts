// The language's own way to keep the digits of a number; its types do not know it yet.
const lossless = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { rawJSON: string };
};

export type Fields = Record<string, unknown>;

/** The body of a list: its records and what is around them, to be changed in place. Numbers are kept as their digits. */
export interface Page {
  root: Fields;
  data: Fields;
  records: unknown[];
}

/** Nothing when the body is not a list of records. */
export function parsePage(body: Buffer): Page | undefined {
  let root: unknown;
  try {
    root = lossless.parse(body.toString("utf8"), (_key, value, { source }) =>
      typeof value === "number" ? lossless.rawJSON(source) : value,
    );
  } catch {
    return undefined;
  }
  if (!isFields(root) || !isFields(root.data) || !Array.isArray(root.data.records)) return undefined;
  return { root, data: root.data, records: root.data.records };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !lossless.isRawJSON(value);
}

/** The digits of a number that was parsed. */
export function digitsOf(value: unknown): string | undefined {
  return lossless.isRawJSON(value) ? value.rawJSON : undefined;
}

/** A field, and the object or list it is in. */
export interface Place {
  holder: Fields;
  name: string;
}

/** Where a path of keys and list positions leads, when there is something. */
export function find(root: unknown, path: string): Place | undefined {
  const steps = path.split(".");
  const name = steps.pop() ?? "";
  let holder = root;
  for (const step of steps) holder = holds(holder, step) ? holder[step] : undefined;
  return holds(holder, name) ? { holder, name } : undefined;
}

function holds(value: unknown, name: string): value is Fields {
  return typeof value === "object" && value !== null && !lossless.isRawJSON(value) && Object.hasOwn(value, name);
}
