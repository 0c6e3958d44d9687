import { readPath } from "../api/body/path.ts";
import { readId } from "../api/body/scalars.ts";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { EXIT, type ExitCode, Failure } from "../api/failure.ts";
import { faultOf } from "../api/faults.ts";
import { HERO_IDENTIFIER } from "../api/request/path-parameter.ts";
import { truncate } from "../base/words.ts";
import type { StoredSlice } from "../journal/journal.ts";
import { isOfProxy, viaProxy } from "../network/proxy.ts";
import { askPage, captureSlice, pauseAfter, recordFault } from "./capture.ts";
import type { Run } from "./run.ts";
import { explainMistake } from "./upstream/likely-mistake.ts";
import type { UpstreamResponse } from "./upstream/upstream.ts";
import { refuseGrowth } from "./validate/growth.ts";
import { createSlicePages } from "./validate/pages.ts";
import { type Accepted, type Rejected, validateResponse } from "./validate/validate.ts";

interface RosterEntry {
  id: number;
  name: string;
}

/** The heroes of a list, and how many records it has: two with one id are one hero. */
export interface Roster {
  heroes: RosterEntry[];
  records: number;
}

const ROSTER: Slice = { dataset: HERO_IDENTIFIER.list, lang: BASE_LANG };

/** Times that a list with other heroes than before is looked at, if no two in a row name the same. */
const MAX_LOOKS = 3;

/**
 * The heroes that the upstream knows, by id. A journal that holds the answer is not asked again. A list with other heroes than
 * the snapshot that the crawl goes on from is believed when it says so twice: what follows from a damaged one takes a day's
 * requests.
 */
export async function captureRoster(run: Run): Promise<Roster> {
  const { journal, options, budget } = run;
  const ids = journal.getState("roster") ?? options.refresh?.base?.records(ROSTER).map(idOf);
  let roster = await askRoster(run);
  if (ids === undefined) return roster;
  for (let look = 2; look <= MAX_LOOKS && !isOf(roster, ids) && budget?.left() !== 0; look += 1) {
    const before = roster.heroes.map(({ id }) => id);
    journal.requeue([storedRoster(run).id]);
    roster = await askRoster(run);
    if (isOf(roster, before)) break;
  }
  return roster;
}

const isOf = ({ heroes }: Roster, ids: readonly number[]): boolean =>
  new Set(ids).size === heroes.length && heroes.every(({ id }) => ids.includes(id));

/** A roster that has grown beyond belief is forgotten. */
async function askRoster(run: Run): Promise<Roster> {
  const { journal, options } = run;
  journal.addSlices([ROSTER], "answer");
  const stored = storedRoster(run);
  if (stored.state !== "captured" && !(await captureSlice(stored, run))) throw explainMissing(run);
  const records = journal.records(stored);
  const byId = new Map(records.map(readEntry).reverse());
  const refusal = refuseGrowth(byId.size, options);
  if (!refusal) return { heroes: [...byId.values()].sort((a, b) => a.id - b.id), records: records.length };
  journal.requeue([stored.id]);
  throw refusal;
}

// What is read here is needed: the answer was checked for it.
const idOf = (record: unknown) => readId(readPath(record, HERO_IDENTIFIER.id)) ?? 0;
const readEntry = (record: unknown): [number, RosterEntry] => [
  idOf(record),
  { id: idOf(record), name: String(readPath(record, HERO_IDENTIFIER.called)) },
];

function storedRoster({ journal }: Run): StoredSlice {
  const stored = journal.slices().find(({ slice }) => isRoster(slice));
  if (!stored) throw new Error("the journal has lost the roster");
  return stored;
}

const isRoster = ({ dataset, lang }: Slice) => dataset === ROSTER.dataset && lang === ROSTER.lang;

/**
 * Puts the slices of a roster into the plan. Where a hero has come since the plan was made, all lists are asked again.
 * Heroes who are gone again mean another upstream, or one that is not itself: that is never mixed in. A hero who never
 * answered was a mistake of the list.
 */
export function planRoster({ journal, log }: Run, { heroes }: Roster, plan: readonly Slice[]) {
  const ids = heroes.map(({ id }) => id);
  const planned = journal.getState("roster");
  if (planned && String(planned) !== String(ids)) {
    const gone = journal
      .slices()
      .filter(({ slice }) => slice.hero !== undefined && planned.includes(slice.hero) && !ids.includes(slice.hero));
    const lost = gone.filter(({ state }) => state === "captured").map(({ slice }) => slice.hero);
    if (lost.length > 0) throw lostHeroes([...new Set(lost)]);
    journal.removeSlices(gone.map(({ id }) => id));
    log("roster-changed", { from: planned.length, to: ids.length });
    const lists = journal.slices().filter(({ slice }) => slice.hero === undefined && !isRoster(slice));
    journal.requeue(lists.map(({ id }) => id));
  }
  journal.addSlices(plan, "answer");
  journal.setState("roster", ids);
}

function lostHeroes(gone: readonly unknown[]): Failure {
  const message = `the upstream has lost the heroes ${truncate(gone.join(", "))} in the middle of the crawl; nothing was published`;
  return new Failure(
    EXIT.incomplete,
    message,
    "run the same command again when it has them back, or crawl anew with --fresh",
  );
}

/**
 * Whether the roster is still the one that was planned for, told from its size and its newest hero by the smallest
 * request there is. If it is not, the hero list is forgotten, to be captured anew.
 */
export async function rosterUnchanged(run: Run, { heroes, records }: Roster): Promise<boolean> {
  const { id } = storedRoster(run);
  for (let attempt = 1; attempt <= run.retryBudget.attemptsFor(ROSTER.dataset); attempt += 1) {
    // Who goes on without a request left takes the day's roster as it was.
    if (run.budget?.left() === 0) return true;
    const { reply, result } = await askPage(ROSTER, 1, run, validateRoster, { size: 1, newConnection: attempt > 1 });
    if (result.ok) {
      const areListed = result.records.every((record) => heroes.some(({ id: hero }) => hero === idOf(record)));
      if (areListed && result.total === records) return true;
      run.journal.requeue([id]);
      return false;
    }
    recordFault(run, { id, slice: ROSTER }, 1, reply, result);
    if (!run.hosts.recordFailure(reply, result.reason)) await pauseAfter(attempt, run);
  }
  const { reason, detail } = run.journal.lastAttempt(ROSTER) ?? {};
  const isOther = faultOf(reason).exit === EXIT.usage;
  throw new Failure(
    isOther ? EXIT.usage : EXIT.incomplete,
    `the roster could not be checked at the end${isOther ? ` (${detail})` : ""}; nothing was published`,
    isOther ? "name the upstream that the crawl began with, or drop it with --fresh" : "run the same command again",
  );
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

function explainMissing({ journal, hosts }: Run): Failure {
  const last = journal.lastAttempt();
  const { host = hosts.active().host, reason, detail = "" } = last ?? {};
  const via = isOfProxy(detail) ? "" : viaProxy(new URL(host));
  const message = `${host}: gave no hero list${via} (${reason}: ${detail}); nothing was published`;
  const { exit, exitWithoutRoster: code = exit ?? EXIT.incomplete } = faultOf(reason);
  const usual = HINTS[code] ?? "check --upstream, or run the same command again when the upstream is back";
  return new Failure(code, message, (last && explainMistake(host, last)) ?? usual);
}
