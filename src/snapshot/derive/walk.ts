import { type Path, readPath } from "../../api/body/path.ts";
import { readWord } from "../../api/body/scalars.ts";
import type { CellSource, ListStep, NumberedSlice, RowSource } from "../schema/row-source.ts";
import { splitNumbers } from "./fit.ts";

/** The place of the walk through the lists of a record: one row is made from it. */
export interface Cursor extends NumberedSlice {
  record: unknown;
  elements: unknown[];
  /** Positions from 0, one for each level. */
  positions: number[];
}

/** Called for a value that should be a list and is not, and for an element that is not an object. */
export type OnMisfit = (kind: "unfit" | "incomplete", path: Path, value: unknown) => void;

/** Visits every element that gives a row. The cursor is one object that changes: do not keep it. */
export function walk(
  { each = [] }: RowSource,
  of: NumberedSlice,
  record: unknown,
  visit: (cursor: Cursor) => void,
  onMisfit: OnMisfit,
) {
  const cursor: Cursor = { ...of, record, elements: [], positions: [] };
  const descend = (level: number, node: unknown, above: Path) => {
    const list = each[level];
    if (!list) return visit(cursor);
    const path = above + list.path;
    for (const [index, element] of elementsOf(list, readPath(node, list.path), path, onMisfit).entries()) {
      if (element === list.padding) continue;
      if (list.of === "objects" && !isObject(element)) {
        onMisfit("incomplete", `${path}[]`, element);
        continue;
      }
      cursor.elements[level] = element;
      cursor.positions[level] = index;
      descend(level + 1, element, `${path}[].`);
    }
  };
  descend(0, record, "");
}

const isObject = (value: unknown) => value !== null && typeof value === "object" && !Array.isArray(value);

function elementsOf({ of }: ListStep, value: unknown, path: Path, onMisfit: OnMisfit): unknown[] {
  if (of === "numbers") return value === undefined || value === null ? [] : splitNumbers(value);
  if (Array.isArray(value)) return value;
  onMisfit("unfit", path, value);
  return [];
}

/** Returns the path of a cell in the records, for misfits and for the documentation; undefined if it is no field of them. */
export function cellPath(cell: CellSource, rows: RowSource): Path | undefined {
  const { each = [], cells } = rows;
  const madeOf = cell.kind === "made" ? cells[cell.column] : undefined;
  if (madeOf) return cellPath(madeOf, rows);
  if (cell.kind === "record") return cell.paths[0];
  if (cell.kind !== "element" && cell.kind !== "code") return undefined;
  const level = cell.kind === "element" ? (cell.level ?? each.length - 1) : each.length - 1;
  const above = each.slice(0, level + 1).map(({ path, of }) => (of === "numbers" ? path : `${path}[]`));
  return [...above, cell.path].filter(Boolean).join(".");
}

/**
 * Makes the reader of a cell's value as it was sent; it reads undefined for one that is made from another column later. `holds` tells
 * whether a table holds a code.
 */
export function readerOf(
  cell: CellSource,
  { each = [] }: RowSource,
  holds: (table: string, code: string) => boolean,
): (cursor: Cursor) => unknown {
  const last = each.length - 1;
  switch (cell.kind) {
    case "asked":
      return ({ slice }) => slice[cell.name] ?? cell.otherwise;
    case "slice":
      return ({ id }) => id;
    case "constant":
      return () => cell.value;
    case "place":
      return ({ positions }) => (positions[cell.level ?? last] ?? 0) + 1;
    case "record":
      return ({ record }) => firstOf(cell.paths, record);
    case "code":
      return (cursor) => {
        const word = readWord(readElement(cursor, cell.path, last));
        return cell.codes.find(({ code, id }) => id === word && holds(cell.table, code))?.code;
      };
    case "element":
      return (cursor) => readElement(cursor, cell.path, cell.level ?? last);
    case "made":
      return () => undefined;
  }
}

function firstOf(paths: readonly Path[], record: unknown): unknown {
  for (const path of paths) {
    const value = readPath(record, path);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

function readElement({ record, elements }: Cursor, path: Path, level: number): unknown {
  const element = level < 0 ? record : elements[level];
  return path === "" ? element : readPath(element, path);
}
