import { rmSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../api/failure.ts";
import { makeFolder } from "../base/files.ts";

/** The requests that a day may still take. */
export interface RequestBudget {
  /** The limit of requests in one UTC day. */
  limit: number;
  /** The reason why the counts of earlier runs cannot be read: the day counts as spent then. */
  lost: string | undefined;
  left(): number;
  /** Counts a request, and is called before each. Throws `BudgetSpent` when none is left. */
  spend(): void;
  /** Says why none is left. */
  spent(): BudgetSpent;
  /** Lowers what is left to so many requests, as the upstream will take no more for now. */
  bound(requests: number): void;
  /** Forgets the counts of days in the future, which come from a wrong clock. */
  forgetLater(): void;
  close(): void;
}

/** The day has no request left. Slices that were not asked for stay as they are. */
export class BudgetSpent extends Failure {
  constructor(limit: number, isBound: boolean) {
    const [what, hint] = isBound
      ? ["the upstream takes no more requests for now", "run the same command again when its quota allows it"]
      : [
          `the budget of ${limit} requests a day is spent`,
          "run the same command again after midnight UTC, or give it a larger --budget",
        ];
    super(EXIT.incomplete, `${what}; nothing was published`, hint);
  }
}

/** Requests sent this close to midnight count for both days: the upstream's clock may differ, and a request takes its time. */
const MIDNIGHT_MS = 60_000;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

const DDL =
  "CREATE TABLE IF NOT EXISTS day (utc_day TEXT PRIMARY KEY, requests INTEGER NOT NULL) STRICT, WITHOUT ROWID";

function openCounts(file: string) {
  const db = new SQLite(file);
  try {
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.exec(DDL);
    const select = db.prepare<[string], number>("SELECT requests FROM day WHERE utc_day = ?").pluck();
    const count = db.prepare(
      "INSERT INTO day VALUES (?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests",
    );
    const forget = db.prepare("DELETE FROM day WHERE utc_day > ?");
    // Reads every page: damage is found here, and not in the middle of a night.
    db.prepare("SELECT total(requests) FROM day").get();
    return { db, select, count, forget };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens the counts of a file. One that is damaged is made anew, and the reason returned. */
function openOrRenew(file: string) {
  try {
    return { ...openCounts(file), lost: undefined };
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    if (!/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(code)) throw error;
    for (const part of ["-wal", "-shm", ""]) rmSync(file + part, { force: true });
    return { ...openCounts(file), lost: `${file}: does not count requests (${message}), so today counts as spent` };
  }
}

/**
 * Opens the budget of a data folder. It counts durably, before each request: nobody gets a request back by killing the process or dropping
 * the journal. `now`: epoch ms. The days are those of the real clock, whatever a crawl is dated by.
 */
export function openBudget(data: string, limit: number, now: () => number = Date.now): RequestBudget {
  makeFolder(data);
  const { db, select, count, forget, lost } = openOrRenew(join(data, "requests.sqlite"));
  const countAll = db.transaction((days: readonly string[], requests: number) => {
    for (const day of days) count.run(day, requests);
  });
  let bound = Number.POSITIVE_INFINITY;
  const days = () => [...new Set([dayOf(now() - MIDNIGHT_MS), dayOf(now() + MIDNIGHT_MS)])];
  const left = () => Math.max(0, Math.min(bound, ...days().map((day) => limit - (select.get(day) ?? 0))));
  const spent = () => new BudgetSpent(limit, bound <= 0);
  if (lost !== undefined) countAll(days(), limit);
  return {
    limit,
    lost,
    left,
    spent,
    spend() {
      if (left() <= 0) throw spent();
      countAll(days(), 1);
      bound -= 1;
    },
    bound(requests) {
      bound = Math.min(bound, Math.max(0, requests));
    },
    forgetLater: () => void forget.run(dayOf(now() + MIDNIGHT_MS)),
    close: () => void db.close(),
  };
}
