import type { Slice } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { nameKey, parseIdentifier } from "../api/identifier.ts";
import { BASE_LANG } from "../api/languages.ts";
import { heroListRecord } from "../api/records/hero.ts";
import type { Selection } from "../api/selection.ts";
import type { StoredSlice } from "../journal/journal.ts";
import { askPage, captureSlice, pauseAfter, type Run } from "./capture.ts";
import { parsePage } from "./judge.ts";

export interface RosterEntry {
  id: number;
  name: string;
}

const ROSTER: Slice = { dataset: "heroes", lang: BASE_LANG };

/** The heroes that the upstream knows, by id. A journal that holds the answer is not asked again. */
export async function captureRoster(run: Run): Promise<RosterEntry[]> {
  const { journal } = run;
  journal.expect([ROSTER], "answer");
  const stored = storedRoster(run);
  const held =
    stored.state === "captured" ? journal.pages(stored.id).flatMap((page) => parsePage(page).records) : undefined;
  const records = held ?? (await captureSlice(stored, run));
  if (!records) throw explainMissing(run);
  return records
    .map((record) => heroListRecord.parse(record).data)
    .map((data) => ({ id: data.hero_id, name: data.hero.data.name }))
    .sort((a, b) => a.id - b.id);
}

function storedRoster({ journal }: Run): StoredSlice {
  const found = journal.slices().find(({ slice }) => slice.dataset === ROSTER.dataset && slice.lang === ROSTER.lang);
  if (!found) throw new Error("the journal has lost the roster");
  return found;
}

/**
 * Puts the slices of a roster into the plan. Where the plan was made for other heroes, all lists are asked again, and
 * what was asked of heroes who are gone is dropped.
 */
export function planRoster({ journal, log }: Run, roster: readonly RosterEntry[], plan: readonly Slice[]) {
  const ids = roster.map(({ id }) => id);
  const planned = journal.recall("roster");
  if (planned !== null && String(planned) !== String(ids)) {
    log("roster-changed", { heroes: ids.length });
    const heroes = new Set(plan.map(({ hero }) => hero));
    const stored = journal.slices();
    const lists = stored.filter(
      ({ slice }) => slice.hero === undefined && !(slice.dataset === "heroes" && slice.lang === BASE_LANG),
    );
    journal.drop(stored.filter(({ slice }) => !heroes.has(slice.hero)).map(({ id }) => id));
    journal.reset(lists.map(({ id }) => id));
  }
  journal.expect(plan, "answer");
  journal.remember("roster", ids);
}

/**
 * Whether the roster is still the one that was planned for, told from its size by the smallest request there is. If it is
 * not, the hero list is forgotten, to be captured anew.
 */
export async function rosterHolds(run: Run, roster: readonly RosterEntry[]): Promise<boolean> {
  const { id } = storedRoster(run);
  for (let attempt = 1; attempt <= run.patience.attempts(ROSTER.dataset); attempt += 1) {
    const { reply, verdict } = await askPage(ROSTER, [], run, 1);
    if (verdict.taken) {
      if (verdict.total === roster.length) return true;
      run.journal.reset([id]);
      return false;
    }
    const { reason, detail } = verdict;
    run.journal.note(id, 1, { host: reply.host, at: reply.at, reason, detail }, false);
    run.log("fault", { ...ROSTER, page: 1, host: reply.host, reason, detail });
    if (!run.hosts.failed(reply, reason)) await pauseAfter(attempt, run);
  }
  throw new Failure(
    EXIT.incomplete,
    "the roster could not be checked at the end; nothing was published",
    "run the same command again",
  );
}

function explainMissing({ journal, hosts }: Run): Failure {
  const { host, reason, detail } = journal.lastAttempt() ?? { host: hosts.active().host, reason: "", detail: "" };
  const shape = reason === "wrong-shape" || reason === "wrong-envelope";
  return new Failure(
    shape ? EXIT.shapeChanged : EXIT.unreachable,
    `${host}: gave no hero list (${reason}: ${detail})`,
    shape
      ? "metasnap must learn the new shape first"
      : "check --upstream, or run the same command again when the upstream is back",
  );
}

/** The ids that `--heroes` names, or the whole roster. */
export function selectHeroes(selection: Selection, roster: readonly RosterEntry[]): number[] {
  if (!selection.heroes) return roster.map((hero) => hero.id);
  const ids = selection.heroes.map((word) => {
    const wanted = parseIdentifier(word);
    const hero = roster.find(({ id, name }) => ("id" in wanted ? wanted.id === id : wanted.key === nameKey(name)));
    if (hero) return hero.id;
    throw new Failure(EXIT.usage, `--heroes: the upstream has no hero ${word}`, "give ids or English names, by commas");
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
