import type SQLite from "better-sqlite3";
import { parseBody } from "../api/body/body.ts";
import { unwrap } from "../api/body/wrapping.ts";
import { endpointOf } from "../api/endpoints.ts";
import { createBatch } from "./batch.ts";
import { checkPage, hashPage, type PageRow } from "./check.ts";
import { damaged } from "./file.ts";
import type { Journal } from "./journal.ts";
import { PAGE_SLOTS } from "./schema.ts";

type Answers = Pick<Journal, "saveAnswer" | "recordAttempt" | "pages" | "records" | "answeredAt" | "factsChars">;

interface AnswersOptions {
  /** Returns the start of the run that asks. */
  runAt: () => string;
  /** Called with every change of the file, in its transaction. */
  beforeChange: () => void;
}

/** Keeps bodies as they came: compressing them would take longer than asking for them. */
export function createAnswers(db: SQLite.Database, file: string, { runAt, beforeChange }: AnswersOptions): Answers {
  const OF_SLICE = `answer_key BETWEEN :id * ${PAGE_SLOTS} AND :id * ${PAGE_SLOTS} + ${PAGE_SLOTS - 1}`;
  const selectPages = db.prepare<[{ id: number }], PageRow>(
    `SELECT answer_key AS key, host, answered_at AS at, facts, sha256, body FROM answer WHERE ${OF_SLICE} ORDER BY answer_key`,
  );
  const selectName = db
    .prepare<[number], string>("SELECT dataset || '?' || slice FROM slice WHERE slice_id = ?")
    .pluck();
  const selectTime = db
    .prepare<[{ id: number }], number>(`SELECT max(answered_at) FROM answer WHERE ${OF_SLICE}`)
    .pluck();
  const selectFactsChars = db.prepare<[], number>("SELECT sum(length(facts)) FROM answer").pluck();
  const insertAnswer = db.prepare("INSERT INTO answer VALUES (:key, :host, :at, :facts, :sha256, :body)");
  const insertAttempt = db.prepare("INSERT INTO attempt VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)");
  const deletePages = db.prepare(`DELETE FROM answer WHERE ${OF_SLICE}`);

  const insertLater = createBatch(
    db.transaction((pages: readonly PageRow[]) => {
      beforeChange();
      for (const page of pages) {
        if (page.key % PAGE_SLOTS === 1) deletePages.run({ id: Math.floor(page.key / PAGE_SLOTS) });
        insertAnswer.run(page);
      }
    }),
  );

  const nameOf = (sliceId: number): string => {
    const name = selectName.get(sliceId);
    if (name === undefined) throw damaged(file, "an answer belongs to no slice");
    return name;
  };

  const pages = (id: number): Buffer[] => {
    const rows = selectPages.all({ id });
    for (const row of rows) checkPage(file, nameOf(id), row);
    return rows.map(({ body }) => body);
  };

  return {
    saveAnswer(id, page, { host, at, body }, facts) {
      const factsJson = facts ? JSON.stringify({ ...facts, asked_at: runAt() }) : null;
      const row = { key: id * PAGE_SLOTS + page, host, at, body, facts: factsJson };
      return insertLater({ ...row, sha256: hashPage(nameOf(id), row) });
    },

    recordAttempt: db.transaction((id, page, { host, at, reason, detail, said }, dropPages) => {
      beforeChange();
      insertAttempt.run(id, page, host, at, reason, detail, said ? JSON.stringify(said) : null);
      if (dropPages) deletePages.run({ id });
    }) satisfies Journal["recordAttempt"],

    pages,

    records: ({ id, slice }) =>
      pages(id).flatMap((body) => unwrap(endpointOf(slice.dataset).wrapping, parseBody(body))),

    answeredAt: (id) => selectTime.get({ id }) ?? 0,
    factsChars: () => selectFactsChars.get() ?? 0,
  };
}
