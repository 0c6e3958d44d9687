import { type Path, readPath } from "../../api/body/path.ts";
import { readWord } from "../../api/body/scalars.ts";
import type { Slice } from "../../api/endpoint.ts";
import type { CellSource, ListStep, RowSource } from "../schema/row-source.ts";
import { splitNumbers } from "./fit.ts";

/** What one row is made from: the record, and where a walk through its lists has come to. */
export interface Cursor {
  slice: Slice;
  record: unknown;
  elements: unknown[];
  /** From 0, one for each level. */
  positions: number[];
}

/** A list that is none, or an element that gives no row. */
export type OnMisfit = (kind: "unfit" | "incomplete", path: Path, value: unknown) => void;

/** Visits every element that gives a row; the spot is one object that moves. */
export function walk(
  { each = [] }: RowSource,
  slice: Slice,
  record: unknown,
  visit: (spot: Cursor) => void,
  onOdd: OnMisfit,
) {
  const spot: Cursor = { slice, record, elements: [], positions: [] };
  const descend = (level: number, node: unknown, above: Path) => {
    const list = each[level];
    if (!list) return visit(spot);
    const path = above + list.path;
    for (const [index, element] of elementsOf(list, readPath(node, list.path), path, onOdd).entries()) {
      if (element === list.padding) continue;
      if (list.of === "objects" && !isObject(element)) {
        onOdd("incomplete", `${path}[]`, element);
        continue;
      }
      spot.elements[level] = element;
      spot.positions[level] = index;
      descend(level + 1, element, `${path}[].`);
    }
  };
  descend(0, record, "");
}

const isObject = (value: unknown) => value !== null && typeof value === "object" && !Array.isArray(value);

function elementsOf({ of }: ListStep, found: unknown, path: Path, onOdd: OnMisfit): unknown[] {
  if (of === "numbers") return found === undefined || found === null ? [] : splitNumbers(found);
  if (Array.isArray(found)) return found;
  onOdd("unfit", path, found);
  return [];
}

/** Where a cell is in the records, for counts and for the documentation; nothing for what is no field. */
export function pathOf(cell: CellSource, { each = [] }: RowSource): Path | undefined {
  if (cell.kind === "record") return cell.paths[0];
  if (cell.kind !== "element" && cell.kind !== "code") return undefined;
  const level = cell.kind === "element" ? (cell.level ?? each.length - 1) : each.length - 1;
  const above = each.slice(0, level + 1).map(({ path, of }) => (of === "numbers" ? path : `${path}[]`));
  return [...above, cell.path].filter(Boolean).join(".");
}

/** Reads a cell at a spot, as it came; columns that follow from another one are made after it. */
export function readerOf(cell: CellSource, { each = [] }: RowSource): (spot: Cursor) => unknown {
  const last = each.length - 1;
  switch (cell.kind) {
    case "asked":
      return ({ slice }) => slice[cell.name] ?? cell.otherwise;
    case "constant":
      return () => cell.value;
    case "place":
      return ({ positions }) => (positions[cell.level ?? last] ?? 0) + 1;
    case "record":
      return ({ record }) => firstOf(cell.paths, record);
    case "code":
      return (spot) => {
        const word = readWord(readElement(spot, cell.path, last));
        return cell.codes.find(({ id }) => id === word)?.code;
      };
    case "element":
      return (spot) => readElement(spot, cell.path, cell.level ?? last);
    case "plain":
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
