/**
 * JSON as its characters: numbers keep their digits, objects may hold a key twice, white space stays where nothing changes.
 * Reads only what `JSON.parse` takes, and does not check it again.
 */
export interface Json {
  type: "object" | "array" | "string" | "number" | "word";
  text: string;
  /** Where it began in the text that it was read from; NaN for what was made since. */
  start: number;
  /** Members or elements. */
  parts: readonly Part[];
}

export interface Part {
  /** With quotes and escapes as they came; an element has none. */
  key?: string;
  value: Json;
}

export function parseJson(text: string): Json {
  let at = 0;

  function skipSpace() {
    while (text.charCodeAt(at) <= 0x20) at += 1;
  }

  /** From a quote to behind the closing one: one that an even number of backslashes stands before. */
  function skipString() {
    for (;;) {
      at = text.indexOf('"', at + 1);
      let escapes = 0;
      while (text[at - 1 - escapes] === "\\") escapes += 1;
      if (escapes % 2 === 0) break;
    }
    at += 1;
  }

  function readParts(close: string): Part[] {
    const parts: Part[] = [];
    at += 1;
    skipSpace();
    while (text[at] !== close) {
      parts.push(close === "}" ? readMember() : { value: readValue() });
      skipSpace();
      if (text[at] === ",") at += 1;
      skipSpace();
    }
    at += 1;
    return parts;
  }

  function readMember(): Part {
    const start = at;
    skipString();
    const key = text.slice(start, at);
    skipSpace();
    at += 1;
    return { key, value: readValue() };
  }

  function readValue(): Json {
    skipSpace();
    const start = at;
    const first = text[at];
    if (first === "{" || first === "[") {
      const parts = readParts(first === "{" ? "}" : "]");
      return { type: first === "{" ? "object" : "array", text: text.slice(start, at), start, parts };
    }
    if (first === '"') skipString();
    else while (at < text.length && !",]}".includes(text[at] as string) && text.charCodeAt(at) > 0x20) at += 1;
    const type = first === '"' ? "string" : /[-\d]/.test(first ?? "") ? "number" : "word";
    return { type, text: text.slice(start, at), start, parts: [] };
  }

  return readValue();
}

/** An object or an array of these parts. */
export function compose(type: Json["type"], parts: readonly Part[]): Json {
  const inside = parts.map(({ key, value }) => (key === undefined ? value.text : `${key}:${value.text}`)).join(",");
  return { type, text: type === "object" ? `{${inside}}` : `[${inside}]`, start: Number.NaN, parts };
}

export const isContainer = ({ type }: Json): boolean => type === "object" || type === "array";

/** What a key or a text says. */
export const decode = (text: string): string =>
  text.includes("\\") ? (JSON.parse(text) as string) : text.slice(1, -1);

/** What lies under a key; of a key that is there twice the last one. */
export const memberOf = ({ parts }: Json, name: string): Json | undefined =>
  parts.findLast(({ key }) => key !== undefined && decode(key) === name)?.value;

/** A key as it is written without escapes, or any element. */
type Step = string;
const ELEMENT: Step = "[]";

const known = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  const steps = known.get(path) ?? path.split(/\.|(?=\[\])/).flatMap((step) => (step === "" ? [] : [toStep(step)]));
  known.set(path, steps);
  return steps;
}

const toStep = (step: string): Step => (step === ELEMENT ? step : JSON.stringify(step));

const isAt = ({ key }: Part, step: Step) => (key === undefined ? step === ELEMENT : key === step);

/** Each place at a path becomes the parts that are given for it; everything else stays as it is. */
export const rewrite = (node: Json, path: string, change: (part: Part) => readonly Part[]): Json =>
  rewriteAt(node, stepsOf(path), 0, change);

function rewriteAt(node: Json, steps: readonly Step[], at: number, change: (part: Part) => readonly Part[]): Json {
  const step = steps[at];
  if (step === undefined) return change({ value: node })[0]?.value ?? node;
  const parts = node.parts.map((part): readonly Part[] => {
    if (!isAt(part, step)) return [part];
    return at === steps.length - 1 ? change(part) : [rewritePart(part, steps, at + 1, change)];
  });
  return replaceParts(node, parts);
}

function rewritePart(part: Part, steps: readonly Step[], at: number, change: (part: Part) => readonly Part[]): Part {
  const value = rewriteAt(part.value, steps, at, change);
  return value === part.value ? part : { ...part, value };
}

/** The node with other parts in the place of each of its own. Where only values are others, the rest of its text stays. */
function replaceParts(node: Json, replaced: readonly (readonly Part[])[]): Json {
  const parts = replaced.flat();
  if (parts.length === node.parts.length && parts.every((part, place) => part === node.parts[place])) return node;
  const isKept =
    parts.length === replaced.length && replaced.every(([by], place) => by?.key === node.parts[place]?.key);
  if (!isKept || Number.isNaN(node.start)) return compose(node.type, parts);
  let text = "";
  let behind = 0;
  for (const [place, { value: old }] of node.parts.entries()) {
    const by = parts[place]?.value;
    if (!by || by === old) continue;
    text += node.text.slice(behind, old.start - node.start) + by.text;
    behind = old.start - node.start + old.text.length;
  }
  return { type: node.type, text: text + node.text.slice(behind), start: Number.NaN, parts };
}

/** Everything that lies at a path, in order. */
export function partsAt(node: Json, path: string): Part[] {
  const steps = stepsOf(path);
  return steps.reduce<Part[]>(
    (found, step) => found.flatMap(({ value }) => value.parts.filter((part) => isAt(part, step))),
    [{ value: node }],
  );
}
