import type SQLite from "better-sqlite3";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { LANE_CODES, LANG_CODES, RANK_CODES } from "../../api/enumerations.ts";
import { truncate } from "../../base/words.ts";
import { readHeldColumns } from "../read/held-columns.ts";
import type { Coverage } from "../schema/row-types.ts";
import { coverageTable } from "../schema/tables/archive.ts";
import { CODE_TABLES } from "../schema/tables/codes.ts";

/** The records of a slice, as they lie in a file. */
interface ArchivedSlice {
  records: number;
  /** 1: each record is JSON, and they stand one behind the other from position 1. */
  is_sound: number;
}

/** Reads the slices of the archive by their numbers. No program needs to know an endpoint for that. */
export const readArchivedSlices = (db: SQLite.Database): ReadonlyMap<number, ArchivedSlice> =>
  new Map(
    db
      .prepare<[], Pick<Coverage, "slice_id"> & ArchivedSlice>(
        `SELECT slice_id, count(*) AS records,
                min(position) = 1 AND max(position) = count(*) AND min(json_valid(json)) AS is_sound
         FROM record GROUP BY slice_id`,
      )
      .all()
      .map((row) => [row.slice_id, row] as const),
  );

const KNOWN = {
  dataset: ENDPOINTS.map(({ dataset }) => dataset),
  lang: LANG_CODES,
  rank: RANK_CODES,
  lane: LANE_CODES,
} satisfies Partial<Record<keyof Coverage, readonly string[]>>;

/** The columns of a file that hold codes, with the codes that this program knows. */
const CODES: readonly { name: string; column: string; known: readonly unknown[] }[] = [
  ...Object.entries(KNOWN).map(([column, known]) => ({ name: coverageTable.name, column, known })),
  ...CODE_TABLES.map(({ name, key: [column = ""], constants = [] }) => ({
    name,
    column,
    known: constants.map(([code]) => code),
  })),
];

/** Codes of ours are words or numbers, and there are a few of each. */
const CODE = /^[\w-]{1,40}$/;
const MAX_CODES = 100;

const readCodes = (db: SQLite.Database, name: string, column: string) =>
  db
    .prepare<[], unknown>(`SELECT DISTINCT ${column} FROM ${name} WHERE ${column} IS NOT NULL LIMIT ${MAX_CODES + 1}`)
    .pluck()
    .all();

/** Finds a fault of the codes in a file, which readers take from it: too many of a kind, or one that is no word. */
export function findOddCode(db: SQLite.Database): string | undefined {
  const has = readHeldColumns(db);
  for (const { name, column } of CODES.filter((code) => has(code.name, code.column))) {
    const codes = readCodes(db, name, column);
    const odd = codes.find((code) => !CODE.test(String(code)));
    if (odd !== undefined) return `${name}.${column} has ${truncate(JSON.stringify(odd))}`;
    if (codes.length > MAX_CODES) return `${name}.${column} has more than ${MAX_CODES} values`;
  }
  return undefined;
}

/** The first endpoint, language, rank, window, role or lane of a file that this program does not know; a newer one made the file. */
export function findUnknown(db: SQLite.Database): string | undefined {
  for (const { name, column, known } of CODES) {
    const unknown = readCodes(db, name, column).find((code) => !known.includes(code));
    if (unknown !== undefined) return `${column} ${unknown}`;
  }
  return undefined;
}
