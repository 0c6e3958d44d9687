import { type Instruction, wholeTrees } from "../../sql/whole-trees.ts";
import type { OpenFile } from "./database.ts";
import type { RangeFile } from "./range-file.ts";

/** Bytes of the tables that a query goes through whole, where its plan has a scan; about, and at most. */
export function scannedBytes({ db }: OpenFile, file: RangeFile, sql: string): number {
  const plan = db.selectArrays(`EXPLAIN QUERY PLAN ${sql}`);
  if (!plan.some(([, , , detail]) => String(detail).startsWith("SCAN "))) return 0;
  const instructions = db.selectObjects(`EXPLAIN ${sql}`) as unknown as Instruction[];
  const pageSize = Number(db.selectValue("PRAGMA page_size"));
  const pages = wholeTrees(instructions).reduce((sum, root) => sum + countPages(file, pageSize, root), 0);
  return Math.min(pages * pageSize, file.size);
}

const INNER = new Set([2, 5]);
const TABLE_LEAF = 13;
const MOST_DEPTH = 20;

/** Pages of a tree (https://sqlite.org/fileformat.html#b_tree_pages), as if all were as full as those on a way down its middle. */
function countPages(file: RangeFile, pageSize: number, root: number): number {
  let [pages, page] = [1, root];
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    const view = new DataView(file.read((page - 1) * pageSize, pageSize).buffer);
    // The first page of a file begins with the head of the file.
    const head = page === 1 ? 100 : 0;
    const kind = view.getUint8(head);
    const cells = view.getUint16(head + 3);
    if (kind === TABLE_LEAF) return pages * (1 + countOverflow(view, head, cells, pageSize));
    if (!INNER.has(kind)) break;
    pages *= cells + 1;
    page = view.getUint32(cells === 0 ? head + 8 : view.getUint16(head + 12 + 2 * Math.floor(cells / 2)));
  }
  return pages;
}

/** Pages with what did not fit into the rows of a leaf. */
function countOverflow(view: DataView, head: number, cells: number, pageSize: number): number {
  let pages = 0;
  for (let cell = 0; cell < cells; cell += 1) {
    const length = readVarint(view, view.getUint16(head + 8 + 2 * cell));
    if (length > pageSize) pages += Math.ceil(length / pageSize) - 1;
  }
  return pages;
}

/** Reads a varint of up to 28 bits, enough for the lengths here. */
function readVarint(view: DataView, start: number): number {
  let value = 0;
  for (let position = start; position < start + 4; position += 1) {
    const byte = view.getUint8(position);
    value = value * 128 + (byte & 127);
    if (byte < 128) break;
  }
  return value;
}
