import { readNightQuestions } from "../../scripts/docs/questions.ts";
import { readPage } from "./pages.ts";

/** Files as they are folded whose folder says nothing. */
export const toNights = (files: readonly string[]) => files.map((file) => ({ file, sequence: null, withdrawn: false }));

/** The questions to many nights on data/QUESTIONS.md: two to a history, one to exports, one to a snapshot in DuckDB. */
export const NIGHT_QUESTIONS = readNightQuestions(readPage("data/QUESTIONS.md"));
