import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { VIEWS } from "../../snapshot/schema/views/all.ts";

/** What people ask of the data, with the query that answers it. */
export interface Question {
  title: string;
  /** More words; may be empty. */
  text: string;
  sql: string;
}

const PAGE = join(import.meta.dirname, "..", "..", "..", "data", "QUESTIONS.md");
/** Questions to other files than a snapshot. */
const NIGHTS = /^## Nights$[\s\S]*/m;
const QUESTION = /^### \d+\. (.+)\n\n([^#]*?)```sql\n([^`]+?);\n```/gm;

let documented: readonly Question[] | undefined;

/** The questions of data/QUESTIONS.md; none if that file is not there. */
function readDocumented(): readonly Question[] {
  documented ??= [...readPage().replace(NIGHTS, "").matchAll(QUESTION)].map(([, title = "", text = "", sql = ""]) => ({
    title,
    text: text.trim().replaceAll("`", ""),
    sql,
  }));
  return documented;
}

function readPage(): string {
  try {
    return readFileSync(PAGE, "utf8");
  } catch {
    return "";
  }
}

const ofViews: readonly Question[] = VIEWS.map(({ name, description, example }) => ({
  title: name,
  text: description,
  sql: example.replaceAll(/ (FROM|WHERE|GROUP BY|ORDER BY) /g, "\n$1 "),
}));

const NAMES = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')";
const SOURCES = /\b(?:FROM|JOIN) (\w+)/g;

/** The questions that the file can answer: one of schema 1.7 lacks two tables. */
export function questionsOf({ select }: Snapshot): Question[] {
  const names = new Set(select<{ name: string }>(NAMES).map(({ name }) => name));
  const has = (sql: string) => [...sql.matchAll(SOURCES)].every(([, name = ""]) => names.has(name));
  return [...readDocumented(), ...ofViews].filter(({ sql }) => has(sql));
}
