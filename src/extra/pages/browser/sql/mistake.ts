import { closest, distance } from "fastest-levenshtein";
import type { OpenFile } from "./database.ts";
import type { Mistake } from "./messages.ts";

/** SQLite's message about an unknown name (https://sqlite.org/c3ref/errcode.html has no codes for them). */
const MISSING = /^no such (table|column|function): (.+)$/;
const TOKEN = /^(?:"[^"]*"|'[^']*'|\[[^\]]*\]|`[^`]*`|[\p{L}\p{N}_$.]+|\S)/u;
/** The distance to a very long name takes long, and no name is near to it. */
const MOST_NAME_CHARS = 64;

const NAMES = {
  table: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
  // Only tables that the statement names: elsewhere the column would not help.
  column: `SELECT DISTINCT field.name FROM sqlite_schema AS named, pragma_table_info(named.name) AS field
    WHERE named.type IN ('table', 'view') AND instr(lower($sql), lower(named.name))`,
  function: "SELECT DISTINCT name FROM pragma_function_list",
};

/** Finds the place where a statement that SQLite refuses is wrong, and the name that may be meant. */
export function findMistake({ db, sqlite: { capi } }: OpenFile, sql: string, text: string): Mistake {
  // The next statement would forget it.
  const offset = capi.sqlite3_error_offset(db);
  const [, kind, path = ""] = MISSING.exec(text) ?? [];
  const name = path.slice(path.lastIndexOf(".") + 1);
  const start = offset >= 0 ? toIndex(sql, offset) : findWord(sql, name);
  const token = start === undefined ? undefined : cutToken(sql, start, name);
  const meant = kind && name ? nearest(name, namesOf(kind as keyof typeof NAMES)) : undefined;
  return { text, ...(token && { token }), ...(meant !== undefined && { meant }) };

  function namesOf(kind: keyof typeof NAMES): string[] {
    return db.selectValues(NAMES[kind], kind === "column" ? { $sql: sql } : undefined) as string[];
  }
}

/** SQLite counts bytes of UTF-8. */
const toIndex = (sql: string, offset: number) =>
  new TextDecoder().decode(new TextEncoder().encode(sql).subarray(0, offset)).length;

function findWord(sql: string, name: string): number | undefined {
  if (name === "") return undefined;
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_])["'\`\\[]?${name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}(?![\\p{L}\\p{N}_])`,
    "iu",
  );
  return word.exec(sql)?.index;
}

/** Cuts the token out of the statement: only `nam` of `hero.nam`, if that is the unknown name. */
function cutToken(sql: string, start: number, name: string): NonNullable<Mistake["token"]> {
  const [text = ""] = TOKEN.exec(sql.slice(start)) ?? [];
  const end = start + text.length;
  return { start: text.endsWith(`.${name}`) ? end - name.length : start, end };
}

function nearest(name: string, names: readonly string[]): string | undefined {
  if (names.length === 0 || name.length > MOST_NAME_CHARS) return undefined;
  const asked = name.toLowerCase();
  const near = closest(asked, names);
  return distance(asked, near) <= Math.ceil(name.length / 3) ? near : undefined;
}
