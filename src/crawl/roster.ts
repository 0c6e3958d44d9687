import { readPath } from "../api/body/path.ts";
import { readId } from "../api/body/reading.ts";
import type { Slice } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { quote } from "../api/quote.ts";
import { nameKey, parseIdentifier } from "../api/request/identifier.ts";
import { HERO } from "../api/request/path-parameter.ts";
import type { Selection } from "../api/selection.ts";
import type { StoredSlice } from "../journal/journal.ts";
import type { Reason } from "../journal/reasons.ts";
import { askPage, captureSlice, pauseAfter } from "./capture.ts";
import { heldRecords } from "./consistency/stored-records.ts";
import { createPages } from "./pages.ts";
import type { Run } from "./run.ts";
import type { HttpResponse } from "./upstream/upstream.ts";
import { refuseGrowth } from "./validate/growth.ts";
import { judge, type Verdict } from "./validate/validate.ts";

export interface RosterEntry {
  id: number;
  name: string;
}

/** The heroes of a list, and how many records it has: two with one id are one hero. */
export interface Roster {
  heroes: RosterEntry[];
  records: number;
}

const ROSTER: Slice = { dataset: HERO.list, lang: BASE_LANG };

/**
 * The heroes that the upstream knows, by id. A journal that holds the answer is not asked again; a roster that has grown
 * beyond belief is forgotten.
 */
export async function captureRoster(run: Run): Promise<Roster> {
  const { journal, options } = run;
  journal.expect([ROSTER], "answer");
  const stored = storedRoster(run);
  if (stored.state !== "captured" && !(await captureSlice(stored, run))) throw explainMissing(run);
  const records = heldRecords(journal, stored);
  const byId = new Map(records.map(readEntry).reverse());
  const refusal = refuseGrowth(byId.size, options);
  if (!refusal) return { heroes: [...byId.values()].sort((a, b) => a.id - b.id), records: records.length };
  journal.reset([stored.id]);
  throw refusal;
}

// What is read here is needed: the answer was judged by it.
const idOf = (record: unknown) => readId(readPath(record, HERO.id)) ?? 0;
const readEntry = (record: unknown): [number, RosterEntry] => [
  idOf(record),
  { id: idOf(record), name: String(readPath(record, HERO.called)) },
];

function storedRoster({ journal }: Run): StoredSlice {
  const found = journal.slices().find(({ slice }) => isRoster(slice));
  if (!found) throw new Error("the journal has lost the roster");
  return found;
}

const isRoster = ({ dataset, lang }: Slice) => dataset === ROSTER.dataset && lang === ROSTER.lang;

/**
 * Puts the slices of a roster into the plan. Where a hero has come since the plan was made, all lists are asked again.
 * Heroes who are gone again mean another upstream, or one that is not itself: that is never mixed in. A hero who never
 * answered was a mistake of the list.
 */
export function planRoster({ journal, log }: Run, { heroes }: Roster, plan: readonly Slice[]) {
  const ids = heroes.map(({ id }) => id);
  const planned = journal.recall("roster");
  if (Array.isArray(planned) && String(planned) !== String(ids)) {
    const gone = journal
      .slices()
      .filter(({ slice }) => slice.hero !== undefined && planned.includes(slice.hero) && !ids.includes(slice.hero));
    const lost = gone.filter(({ state }) => state === "captured").map(({ slice }) => slice.hero);
    if (lost.length > 0) throw lostHeroes([...new Set(lost)]);
    journal.drop(gone.map(({ id }) => id));
    log("roster-changed", { from: planned.length, to: ids.length });
    const lists = journal.slices().filter(({ slice }) => slice.hero === undefined && !isRoster(slice));
    journal.reset(lists.map(({ id }) => id));
  }
  journal.expect(plan, "answer");
  journal.remember("roster", ids);
}

function lostHeroes(gone: readonly unknown[]): Failure {
  const message = `the upstream has lost the heroes ${quote(gone.join(", "))} in the middle of the crawl; nothing was published`;
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
export async function rosterHolds(run: Run, { heroes, records }: Roster): Promise<boolean> {
  const { id } = storedRoster(run);
  for (let attempt = 1; attempt <= run.retryBudget.attemptsFor(ROSTER.dataset); attempt += 1) {
    const { reply, verdict } = await askPage(ROSTER, 1, run, judgeRoster, 1);
    if (verdict.taken) {
      const known = verdict.records.every((record) => heroes.some(({ id: hero }) => hero === idOf(record)));
      if (known && verdict.total === records) return true;
      run.journal.reset([id]);
      return false;
    }
    const { reason, detail } = verdict;
    run.journal.note(id, 1, { host: reply.host, at: reply.at, reason, detail }, false);
    run.log("fault", { ...ROSTER, page: 1, host: reply.host, reason, detail });
    if (!run.hosts.recordFailure(reply, reason)) await pauseAfter(attempt, run);
  }
  throw new Failure(
    EXIT.incomplete,
    "the roster could not be checked at the end; nothing was published",
    "run the same command again",
  );
}

function judgeRoster(reply: HttpResponse): Verdict {
  const endpoint = endpointOf(ROSTER.dataset);
  const verdict = judge(endpoint, ROSTER, reply);
  const step = verdict.taken ? createPages(endpoint).judge(verdict, reply.body) : verdict;
  return step.taken ? verdict : step;
}

const NO_SHAPE: readonly Reason[] = ["wrong-shape", "wrong-envelope"];
const NO_LIST: readonly Reason[] = [
  "wrong-type",
  "not-json",
  "oversized",
  "error-code",
  "repeated-record",
  "wrong-total",
];

function explainMissing({ journal, hosts }: Run): Failure {
  const last = journal.lastAttempt();
  const message = `${hosts.active().host}: gave no hero list (${last?.reason}: ${last?.detail}); nothing was published`;
  if (last && NO_SHAPE.includes(last.reason)) {
    return new Failure(EXIT.shapeChanged, message, "metasnap must learn the new shape first");
  }
  const exit = last && NO_LIST.includes(last.reason) ? EXIT.incomplete : EXIT.unreachable;
  return new Failure(exit, message, "check --upstream, or run the same command again when the upstream is back");
}

/** The ids that `--heroes` names, or the whole roster. */
export function selectHeroes(selection: Selection, { heroes }: Roster): number[] {
  if (!selection.heroes) return heroes.map((hero) => hero.id);
  const ids = selection.heroes.map((word) => {
    const wanted = parseIdentifier(word);
    const hero = heroes.find(({ id, name }) => ("id" in wanted ? wanted.id === id : wanted.key === nameKey(name)));
    if (hero) return hero.id;
    throw new Failure(EXIT.usage, `--heroes: the upstream has no hero ${word}`, "give ids or English names, by commas");
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
