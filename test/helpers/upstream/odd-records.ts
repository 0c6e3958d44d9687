import type { Path } from "../../../src/api/body/path.ts";
import type { Reference } from "../../../src/api/endpoint.ts";
import type { Random } from "../random.ts";

type Tree = { [key: string]: Tree } | Tree[] | string | number;
type Node = { [key: string]: Tree };

/** Puts a value at a path; the objects on the way are made. */
function put(node: Node, path: Path, value: Tree) {
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let parent = node;
  for (const key of keys) {
    parent[key] ??= {};
    parent = parent[key] as Node;
  }
  parent[last] = value;
}

/** Puts objects at a path with `[]`, or the one object that is the record itself. */
function putAt(record: Node, at: Path, objects: Node[]) {
  if (at === "") return void Object.assign(record, objects[0]);
  put(record, at.replace(/\[\]$/, ""), objects);
}

/** The records of a list in which some ids have the given texts, by path; of some a text is missing, or none at all. */
export function listFor(
  { entries = "", key, texts, pictures = {} }: Reference,
  words: readonly string[],
  random: Random,
) {
  const made = [1, 2, 3, 3].map((id) => {
    const entry: Node = {};
    put(entry, key, random.below(4) === 0 ? String(id) : id);
    for (const path of Object.values({ ...texts, ...pictures })) {
      if (random.below(12) > 0) put(entry, path, random.below(12) === 0 ? random.below(9) : random.pick(words));
    }
    return entry;
  });
  if (entries === "") return made;
  const record: Node = {};
  putAt(record, entries, made);
  return [record];
}

/** A record that shows texts of such lists; now and then another one, or none. `textOf` reads the list. */
export function recordFor(
  rule: readonly Reference[],
  textOf: (reference: Reference, id: number, source: Path) => unknown,
  words: readonly string[],
  random: Random,
): Node {
  const record: Node = {};
  for (const reference of rule) {
    const { at = "", id, texts, pictures = {} } = reference;
    const objects = Array.from({ length: at === "" ? 1 : random.below(4) }, (): Node => {
      const object: Node = {};
      const named = 1 + random.below(3);
      put(object, id, named);
      for (const [path, source] of Object.entries({ ...texts, ...pictures })) {
        const listed = textOf(reference, named, source);
        if (random.below(15) > 0)
          put(object, path, typeof listed === "string" && random.below(15) > 0 ? listed : random.pick(words));
      }
      return object;
    });
    // Two references may share their objects.
    const before = at === "" ? undefined : readList(record, at);
    if (before) before.forEach((object, index) => void merge(object, objects[index] ?? {}));
    else putAt(record, at, objects);
  }
  return record;
}

function readList(record: Node, at: Path): Node[] | undefined {
  let node: Tree | undefined = record;
  for (const key of at.replace(/\[\]$/, "").split(".")) node = (node as Node | undefined)?.[key];
  return node as Node[] | undefined;
}

function merge(into: Node, from: Node) {
  for (const [key, value] of Object.entries(from)) {
    if (typeof into[key] === "object" && typeof value === "object") merge(into[key] as Node, value as Node);
    else into[key] = value;
  }
}

const SPACES = ["", "", "", " ", "\n\t", "\r\n"];
const NOISE = [
  "1",
  "0.50",
  "-0",
  "1e400",
  "null",
  "true",
  '""',
  '"}"',
  '"\\\\"',
  '"\\"name\\":"',
  '{"name":"x"}',
  "[[],{}]",
];
const KEYS = [
  "a",
  "name",
  "data",
  "head",
  "caption",
  "battleskill",
  "skillid",
  "emblem",
  "__proto__",
  "",
  '"',
  "\\",
  "\ud800",
];

/** JSON with all that JSON allows: escapes, white space, more members, keys that are there twice. */
export function spell(tree: Tree, random: Random): string {
  const space = () => random.pick(SPACES);
  const text = (value: string) => {
    const mode = random.below(4);
    if (mode > 0) return JSON.stringify(value);
    const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, "0"));
    return `"${units.map((unit) => `\\u${unit}`).join("")}"`;
  };
  const write = (value: Tree): string => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((one) => space() + write(one) + space()).join(",")}]`;
    const members = Object.entries(value).map(([key, one]): [string, string] => [key, write(one)]);
    for (let more = random.below(3); more > 0; more -= 1) {
      // One that is there already seldom: of what follows it nothing is to be noted.
      const key = random.pick(KEYS);
      if (random.below(8) === 0 || !Object.hasOwn(value, key)) members.push([key, random.pick(NOISE)]);
    }
    const written = random
      .shuffle(members)
      .map(([key, one]) => `${space()}${text(key)}${space()}:${space()}${one}${space()}`);
    return `{${written.join(",")}}`;
  };
  return write(tree);
}
