import { readNightQuestions } from "../../scripts/docs/questions.ts";
import { readPage, sqlOf } from "./pages.ts";

/** Files as they are folded whose folder says nothing. */
export const toNights = (files: readonly string[]) => files.map((file) => ({ file, sequence: null, withdrawn: false }));

/** The questions to many nights on data/QUESTIONS.md: two to a history, one to exports, one to a snapshot in DuckDB. */
export const NIGHT_QUESTIONS = readNightQuestions(readPage("data/QUESTIONS.md"));

const SQL = sqlOf("data/NIGHTS.md");

/** The SQL of the page about nights. */
export const PAGE_SQL = SQL.filter((sql) => !sql.includes("read_csv"));

/** What it has for exports as CSV. */
export const CSV_SQL = SQL.filter((sql) => sql.includes("read_csv"));
