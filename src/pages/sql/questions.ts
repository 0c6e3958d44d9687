import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../base/project.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { VIEWS } from "../../snapshot/schema/views/all.ts";

/** What people ask of the data, with the query that answers it. */
export interface Question {
  title: string;
  /** More words; may be empty. */
  text: string;
  sql: string;
}

const PAGE = join(PROJECT, "data", "QUESTIONS.md");
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

/** The questions that the file can answer: one of an older schema lacks tables, views and columns. */
export const questionsOf = ({ select }: Snapshot): Question[] =>
  [...readDocumented(), ...ofViews].filter(({ sql }) => select(`EXPLAIN ${sql}`).length > 0);
