import { MAX_NAME_CHARS } from "../../api/body/bounds.ts";

/** One path of a dataset's records: which types were seen there, how often, and in how many parents it could have been. */
export interface ShapeRow {
  dataset: string;
  path: string;
  types: string;
  seen: number;
  parents: number;
  example: string;
  /** How often each type was seen, as JSON. */
  by_type: string;
}

interface ShapeNode {
  /** In the order in which they were first seen. */
  types: Map<string, { seen: number; example: unknown }>;
  /** By key; the elements of an array share the key `[]`. */
  children: Map<string, ShapeNode>;
  elements: number;
}

const createNode = (): ShapeNode => ({ types: new Map(), children: new Map(), elements: 0 });

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Collects the fingerprint of each dataset: the paths and types of its records. */
export function createShapeCollector() {
  const roots = new Map<string, ShapeNode>();

  function visit(node: ShapeNode, value: unknown, depth = 0) {
    const type = typeOf(value);
    const counted = node.types.get(type);
    if (counted) counted.seen += 1;
    else node.types.set(type, { seen: 1, example: value });
    if (value === null || typeof value !== "object" || depth === MAX_DEPTH) return;
    if (Array.isArray(value)) {
      node.elements += value.length;
      for (const element of value) visit(nodeAt(node.children, "[]"), element, depth + 1);
      return;
    }
    for (const [key, child] of Object.entries(value))
      visit(nodeAt(node.children, childKey(node, key)), child, depth + 1);
  }

  return {
    add(dataset: string, record: unknown) {
      visit(nodeAt(roots, dataset), record);
    },
    rows: (): ShapeRow[] => [...roots].flatMap(([dataset, root]) => toRows(dataset, root, "$")),
  };
}

/** Levels below a record, of which real ones have ten. */
const MAX_DEPTH = 50;

/** An object with more keys than this, or longer ones, is a map: its keys are data, not shape, and count as `*`. */
const MAX_KEYS = 256;
function childKey({ children }: ShapeNode, key: string): string {
  // Nearly all keys are known: only names in quotes begin with one.
  if (children.has(key) && !key.startsWith('"')) return key;
  if (key.length > MAX_NAME_CHARS) return "*";
  const name = PLAIN.test(key) ? key : JSON.stringify(key);
  return children.size < MAX_KEYS || children.has(name) ? name : "*";
}

/** Any other key stands in quotes, as in paths of SQLite: with its dots or brackets it would be the path of another field. */
const PLAIN = /^[^."[\]\0\p{Cs}]+$/u;

function nodeAt(nodes: Map<string, ShapeNode>, key: string): ShapeNode {
  const node = nodes.get(key);
  if (node) return node;
  const made = createNode();
  nodes.set(key, made);
  return made;
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

function toRows(dataset: string, node: ShapeNode, path: string): ShapeRow[] {
  return [...node.children].sort(byName).flatMap(([key, child]) => {
    const childPath = key === "[]" ? `${path}[]` : `${path}.${key}`;
    const types = [...child.types].sort(byName);
    const [, first] = [...child.types].find(([type]) => type !== "null") ?? [];
    const counts = types.map(([type, { seen, example }]) => [type, { seen, example: excerpt(example) }] as const);
    const row: ShapeRow = {
      dataset,
      path: childPath,
      types: types.map(([type]) => type).join("|"),
      seen: types.reduce((sum, [, { seen }]) => sum + seen, 0),
      parents: key === "[]" ? node.elements : (node.types.get("object")?.seen ?? 0),
      example: excerpt(first?.example ?? null),
      by_type: JSON.stringify(Object.fromEntries(counts)),
    };
    return [row, ...toRows(dataset, child, childPath)];
  });
}

const MAX_EXCERPT_CHARS = 100;

/** A value as JSON, cut short. JSON escapes lone surrogates: only the cut can leave half of a pair. */
function excerpt(value: unknown): string {
  const text = JSON.stringify(value).slice(0, MAX_EXCERPT_CHARS);
  return text.isWellFormed() ? text : text.slice(0, -1);
}
