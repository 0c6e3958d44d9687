import { EXIT, Failure } from "../api/failure.ts";
import { describeDuration } from "../base/words.ts";
import { type CrawlOptions, Overload, type Run } from "./run.ts";
import { explainReason } from "./upstream/likely-mistake.ts";
import { DEFAULT_PATIENCE_MS } from "./upstream/rate-limiter.ts";

/** A timer cannot wait longer than this. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Aborts when a person says so, or when the time of `--max-time` is over. */
export const stopOf = ({ maxTimeMs }: CrawlOptions, interrupt: AbortSignal) =>
  maxTimeMs === undefined
    ? interrupt
    : AbortSignal.any([interrupt, AbortSignal.timeout(Math.min(maxTimeMs, MAX_TIMER_MS))]);

/** The end of a crawl that was told to stop, by a person or by `--max-time`, or that the upstream does not bear. */
export function stopped(run: Run): Failure {
  const { journal, stop } = run;
  const slices = journal.slices();
  const captured = slices.filter(({ state }) => state === "captured").length;
  const what = `${captured} of ${slices.length} slices in ${journal.file}`;
  if (stop.reason instanceof Overload) return overloaded(run, `with ${what}`);
  return isLate(stop)
    ? new Failure(
        EXIT.incomplete,
        `the time of --max-time is over with ${what}`,
        "run the same command again to resume",
      )
    : new Failure(EXIT.interrupted, `interrupted with ${what}`, "run the same command again to resume");
}

/** Makes the failure of a plan that was stopped, which leaves nothing behind. */
export function planStopped(run: Run): Failure {
  if (run.stop.reason instanceof Overload) return overloaded(run, "before the plan was made");
  return isLate(run.stop)
    ? new Failure(EXIT.incomplete, "the time of --max-time is over before the plan was made", "give it more time")
    : new Failure(EXIT.interrupted, "interrupted before the plan was made", "run the same command again");
}

const isLate = ({ reason }: AbortSignal) => (reason as Error).name === "TimeoutError";

function overloaded({ journal, hosts, options }: Run, what: string): Failure {
  const { host = hosts.active().host, reason } = journal.lastAttempt() ?? {};
  const hasAnswer = journal.slices().some(({ pages }) => pages > 0);
  const time = describeDuration((options.patienceMs ?? DEFAULT_PATIENCE_MS) / 1000);
  return new Failure(
    hasAnswer ? EXIT.incomplete : EXIT.unreachable,
    `${host}: gave nothing for ${time} at the lowest pace${reason ? ` (${reason})` : ""}, ${what}; nothing was published`,
    "run the same command again in a few hours to resume",
  );
}

/**
 * Throws a Failure if the upstream gives nothing any more, or next to nothing: then the run ends and closes nothing, since nobody could
 * tell what is closed.
 */
export function endIfDead(run: Run): void {
  const { tally, hosts, journal, options } = run;
  const reason = tally.dead();
  if (reason === undefined) return;
  const slices = journal.slices();
  const { length: missing } = slices.filter(({ state }) => state !== "captured");
  if (reason === "wrong-kind") throw otherKind(run);
  const last = journal.lastAttempt();
  const hint = last?.reason === reason ? explainReason(last.host, last, options.contact) : undefined;
  throw new Failure(
    tally.hasAnswers() ? EXIT.incomplete : EXIT.unreachable,
    `${missing} of ${slices.length} slices are missing, ${hosts.active().host} no longer answers (${reason}); nothing was published`,
    hint ?? "run the same command again to ask for the missing slices only",
  );
}

/** The end of a crawl whose upstream has become another one. */
export const otherKind = ({ hosts, journal }: Pick<Run, "hosts" | "journal">): Failure =>
  new Failure(
    EXIT.usage,
    `${hosts.active().host}: ${journal.lastAttempt()?.detail}; nothing was published`,
    "name the upstream that the crawl began with, or drop the crawl with --fresh",
  );
