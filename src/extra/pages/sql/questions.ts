import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../../base/project.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { VIEWS } from "../../../snapshot/schema/views/all.ts";
import { type Instruction, wholeTrees } from "./whole-trees.ts";

/** A question that people ask of the data, with the query that answers it. */
interface Question {
  title: string;
  /** More words; may be empty. */
  text: string;
  sql: string;
}

/** A question that the file can answer. */
export interface PricedQuestion extends Question {
  /** Bytes of the tables and indexes that its query goes through from end to end. */
  whole: number;
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

const TREE_BYTES =
  "SELECT pgsize AS bytes FROM dbstat WHERE aggregate = TRUE AND name = (SELECT name FROM sqlite_schema WHERE rootpage = @root)";

const priced = new WeakMap<Snapshot, readonly PricedQuestion[]>();

/** The questions that the file can answer: one of an older schema lacks tables, views and columns. */
export function questionsOf(snapshot: Snapshot): readonly PricedQuestion[] {
  const known = priced.get(snapshot);
  if (known) return known;
  const questions = [...readDocumented(), ...ofViews].flatMap((question): PricedQuestion[] => {
    const plan = snapshot.select<Instruction>(`EXPLAIN ${question.sql}`);
    return plan.length > 0 ? [{ ...question, whole: sumTrees(snapshot, plan) }] : [];
  });
  priced.set(snapshot, questions);
  return questions;
}

function sumTrees({ select }: Snapshot, plan: readonly Instruction[]): number {
  const sizes = wholeTrees(plan).flatMap((root) => select<{ bytes: number }>(TREE_BYTES, { root }));
  return sizes.reduce((sum, { bytes }) => sum + bytes, 0);
}
