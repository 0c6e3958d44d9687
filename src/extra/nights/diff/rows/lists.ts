import { cellsApart } from "../../../../api/apart.ts";
import { listNames, quoteName } from "../../../../snapshot/schema/sql.ts";
import { type LabelLookup, labelOfKey } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import type { Cell, SharedTable } from "../shared-tables.ts";
import type { NamedCells, NamedRow } from "./rows.ts";

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
  const [was, now] = [table.was, table.main].map((from) => readLists(db, from, owner, values)) as [Lists, Lists];
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((id) => {
    const before = was.get(id);
    const after = now.get(id);
    const listKey = (after ?? before)?.listKey;
    if (!listKey || before?.text === after?.text) return [];
    if (!(before && after) && !ownerInBoth(db, references, listKey)) return [];
    if (origins?.isUnknown(table, listKey)) return [];
    const names = nameEntries(toEntries(before), toEntries(after), values, labels);
    return [
      {
        table: name,
        label: labelOfKey(labels, listKey),
        key: listKey,
        ...names,
        ...origins?.momentsOf(table, listKey),
      },
    ];
  });
}

/** A list with its entries as JSON. */
interface List {
  listKey: NamedCells;
  text: string;
}

/** Lists by the key of the owner, as JSON. */
type Lists = ReadonlyMap<string, List>;

type Entry = readonly Cell[];

const toEntries = (list: List | undefined): Entry[] => (list ? JSON.parse(list.text) : []);

function readLists(db: Pair["db"], table: string, owner: readonly string[], values: readonly string[]): Lists {
  const lists = new Map<string, List>();
  const rows = db
    .prepare(`SELECT ${listNames(owner)}, json_group_array(json_array(${listNames(values)}) ORDER BY position) AS list
              FROM ${table} GROUP BY ${listNames(owner)} ORDER BY ${listNames(owner)}`)
    .all() as (NamedCells & { list: string })[];
  for (const { list: text, ...listKey } of rows) lists.set(JSON.stringify(Object.values(listKey)), { listKey, text });
  return lists;
}

/** Names entries by the first column; the others (icons, ids) are added only if both lists read the same without them. */
function nameEntries(
  before: readonly Entry[],
  after: readonly Entry[],
  values: readonly string[],
  labels: LabelLookup,
) {
  const nameOf = ([first = null]: Entry) => labels(values[0] ?? "", first);
  const names = { before: before.map(nameOf), after: after.map(nameOf) };
  if (names.before.join(", ") !== names.after.join(", ")) return names;
  const tellMore = (entries: readonly Entry[], others: readonly Entry[]) =>
    entries.map((entry, index) => {
      const cells = values.flatMap((column, position) => {
        const [cell = null, other = null] = [entry[position], others[index]?.[position]];
        return cell === other ? [] : [`${column} ${cellsApart(cell, other)[0]}`];
      });
      return cells.length > 0 ? `${nameOf(entry)} (${cells.join(", ")})` : nameOf(entry);
    });
  return { before: tellMore(before, after), after: tellMore(after, before) };
}

/**
 * Tells whether both snapshots have the rows that the list refers to, as far as its key names them: the key of a list of skills names the hero
 * only.
 */
function ownerInBoth(db: Pair["db"], references: SharedTable["references"], listKey: NamedCells): boolean {
  return references
    .map(({ columns, table }) => ({ table, columns: columns.filter((column) => column in listKey) }))
    .filter(({ columns }) => columns.length > 0)
    .every(({ columns, table }) =>
      ["was", "main"].every((schema) =>
        db
          .prepare(
            `SELECT 1 FROM ${schema}.${quoteName(table)} WHERE (${listNames(columns)}) IS (${columns.map(() => "?").join(", ")})`,
          )
          .get(...columns.map((column) => listKey[column])),
      ),
    );
}
