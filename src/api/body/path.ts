/** A path into a record: its steps joined by dots, `[]` for the elements of an array, a number for one of them. */
export type Path = string;

type Node = Record<string, unknown>;

/** Keys of objects and places in arrays, from the record down. */
export type KeyPath = readonly (string | number)[];

// Cached: there are few paths, each read for every record.
const split = new Map<Path, readonly string[]>();

export function keysOf(path: Path): readonly string[] {
  const steps = split.get(path);
  if (steps) return steps;
  const keys = path.split(".");
  split.set(path, keys);
  return keys;
}

/** Reads the value at a path without `[]`; undefined if the path ends early. */
export function readPath(record: unknown, path: Path): unknown {
  let node = record;
  for (const key of keysOf(path)) {
    if (node === null || typeof node !== "object") return undefined;
    node = (node as Node)[key];
  }
  return node;
}

/** All values at a path, in order. A value that should be an array and is not has no elements. */
export function valuesAt(record: unknown, path: Path): unknown[] {
  const mark = path.indexOf("[]");
  if (mark < 0) return [readPath(record, path)];
  const list = readPath(record, path.slice(0, mark));
  const rest = path.slice(mark + 3);
  if (!Array.isArray(list)) return [];
  return rest === "" ? list : list.flatMap((element) => valuesAt(element, rest));
}

/** The objects at a path, with their places; the record itself at the empty path. */
export function objectsAt(node: unknown, path: Path, place: KeyPath = []): { place: KeyPath; node: unknown }[] {
  if (node === null || typeof node !== "object") return [];
  if (path === "") return [{ place, node }];
  const [step = "", ...rest] = path.split(".");
  const key = step.replace("[]", "");
  const next = (node as Node)[key];
  if (!step.endsWith("[]")) return objectsAt(next, rest.join("."), [...place, key]);
  if (!Array.isArray(next)) return [];
  return next.flatMap((element, index) => objectsAt(element, rest.join("."), [...place, key, index]));
}
