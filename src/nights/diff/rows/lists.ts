import { listNames, quoteName } from "../../../snapshot/schema/sql.ts";
import { type LabelLookup, labelOfKey } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import type { Cell, SharedTable } from "../shared-tables.ts";
import type { NamedRow, Row } from "./rows.ts";

/** A list that changed, as a whole: the roles of a hero, its relations, the steps of a sequence. */
export interface ListChange extends NamedRow {
  table: string;
  before: string[];
  after: string[];
}

/** Compares tables of kind `list`. A list that was added or removed together with its owner is no change. */
export function compareLists(pair: Pair, labels: LabelLookup, scope: Scope): ListChange[] {
  return pair.tables
    .filter(({ kind }) => kind === "list")
    .flatMap((table) => {
      const shown = scope.rowFilter(table.name);
      return shown ? compareTable(pair, table, labels).filter(({ key }) => shown(key)) : [];
    });
}

function compareTable({ db, origins }: Pair, table: SharedTable, labels: LabelLookup): ListChange[] {
  const { name, key, values, references } = table;
  const owner = key.slice(0, -1);
  const read = (schema: string) => readLists(db, `${schema}.${quoteName(name)}`, owner, values, labels);
  const [was, now] = [read("was"), read("main")];
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((id) => {
    const before = was.get(id);
    const after = now.get(id);
    const own = (after ?? before)?.own;
    if (!own || before?.text === after?.text) return [];
    if (!(before && after) && !ownerInBoth(db, references, own)) return [];
    if (origins?.isUnknown(table, own)) return [];
    const names = { before: before?.names ?? [], after: after?.names ?? [] };
    return [{ table: name, label: labelOfKey(labels, own), key: own, ...names, ...origins?.momentsOf(table, own) }];
  });
}

interface List {
  own: Row;
  text: string;
  names: string[];
}

function readLists(
  db: Pair["db"],
  table: string,
  owner: readonly string[],
  values: readonly string[],
  labels: LabelLookup,
) {
  const lists = new Map<string, List>();
  const rows = db
    .prepare(`SELECT ${listNames(owner)}, json_group_array(json_array(${listNames(values)}) ORDER BY position) AS list
              FROM ${table} GROUP BY ${listNames(owner)} ORDER BY ${listNames(owner)}`)
    .all() as (Row & { list: string })[];
  for (const { list: text, ...own } of rows) {
    const entries = JSON.parse(text) as Cell[][];
    // The first column names an entry; the others (icons, ids) only distinguish entries of one name.
    const names = entries.map((entry) => labels(values[0] ?? "", entry[0] ?? null));
    lists.set(JSON.stringify(Object.values(own)), { own, text, names });
  }
  return lists;
}

/** Whether both snapshots have the rows that the list refers to. */
function ownerInBoth(db: Pair["db"], references: SharedTable["references"], own: Row): boolean {
  return references
    .filter(({ columns }) => columns.every((column) => column in own))
    .every(({ columns, table }) =>
      ["was", "main"].every((schema) =>
        db
          .prepare(
            `SELECT 1 FROM ${schema}.${quoteName(table)} WHERE (${listNames(columns)}) IS (${columns.map(() => "?").join(", ")})`,
          )
          .get(...columns.map((column) => own[column])),
      ),
    );
}
