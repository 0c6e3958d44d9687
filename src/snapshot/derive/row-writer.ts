import { cutTo } from "../../api/body/bounds.ts";
import { unwrapPicture } from "../../api/body/pictures.ts";
import { holdsAddresses, mostChars } from "../schema/definition.ts";
import type { NumberedSlice, RowSource } from "../schema/row-source.ts";
import { fitCell } from "./fit.ts";
import { MAKERS } from "./make.ts";
import type { MisfitCounter } from "./misfits.ts";
import { type CellValue, type Row, type TableWriter, toKey } from "./table-writer.ts";
import { type Cursor, cellPath, readerOf, walk } from "./walk.ts";

/**
 * The outcomes of the rows of one record, by table. Rows that are part of them look here: by the owner's key if the record gave several,
 * else at the last one.
 */
export type Outcomes = Map<string, { last: Outcome; byKey: Map<string, Outcome> | undefined }>;
/** `same`: a row with the same cells was there already; `left`: skipped, and counted as a misfit. */
type Outcome = "made" | "same" | "left";

/** Makes the writer of the rows of one table from the records of one dataset. */
export function createRowWriter(
  dataset: string,
  rows: RowSource,
  table: TableWriter,
  tables: ReadonlyMap<string, TableWriter>,
  misfits: MisfitCounter,
) {
  const { name, partOf, key } = table.definition;
  const cells = compileCells(rows, table, (name, code) => tables.get(name)?.has([code]) ?? false);
  const owner = partOf === undefined ? undefined : tables.get(partOf);
  const isOwner = [...tables.values()].some(({ definition }) => definition.partOf === name);
  const perLanguage = key.includes("lang");
  const slicePlaces = new Set(table.definition.slices?.map((column) => table.columns.indexOf(column)));
  const keyPlaces = new Set(key.map((column) => table.columns.indexOf(column)));
  // Keys of rows from this dataset; with `longest`, from this slice.
  const seenKeys = new Set<string>();

  function write(of: NumberedSlice, record: unknown, outcomes: Outcomes) {
    const count = (kind: "unfit" | "incomplete", path: string, value: unknown) =>
      misfits.add(kind, name, null, dataset, path, value);
    walk(rows, of, record, (cursor) => writeRow(cursor, outcomes), count);
  }

  function writeRow(cursor: Cursor, outcomes: Outcomes) {
    const row = makeRow(cursor);
    if (row === "blank") return;
    const outcome = row ? storeRow(row, outcomes) : "left";
    if (!isOwner) return;
    const outcomesOfName = outcomes.get(name) ?? { last: outcome, byKey: rows.each && new Map<string, Outcome>() };
    outcomesOfName.last = outcome;
    if (row) outcomesOfName.byKey?.set(toKey(table.keyOf(row)), outcome);
    outcomes.set(name, outcomesOfName);
  }

  /** Makes the cells of a row; undefined if a cell that may not be null is missing. */
  function makeRow(cursor: Cursor): Row | "blank" | undefined {
    const row: Row = [];
    let missing = false;
    for (const { column, type, nullable, required, path, read, sent, made, most } of cells) {
      const value = made ? row[made.of] : read(cursor);
      if (column === rows.blank && value === "") return "blank";
      const fitted = made ? made.fit(row[made.of] ?? null) : fitCell(type, nullable, value);
      const isLong = typeof fitted.value === "string" && fitted.value.length > most;
      row.push(isLong ? cutTo(most, fitted.value as string) : fitted.value);
      if (isLong) misfits.add("cut", name, column, dataset, path, value);
      if (fitted.value === null && required) {
        if (!missing) misfits.add(isCode(column) ? "unknown" : "incomplete", name, column, dataset, path, sent(cursor));
        missing = true;
      } else if (fitted.unfit) misfits.add("unfit", name, column, dataset, path, value);
      else if (fitted.repaired) misfits.add("repaired", name, column, dataset, path, value);
    }
    return missing ? undefined : row;
  }

  const isCode = (column: string) => rows.cells[column]?.kind === "code";

  function storeRow(row: Row, outcomes: Outcomes): Outcome {
    const skipped = checkOwner(row, outcomes) ?? checkReferences(row);
    if (skipped) return skipped;
    const id = rows.merge || rows.longest ? toKey(table.keyOf(row)) : "";
    if (rows.merge && !seenKeys.has(id)) {
      if (saysMore(row)) seenKeys.add(id);
      return merge(row);
    }
    if (rows.merge !== "add" && table.insert(row)) {
      if (rows.longest) seenKeys.add(id);
      return "made";
    }
    if (rows.longest && !seenKeys.has(id)) {
      seenKeys.add(id);
      table.replace(row);
      return "made";
    }
    return resolveTaken(row);
  }

  /** Tells whether a row has more than its key. One that has not leaves its place to the next: any hero may lack the icon of a role. */
  const saysMore = (row: Row) =>
    row.some((cell, index) => cell !== null && !keyPlaces.has(index) && !slicePlaces.has(index));

  function merge(row: Row): Outcome {
    if (table.fill(row) || (rows.merge === "fill" && table.insert(row))) return "made";
    if (rows.merge === "fill") return "same";
    countRow("unknown", row);
    return "left";
  }

  /** Resolves a key that is taken. The first row stays; that is a misfit unless both hold the same, of whichever answers. */
  function resolveTaken(row: Row): Outcome {
    const held = table.find(row);
    const isSame = (cell: CellValue, index: number) =>
      cell === held?.[index] || (rows.merge && cell === null) || slicePlaces.has(index);
    if (held && row.every(isSame)) return "same";
    countRow("taken", row);
    return "left";
  }

  /**
   * Finds the outcome of a part from that of its owner: it is skipped with the row that it belongs to. If that was there already, so were
   * its parts, except for texts of another language.
   */
  function checkOwner(row: Row, outcomes: Outcomes): Outcome | undefined {
    const wholes = owner && outcomes.get(owner.definition.name);
    if (!owner || !wholes) return undefined;
    const whole = wholes.byKey ? (wholes.byKey.get(toKey(ownerKey(row))) ?? "left") : wholes.last;
    if (whole === "made" || (whole === "same" && perLanguage)) return undefined;
    if (whole === "left") countRow("part", row);
    return whole;
  }

  const ownerColumns = table.definition.references?.find((reference) => reference.table === partOf)?.columns ?? [];
  const ownerPlaces = ownerColumns.map((column) => table.columns.indexOf(column));
  const ownerKey = (row: Row): Row => ownerPlaces.map((position) => row[position] ?? null);

  function checkReferences(row: Row): Outcome | undefined {
    for (const { table: target, places, columns } of table.references) {
      if (tables.get(target)?.has(places.map((position) => row[position] as CellValue))) continue;
      const column = columns.at(-1) ?? "";
      const path = cells.find((cell) => cell.column === column)?.path ?? "";
      misfits.add("unknown", name, column, dataset, path, row[places.at(-1) ?? 0]);
      return "left";
    }
    return undefined;
  }

  const countRow = (kind: "taken" | "part" | "unknown", row: Row) =>
    misfits.add(kind, name, null, dataset, rows.each?.map(({ path }) => `${path}[]`).join(".") ?? "", table.keyOf(row));

  return {
    /** Begins a slice. */
    begin: () => void (rows.longest && seenKeys.clear()),
    write,
  };
}

const unwrapping = (read: (cursor: Cursor) => unknown) => (cursor: Cursor) => {
  const sent = read(cursor);
  return typeof sent === "string" ? unwrapPicture(sent) : sent;
};

function compileCells(
  rows: RowSource,
  { columns, definition }: TableWriter,
  holds: (table: string, code: string) => boolean,
) {
  const { key } = definition;
  return Object.entries(definition.columns).map(([column, { type, nullable }]) => {
    const cell = rows.cells[column];
    const needed = !nullable && (rows.merge !== "add" || key.includes(column));
    const readSent = cell ? readerOf(cell, rows, holds) : () => undefined;
    const read = holdsAddresses(column) ? unwrapping(readSent) : readSent;
    return {
      column,
      type,
      most: mostChars(column),
      nullable: nullable || !needed,
      required: needed,
      path: (cell && cellPath(cell, rows)) ?? "",
      read,
      // The example of a misfit: for a code, the publisher's number.
      sent: cell?.kind === "code" ? readerOf({ kind: "element", path: cell.path }, rows, holds) : read,
      made: cell?.kind === "made" ? { of: columns.indexOf(cell.column), fit: MAKERS[cell.how] } : undefined,
    };
  });
}
