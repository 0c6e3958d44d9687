import { parseBody } from "../api/body/body.ts";
import { readPath } from "../api/body/path.ts";
import { totalOf } from "../api/body/wrapping.ts";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { EXIT, type ExitCode, Failure } from "../api/failure.ts";
import { faultOf, type Reason } from "../api/faults.ts";
import { HERO_IDENTIFIER } from "../api/request/path-parameter.ts";
import { capturedSlices, type StoredSlice } from "../journal/journal.ts";
import { isOfProxy, viaProxy } from "../network/proxy.ts";
import { becomesKnown, isUnknownName } from "../network/unreachable.ts";
import { askPage, ROSTER } from "./ask/ask-page.ts";
import { captureSlice, pauseAfter, recordFault } from "./ask/capture.ts";
import { heroOf, roster } from "./doubts/roster.ts";
import { look } from "./doubts/settle.ts";
import type { Run } from "./run.ts";
import { otherKind } from "./stop.ts";
import { explainMistake } from "./upstream/likely-mistake.ts";
import type { UpstreamResponse } from "./upstream/upstream.ts";
import { refuseGrowth } from "./validate/growth.ts";
import { createSlicePages } from "./validate/pages.ts";
import { type Accepted, type Rejected, validateResponse } from "./validate/validate.ts";

interface RosterEntry {
  id: number;
  name: string;
}

/** The heroes of a list, and the number of records that it states: two with one id are one hero. */
export interface Roster {
  heroes: RosterEntry[];
  total: number;
}

const DEFAULT_NAME_PATIENCE_MS = 60_000;

/**
 * Returns the heroes that the upstream knows, by id. If the journal holds the answer of this day, it is not asked again. A list with other
 * heroes than before is examined first (doubts/roster.ts).
 */
export async function captureRoster(run: Run): Promise<Roster> {
  requeueOfAnotherDay(run);
  await askRoster(run);
  await look(run, [roster]);
  return await askRoster(run);
}

function requeueOfAnotherDay({ journal }: Run) {
  const today = journal.header().began_at.slice(0, 10);
  const stored = capturedSlices(journal).find(({ slice }) => isRoster(slice));
  if (stored && stored.facts.asked_at?.slice(0, 10) !== today) journal.requeue([stored.id]);
}

/** Asks for the roster; one that has grown beyond belief is forgotten. */
async function askRoster(run: Run): Promise<Roster> {
  const { journal, options } = run;
  journal.addSlices([ROSTER], "answer");
  const stored = storedRoster(run);
  if (stored.state !== "captured" && !(await captureOrWait(stored, run))) throw explainMissing(run);
  const byId = new Map(journal.records(stored).map(readEntry).reverse());
  const refusal = refuseGrowth(byId.size, options);
  if (!refusal) return { heroes: [...byId.values()].sort((a, b) => a.id - b.id), total: totalIn(run, stored) };
  journal.requeue([stored.id]);
  throw refusal;
}

/** Captures the roster. If the name of the host cannot be resolved, it is asked once more if that changes within a minute. */
async function captureOrWait(stored: StoredSlice, run: Run): Promise<boolean> {
  const { journal, options, stop } = run;
  if (await captureSlice(stored, run, options)) return true;
  const { host, detail = "" } = journal.lastAttempt() ?? {};
  if (host === undefined || !isUnknownName(detail)) return false;
  const { namePatienceMs = DEFAULT_NAME_PATIENCE_MS } = options;
  if (namePatienceMs === 0) return false;
  run.log("unknown-host", { host, wait_seconds: namePatienceMs / 1000 });
  if (!(await becomesKnown(new URL(host).hostname, namePatienceMs, stop))) return false;
  journal.requeue([stored.id]);
  return await captureSlice(stored, run, options);
}

function totalIn({ journal }: Run, { id }: StoredSlice): number {
  const last = journal.pages(id).at(-1);
  return last ? totalOf(endpointOf(ROSTER.dataset).wrapping, parseBody(last)) : 0;
}

// The name is required, too: the answer was validated for it.
const readEntry = (record: unknown): [number, RosterEntry] => [
  heroOf(record),
  { id: heroOf(record), name: String(readPath(record, HERO_IDENTIFIER.called)) },
];

function storedRoster({ journal }: Run): StoredSlice {
  const stored = journal.slices().find(({ slice }) => isRoster(slice));
  if (!stored) throw new Error("the journal has lost the roster");
  return stored;
}

const isRoster = ({ dataset, lang }: Slice) => dataset === ROSTER.dataset && lang === ROSTER.lang;

/**
 * Tells whether the roster is still the one that was planned for, from its size and its newest hero by the smallest request there is. If it
 * is not, the hero list is forgotten, to be captured anew. A list that cannot be had any more is no news.
 */
export async function isRosterUnchanged(run: Run, { heroes, total }: Roster): Promise<boolean> {
  const { id } = storedRoster(run);
  let last: Reason | undefined;
  for (let attempt = 1; attempt <= run.options.attempts; attempt += 1) {
    // A run without a request left takes the day's roster as it was.
    if (run.budget?.left() === 0) return true;
    const how = { size: 1, newConnection: attempt > 1 };
    const { reply, result, isElsewhere } = await askPage(ROSTER, 1, run, validateRoster, how);
    run.tally.witnessed(result.ok);
    if (result.ok) {
      const areListed = result.records.every((record) => heroes.some(({ id: hero }) => hero === heroOf(record)));
      if (areListed && result.total === total) return true;
      run.journal.requeue([id]);
      return false;
    }
    recordFault(run, { id, slice: ROSTER }, 1, reply, result);
    last = result.reason;
    if (isElsewhere || !run.hosts.recordFailure(reply, result.reason, ROSTER.dataset)) await pauseAfter(attempt, run);
  }
  if (last === "wrong-kind") throw otherKind(run);
  run.log("roster-unchecked");
  return true;
}

function validateRoster(response: UpstreamResponse): Accepted | Rejected {
  const endpoint = endpointOf(ROSTER.dataset);
  const accepted = validateResponse(endpoint, ROSTER, response);
  const page = accepted.ok ? createSlicePages(endpoint).check(accepted, response.body) : accepted;
  return page.ok ? accepted : page;
}

const HINTS: Partial<Record<ExitCode, string>> = {
  [EXIT.shapeChanged]: "metasnap must learn the new shape first",
  [EXIT.usage]: "name another upstream, or another folder with --data",
};

/** A permanent redirect and its target. */
const MOVED = /^status 30[18] to (https?:\/\/[^\s/]+)\/api\/heroes\b/;

function explainMissing({ journal, hosts, options }: Run): Failure {
  const { host = hosts.active().host, reason = "unreachable", detail = "" } = journal.lastAttempt() ?? {};
  const [, base] = MOVED.exec(detail) ?? [];
  if (base !== undefined)
    return new Failure(
      EXIT.usage,
      `${host}: has moved to ${base}; nothing was published`,
      `ask there: --upstream ${base}`,
    );
  const via = isOfProxy(detail) ? "" : viaProxy(new URL(host));
  const message = `${host}: gave no hero list${via} (${reason}: ${detail}); nothing was published`;
  const { exitWithoutRoster: code = EXIT.incomplete } = faultOf(reason);
  const known = HINTS[code];
  const { hint, lasts = false } = known ? { hint: known } : explainMistake(host, { reason, detail }, options.contact);
  return new Failure(lasts ? EXIT.usage : code, message, hint);
}
