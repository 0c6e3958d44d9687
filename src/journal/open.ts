import { existsSync } from "node:fs";
import type SQLite from "better-sqlite3";
import { EXIT, Failure } from "../api/failure.ts";
import { createAnswers } from "./answers.ts";
import { checkJournal, guard, guardDamage, sealHeader } from "./check.ts";
import { countPlanned, countTables } from "./conclusion/counts.ts";
import { createJournalFile, damaged, openJournalFile, readHeaderOf } from "./file.ts";
import type { Journal, Look, StoredSlice } from "./journal.ts";
import { createPlanReader } from "./plan-reader.ts";
import { createPlanWriter } from "./plan-writer.ts";
import { lastAttemptOf, lastAttemptsOf, reportOf } from "./report.ts";
import { type Header, headerSchema, PAGE_SLOTS, STATE, type State } from "./schema.ts";

/** The fields that only a finished journal has. */
const NOT_FINISHED = { number: undefined, seal: undefined, built: undefined, too_little: undefined };

/** Opens a journal, or makes one with this header. Throws a Failure if the file is no journal, or is damaged. */
export function openJournal(file: string, create?: Header): Journal {
  const db = create ? createJournalFile(file, create) : openJournalFile(file);
  try {
    if (!create) guard(file, () => checkJournal(db, file));
    return guardDamage(file, createJournal(db, file));
  } catch (error) {
    db.close();
    throw error;
  }
}

function createJournal(db: SQLite.Database, file: string): Journal {
  const selectLooks = db.prepare<[], Look>(
    'SELECT check_name AS "check", doubt, slice_id AS id, seen, times FROM look ORDER BY 1, 2, 3, 4',
  );
  const deleteUnfinished = db.prepare(
    `DELETE FROM answer WHERE answer_key / ${PAGE_SLOTS} NOT IN
     (SELECT answer_key / ${PAGE_SLOTS} FROM answer WHERE facts IS NOT NULL)`,
  );
  const deleteLooks = db.prepare("DELETE FROM look");
  const putState = db.prepare("INSERT INTO state VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json");
  const selectState = db.prepare<[string], string>("SELECT json FROM state WHERE name = ?").pluck();

  /** Start of the run that asks now, and of the first run of its day. */
  let { started_at: runAt, began_at: beganAt } = readHeaderOf(db, file);
  const writeHeader = (header: Header) => void db.prepare("UPDATE header SET json = ?").run(JSON.stringify(header));
  let isDated = false;
  /** Dates the journal by the last run that asked anything, by the latest of their clocks. */
  const dateByRun = () => {
    if (isDated) return;
    const header = readHeaderOf(db, file);
    const started_at = header.started_at > runAt ? header.started_at : runAt;
    writeHeader({ ...header, started_at, began_at: beganAt });
    isDated = true;
  };

  const plan = createPlanReader(db, file);
  const changing = <A extends unknown[], R>(change: (...args: A) => R) => {
    return (...args: A): R => {
      if (!(Array.isArray(args[0]) && args[0].length === 0)) plan.forget();
      return change(...args);
    };
  };
  const write = createPlanWriter(db, () => runAt);
  const answers = createAnswers(db, file, {
    runAt: () => runAt,
    beforeChange() {
      // A file that has lost its name takes all that is written, and nobody can build it.
      if (!db.memory && !existsSync(file)) throw gone(file);
      plan.forget();
      dateByRun();
    },
  });

  return {
    file,
    header: () => ({ ...readHeaderOf(db, file), began_at: beganAt }),

    slices: (purpose = "answer") => plan.slices(purpose),
    addSlices: changing(write.addSlices),
    plan: changing(write.plan),
    setPurpose: changing(write.setPurpose),
    markFailed: changing(write.markFailed),
    vouch: changing(write.vouch),
    forget: changing(write.forget),
    requeue: changing(write.requeue),
    looks: () => selectLooks.all(),
    noteLooks: write.noteLooks,
    giveBack: changing(write.giveBack),

    ...answers,

    lastAttempt: () => lastAttemptOf(db),
    lastAttempts: () => lastAttemptsOf(db),

    countPlanned: () => countPlanned(db),
    countTables: () => countTables(db),
    report: () => reportOf(db, readHeaderOf(db, file)),

    setState: (name, value) => void putState.run(name, JSON.stringify(value)),

    getState(name) {
      const json = selectState.get(name);
      return json === undefined ? undefined : readState(file, name, json);
    },

    finish(finishedAt, number) {
      const header = headerSchema.parse({ ...readHeaderOf(db, file), finished_at: finishedAt, number });
      writeHeader({ ...header, seal: sealHeader(db, header) });
      db.pragma("wal_checkpoint(TRUNCATE)");
    },

    reopen: changing((startedAt?: string, more: Partial<Header> = {}) => {
      const header = readHeaderOf(db, file);
      // All pages of an answer are of one run, whose start says when the answer was asked.
      if (startedAt !== undefined && startedAt !== header.started_at) deleteUnfinished.run();
      runAt = startedAt ?? runAt;
      beganAt = laterDay(header.began_at, runAt);
      // On another day the upstream has other numbers, and each doubt is to be looked into anew.
      if (beganAt !== header.began_at) deleteLooks.run();
      isDated = false;
      writeHeader({ ...header, ...more, finished_at: null, ...NOT_FINISHED });
    }),

    forgetLater() {
      const header = readHeaderOf(db, file);
      if (header.started_at <= runAt) return 0;
      const isLater = ({ facts }: StoredSlice) => (facts.asked_at ?? "") > runAt;
      const later = [...plan.slices("answer"), ...plan.slices("proof")].filter(isLater).map(({ id }) => id);
      beganAt = runAt;
      plan.forget();
      db.transaction(() => {
        write.requeue(later);
        writeHeader({ ...header, started_at: runAt, began_at: runAt });
      })();
      return later.length;
    },

    close: () => void db.close(),
  };
}

const gone = (file: string) =>
  new Failure(
    EXIT.usage,
    `${file}: is gone, with the answers of this crawl; nothing was published`,
    "leave the folder alone while a crawl runs, then run the same command again",
  );

/** A crawl that is continued on a later day belongs to that day. */
const laterDay = (began: string, now: string) => (now.slice(0, 10) > began.slice(0, 10) ? now : began);

function readState<Name extends keyof State>(file: string, name: Name, json: string): State[Name] {
  const { data, error } = STATE[name].safeParse(JSON.parse(json));
  if (error) throw damaged(file, `its state ${name} is not valid`, error);
  return data as State[Name];
}
