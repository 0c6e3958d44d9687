import SQLite from "better-sqlite3";
import { headed } from "./page.ts";

/** A query of data/QUESTIONS.md, with the table after it. */
const QUESTION = /(```sql\n([\s\S]*?);\n```\n\n)((?:\|.*\n)+)/g;
/** The head of the queries on other files than a snapshot. */
const NIGHTS = "\n## Nights\n";

/** data/QUESTIONS.md with the answers of a snapshot of the sample; those on many nights stay as they are. */
export function renderQuestions(text: string, snapshot: string | undefined): string {
  if (!snapshot) return text;
  const db = new SQLite(snapshot, { readonly: true });
  const end = text.indexOf(NIGHTS);
  const answered = text.slice(0, end).replaceAll(QUESTION, (_, block: string, sql: string) => {
    const statement = db.prepare(sql);
    const names = statement.columns().map(({ name }) => name);
    return `${block}${toTable(names, statement.raw().all() as unknown[][])}\n`;
  });
  db.close();
  return answered + text.slice(end);
}

/** The questions to many nights: their SQL, and the answers that the page shows. */
export const readNightQuestions = (text: string) =>
  [...text.slice(text.indexOf(NIGHTS)).matchAll(QUESTION)].map(([, , sql = "", answer = ""]) => ({ sql, answer }));

export const toTable = (names: string[], rows: unknown[][]) =>
  headed(
    names,
    rows.map((row) => row.map(toCell)),
  );

const toCell = (value: unknown) => (value === null ? "" : String(value).replaceAll("|", "\\|").replaceAll("\n", " "));
