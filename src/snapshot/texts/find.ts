import type { KeyPath } from "../../api/body/path.ts";

/** Keys and array indexes down to the places that are looked for; a leaf is the index of its place. */
type PathTree = Map<string | number, PathTree | number>;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const SPACE = 0x20;

/**
 * Finds the texts at these places of a JSON document: for each the start and the length with its quotes, in UTF-16 units, and the index of
 * its place, one after the other in document order. Undefined if a place is missing, is no text, or lies in another one.
 */
export type FindTexts = (json: string, places: readonly KeyPath[]) => number[] | undefined;

/**
 * Makes a finder that reads no further than to the last of the texts, and each character once. The document may be cut off behind them; it
 * must not have a key twice. One finder serves many documents, so that its closures are not made anew for each.
 */
export function createTextFinder(): FindTexts {
  let json = "";
  let at = 0;
  let missing = 0;
  let spans: number[] = [];

  function skipSpace() {
    while (json.charCodeAt(at) <= SPACE) at += 1;
  }

  /** Skips from a quote to behind the closing one; to beyond the end if that is cut off. */
  function skipText() {
    do at = json.indexOf('"', at + 1);
    while (isEscaped());
    at = at < 0 ? Number.POSITIVE_INFINITY : at + 1;
  }

  function isEscaped(): boolean {
    let before = at - 1;
    while (json.charCodeAt(before) === BACKSLASH) before -= 1;
    return (at - before) % 2 === 0;
  }

  function skipValue() {
    let depth = 0;
    while (at < json.length) {
      const code = json.charCodeAt(at);
      if (code === QUOTE) {
        skipText();
        if (depth === 0) return;
        continue;
      }
      if (code === OPEN_OBJECT || code === OPEN_LIST) depth += 1;
      else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        // The closing bracket of the list or object around a value without brackets.
        if (depth === 0) return;
        depth -= 1;
        if (depth === 0) {
          at += 1;
          return;
        }
      } else if (depth === 0 && code === COMMA) return;
      at += 1;
    }
  }

  function readKey(): string {
    const start = at;
    skipText();
    const key = json.slice(start + 1, at - 1);
    return key.includes("\\") && at <= json.length ? (JSON.parse(json.slice(start, at)) as string) : key;
  }

  function visit(node: PathTree | number | undefined) {
    const first = json.charCodeAt(at);
    if (typeof node === "number") {
      if (first !== QUOTE) return skipValue();
      const start = at;
      skipText();
      if (at > json.length) return;
      spans.push(start, at - start, node);
      missing -= 1;
    } else if (node === undefined || (first !== OPEN_OBJECT && first !== OPEN_LIST)) skipValue();
    else visitMembers(node, first === OPEN_LIST);
  }

  /** Visits a list or an object: to behind its closing bracket, or to the last text that is looked for. */
  function visitMembers(node: PathTree, isList: boolean) {
    const close = isList ? CLOSE_LIST : CLOSE_OBJECT;
    at += 1;
    skipSpace();
    for (let index = 0; at < json.length && json.charCodeAt(at) !== close; index += 1) {
      const key = isList ? index : readKey();
      if (!isList) {
        skipSpace();
        at += 1;
        skipSpace();
      }
      visit(node.get(key));
      if (missing === 0) return;
      skipSpace();
      if (json.charCodeAt(at) === COMMA) at += 1;
      skipSpace();
    }
    at += 1;
  }

  return (text, places) => {
    const tree = toPathTree(places);
    if (!tree) return undefined;
    [json, at, missing, spans] = [text, 0, places.length, []];
    skipSpace();
    if (missing > 0) visit(tree);
    return missing === 0 ? spans : undefined;
  };
}

/** Makes the tree; undefined if two places are the same, or one lies in another. */
function toPathTree(places: readonly KeyPath[]): PathTree | undefined {
  const root: PathTree = new Map();
  for (const [number, place] of places.entries()) {
    let node = root;
    for (const [depth, key] of place.entries()) {
      const next = node.get(key);
      const isLast = depth === place.length - 1;
      if (typeof next === "number" || (isLast && next)) return undefined;
      if (isLast) node.set(key, number);
      else {
        const made: PathTree = next ?? new Map();
        node.set(key, made);
        node = made;
      }
    }
  }
  return root;
}
