import { EXIT, Failure } from "../api/failure.ts";
import { describeDuration } from "../base/words.ts";
import type { Journal } from "../journal/journal.ts";
import type { RequestBudget } from "./budget.ts";
import type { CrawlLog } from "./progress.ts";
import type { TransportError, UpstreamResponse } from "./upstream/upstream.ts";

/** Three clocks, in epoch milliseconds. */
export interface Witnesses {
  /** The clock of this machine. */
  clock: number;
  /** The `Date` of an answer; undefined if none can be used. */
  upstream: number | undefined;
  /** The newest time in the data folder; undefined in an empty one. */
  folder: number | undefined;
}

/** The clock and the `Date` of an answer agree if they are this close: no clock is wrong by a whole night because of its time zone. */
const AGREE_MS = 12 * 3_600_000;
/** A folder whose newest time is older says nothing about the clock here. */
const RECENT_MS = 3 * 86_400_000;

/**
 * Judges which of the three to believe: the clock, if `Date` or the folder agrees with it, or if nothing contradicts it. Without a usable
 * `Date` a folder with a later time is enough to doubt the clock.
 */
export function judgeClock({
  clock,
  upstream,
  folder,
}: Witnesses): "agreed" | "upstream-differs" | "alone" | "doubted" {
  if (upstream !== undefined && Math.abs(clock - upstream) <= AGREE_MS) return "agreed";
  if (folder !== undefined && folder > clock) return "doubted";
  if (upstream === undefined) return "alone";
  return folder !== undefined && clock - folder <= RECENT_MS ? "upstream-differs" : "doubted";
}

/** Compares the clock here with the upstream and with the data folder, once in a run. */
export interface ClockCheck {
  /** Takes all replies until one is an answer. Throws a Failure for usage if the clock cannot be trusted. */
  check(replies: readonly (UpstreamResponse | TransportError)[]): void;
}

interface Checked {
  data: string;
  startedAt: Date;
  /** ISO 8601 in UTC: the newest time in the data folder. Undefined if the clock is not to be checked. */
  clock?: { newest: string | undefined } | undefined;
}

/**
 * Makes the check. It mends a folder with times that are later than a clock which the upstream confirms: answers that the journal has from
 * such a time are asked again, and days in the future have no requests.
 */
export function createClockCheck(
  { data, startedAt, clock: told }: Checked,
  journal: Journal,
  budget: RequestBudget | undefined,
  log: CrawlLog,
): ClockCheck {
  let isChecked = told === undefined;
  return {
    check(replies) {
      if (isChecked) return;
      const answers = replies.filter((reply) => "body" in reply);
      const [first] = answers;
      if (!first) return;
      isChecked = true;
      const dated = answers.find((answer) => dateOf(answer) !== undefined) ?? first;
      const folder = told?.newest === undefined ? undefined : Date.parse(told.newest);
      const witnesses: Witnesses = { clock: dated.at, upstream: dateOf(dated), folder };
      const verdict = judgeClock(witnesses);
      const times = describe(witnesses);
      if (verdict === "doubted") throw refusal(dated.host, data, witnesses);
      if (verdict === "upstream-differs") log("clock-differs", { host: dated.host, ...times });
      if (verdict !== "agreed") return;
      budget?.forgetLater();
      const again = journal.forgetLater();
      if (folder === undefined || folder <= startedAt.getTime()) return;
      log("folder-ahead", { folder: data, ...times, ahead: describeDuration((folder - dated.at) / 1000), again });
    },
  };
}

/** Reads the time of an answer; undefined for one from a cache, which says nothing about now. */
function dateOf({ headers }: UpstreamResponse): number | undefined {
  const time = headers.age === undefined ? Date.parse(headers.date ?? "") : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Writes the times in ISO 8601, as far as they are known. */
function describe({ clock, upstream, folder }: Witnesses) {
  const toText = (ms: number | undefined) => (ms === undefined ? "no time" : new Date(ms).toISOString());
  return { clock: toText(clock), upstream: toText(upstream), newest: toText(folder) };
}

function refusal(host: string, data: string, witnesses: Witnesses): Failure {
  const { clock, upstream, newest } = describe(witnesses);
  const { clock: now, folder = 0 } = witnesses;
  const otherwise =
    folder > now
      ? "go back to a night that is not ahead with `npm run rollback -- --to VERSION`, and drop an unfinished crawl that is with --fresh"
      : 'say so with SOURCE_DATE_EPOCH="$(date +%s)"';
  return new Failure(
    EXIT.usage,
    `the clock here says ${clock}, ${host} says ${upstream}, and the newest in ${data} is of ${newest}: the clock cannot be trusted; nothing was asked`,
    `set the clock, or if it is right, ${otherwise}`,
  );
}
