import { EXIT, Failure } from "../api/failure.ts";

/** One path of a dataset's records: which types were seen there, how often, and in how many parents it could have been. */
export interface ShapeRow {
  dataset: string;
  path: string;
  types: string;
  seen: number;
  parents: number;
  example: string;
}

interface Node {
  seen: number;
  types: Set<string>;
  example: unknown;
  /** By key; the elements of an array share the key `[]`. */
  children: Map<string, Node>;
  objects: number;
  elements: number;
}

const createNode = (): Node => ({
  seen: 0,
  types: new Set(),
  example: undefined,
  children: new Map(),
  objects: 0,
  elements: 0,
});

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Collects the fingerprint of each dataset: the paths and types of its records. */
export function createShapes() {
  const roots = new Map<string, Node>();

  function visit(node: Node, value: unknown) {
    node.seen += 1;
    node.types.add(typeOf(value));
    node.example ??= value;
    if (value === null || typeof value !== "object") return;
    if (Array.isArray(value)) {
      node.elements += value.length;
      for (const element of value) visit(nodeAt(node.children, "[]"), element);
      return;
    }
    node.objects += 1;
    for (const key in value) visit(nodeAt(node.children, nameOf(node, key)), (value as Record<string, unknown>)[key]);
  }

  return {
    add(dataset: string, record: unknown) {
      visit(nodeAt(roots, dataset), record);
    },
    rows: (): ShapeRow[] => [...roots].flatMap(([dataset, root]) => toRows(dataset, root, "$")),
  };
}

/** An object with very many different keys is a map: its keys are data, not shape. */
const MAX_KEYS = 256;
const nameOf = ({ children }: Node, key: string) => (children.size < MAX_KEYS || children.has(key) ? key : "*");

function nodeAt(nodes: Map<string, Node>, key: string): Node {
  const known = nodes.get(key);
  if (known) return known;
  const made = createNode();
  nodes.set(key, made);
  return made;
}

function toRows(dataset: string, node: Node, path: string): ShapeRow[] {
  return [...node.children]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, child]) => {
      const own = key === "[]" ? `${path}[]` : `${path}.${key}`;
      const row: ShapeRow = {
        dataset,
        path: own,
        types: [...child.types].sort().join("|"),
        seen: child.seen,
        parents: key === "[]" ? node.elements : node.objects,
        example: JSON.stringify(child.example ?? null).slice(0, 100),
      };
      return [row, ...toRows(dataset, child, own)];
    });
}

export interface Drift {
  dataset: string;
  path: string;
  before: string;
  now: string;
  example: string;
  /** A field that every record had is gone, or has another type: readers would break. */
  breaking: boolean;
}

/**
 * What has changed between two fingerprints. Fields that only some records have may come and go; a dataset that was not
 * there before has nothing to drift from.
 */
export function compareShapes(before: readonly ShapeRow[], now: readonly ShapeRow[]): Drift[] {
  const key = ({ dataset, path }: ShapeRow) => `${dataset} ${path}`;
  const old = new Map(before.map((row) => [key(row), row]));
  const current = new Map(now.map((row) => [key(row), row]));
  const known = new Set(before.map(({ dataset }) => dataset));
  const changed = now.flatMap((row): Drift[] => {
    const was = old.get(key(row));
    if (was?.types === row.types || !known.has(row.dataset)) return [];
    const { dataset, path, types, example } = row;
    return [
      {
        dataset,
        path,
        before: was?.types ?? "absent",
        now: types,
        example,
        breaking: was !== undefined && isRetyped(was, row),
      },
    ];
  });
  const gone = before.flatMap((row): Drift[] => {
    if (current.has(key(row)) || !parentIsThere(row, current)) return [];
    const { dataset, path, types, example } = row;
    return [{ dataset, path, before: types, now: "absent", example, breaking: isRequired(row) }];
  });
  return [...changed, ...gone];
}

const isRequired = ({ seen, parents, path }: ShapeRow) => seen === parents && !path.endsWith("[]");

/** Another type than ever before in a field that was always there and never null. */
function isRetyped(was: ShapeRow, row: ShapeRow): boolean {
  const types = was.types.split("|");
  return isRequired(was) && !types.includes("null") && row.types.split("|").some((type) => !types.includes(type));
}

/** A field is gone only if what held it is still there. */
function parentIsThere({ dataset, path }: ShapeRow, current: ReadonlyMap<string, ShapeRow>): boolean {
  const parent = path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, path.lastIndexOf("."));
  const siblings = [...current.values()].some((row) => row.dataset === dataset && row.path.startsWith(`${parent}.`));
  return siblings;
}

export function refuseBreaking(drift: readonly Drift[]): void {
  const [first, ...others] = drift.filter(({ breaking }) => breaking);
  if (!first) return;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  throw new Failure(
    EXIT.shapeChanged,
    `the upstream's shape has changed: ${first.dataset} ${first.path} was ${first.before}, is ${first.now}, for example ${first.example}${more}; nothing was published`,
    "metasnap must learn the new shape first",
  );
}
