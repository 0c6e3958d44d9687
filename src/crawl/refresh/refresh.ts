import type { Slice } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { capturedSlices } from "../../journal/captured.ts";
import type { Journal } from "../../journal/journal.ts";
import { tableOf } from "../../journal/stale.ts";
import { captureOnce, isMoreToAsk, MAX_CLOSINGS } from "../answers.ts";
import { requireComplete } from "../collect.ts";
import { captureTranslations, checkLanguageInvariance } from "../consistency/languages.ts";
import { createReconcileState, reconcile } from "../consistency/reconcile.ts";
import { findTextMismatches } from "../consistency/text-mismatches.ts";
import { closeRefusals } from "../refusals/close.ts";
import { concludeRefusals } from "../refusals/conclude.ts";
import { probeDoubtful } from "../refusals/probe.ts";
import { giveUpSilent } from "../refusals/silent.ts";
import { rosterUnchanged } from "../roster.ts";
import type { Run } from "../run.ts";
import { type RefreshOptions, wasEmpty } from "./base.ts";
import { checkCanaries, type Proved } from "./canaries.ts";
import { refreshKindOf } from "./kinds.ts";
import { planLists, planTurns, planWanted, reserveOf, turnsPerDay, UNLIMITED } from "./plan.ts";
import { settle } from "./settle.ts";
import { ask, refreshTexts, TEXT_SHARE } from "./texts.ts";
import { chooseTurns, DAY_MS, type Turn, weighSetAges } from "./turns.ts";

/** Times that the roster may change under way. */
const MAX_ROUNDS = 3;

/**
 * A crawl that asks for what is due and carries the rest over from the snapshot in hand. Each table is asked whole and taken whole;
 * what the day or the upstream leaves no time for stays as it was.
 */
export async function refresh(run: Run, options: RefreshOptions): Promise<void> {
  const state = createReconcileState();
  run.journal.setState("base", options.base?.id ?? null);
  requeueLists(run);
  const { targets, wanted, texts } = await askWhatIsDue(run, options);
  await reconcile(run, state);
  await proveEmpty(run, options, wanted);
  // Before the languages, which are checked with what is left; what that asks again is proved again.
  const proved: Proved = new Map();
  const moving = await checkCanaries(run, proved);
  await yieldOrAbort(run.stop);
  const mismatches = findTextMismatches(run);
  const differing = await checkLanguageInvariance(run, mismatches);
  await captureTranslations(run, mismatches, differing);
  const unsettled = [...moving, ...(await checkCanaries(run, proved)), ...(await reconcile(run, state))];
  await closeRefusals(run);
  concludeRefusals(run);
  requireComplete(run, "answer");
  settle(run, planWanted(run.options, options, targets, differing), unsettled, texts.suspects);
}

/** Again from the lists where a hero has come meanwhile, or a group has opened. */
async function askWhatIsDue(run: Run, options: RefreshOptions) {
  let closings = 0;
  for (let round = 1; ; round += 1) {
    const { roster, targets } = await captureOnce(run, (found) => planLists(run.options, found));
    // Whether the snapshot in hand is still right about what is refused is known before anything else is chosen.
    await ask(run, run.refusals.probes());
    if (giveUpSilent(run)) continue;
    requireComplete(run, "answer");
    const wanted = planWanted(run.options, options, targets);
    const asked = wanted.filter((slice) => !run.refusals.isWithheld(slice));
    const texts = await refreshTexts(run, options, asked, textLimit(run));
    await takeTurns(run, options, asked, texts.suspects);
    await probeDoubtful(run);
    if (closings < MAX_CLOSINGS && (await isMoreToAsk(run))) {
      closings += 1;
      continue;
    }
    const isLast = round - closings >= MAX_ROUNDS || !canAskListsAgain(run);
    if (!isLast && !(await rosterUnchanged(run, roster))) continue;
    concludeRefusals(run);
    return { targets, wanted, texts };
  }
}

/** A hero who has come under way makes all lists due again: where the day has no room for that, it is tomorrow's news. */
function canAskListsAgain({ budget, journal }: Run): boolean {
  return !budget || budget.left() > listsOf(journal).length + reserveOf(budget.limit);
}

const listsOf = (journal: Journal) => journal.slices().filter(({ slice }) => refreshKindOf(slice) === "list");

/** Those of an earlier day say nothing of this one. */
function requeueLists({ journal }: Run) {
  const today = journal.header().began_at.slice(0, 10);
  journal.requeue(
    listsOf(journal)
      .filter(({ facts }) => facts.asked_at?.slice(0, 10) !== today)
      .map(({ id }) => id),
  );
}

const textLimit = ({ budget }: Run) => (budget ? Math.floor(budget.left() * TEXT_SHARE) : UNLIMITED);

/** Asks for the tables that are most overdue, and for those that a run before has begun. */
async function takeTurns(run: Run, options: RefreshOptions, wanted: readonly Slice[], suspects: ReadonlySet<string>) {
  const { journal, budget, log, refusals } = run;
  const now = run.options.startedAt.getTime();
  const turns = planTurns(run, options, wanted, suspects);
  const begun = new Set(journal.slices().map(tableOf));
  const isBegun = ({ table }: Turn) => begun.has(table);
  const isReopened = ({ slices: [first] }: Turn) => first !== undefined && refusals.isReopened(first);
  const pending = journal.slices().filter(({ state }) => state !== "captured").length;
  refuseTooSmall(run, turns);
  const open = turns.filter((turn) => !isBegun(turn));
  const chosen = budget ? chooseTurns(open, budget.left() - reserveOf(budget.limit) - pending, now, isReopened) : open;
  log("turns", {
    tables: chosen.length,
    of: turns.length,
    requests: chosen.reduce((sum, { slices }) => sum + slices.length, 0),
  });
  const asked = [...turns.filter(isBegun), ...chosen];
  const waiting = turns.filter((turn) => !asked.includes(turn));
  tellLate(run, options, turnsPerDay(wanted, options.requestsPerDay), turns, waiting);
  await ask(
    run,
    asked.flatMap(({ slices }) => slices),
  );
}

/** One line where `--max-age-of` asks for more than the days have, or where a table is late all the same, as after missed nights. */
function tellLate(
  { journal, log }: Run,
  { maxAges }: RefreshOptions,
  requestsPerDay: number,
  turns: readonly Turn[],
  waiting: readonly Turn[],
) {
  const { taken, areKept } = weighSetAges(turns, requestsPerDay, maxAges);
  const now = Date.parse(journal.header().started_at);
  const ageOf = ({ oldestMs = now }: Turn) => now - oldestMs;
  const late = waiting.filter((turn) => maxAges.has(turn.dataset) && ageOf(turn) > turn.targetMs);
  if (areKept && late.length === 0) return;
  const days = [...Map.groupBy(late, ({ dataset }) => dataset)].map(([dataset, members]) => [
    dataset,
    Number((Math.max(...members.map(ageOf)) / DAY_MS).toFixed(1)),
  ]);
  const facts = { promised: areKept, needed: Math.ceil(taken), of: Math.floor(requestsPerDay) };
  log("max-age-of", { ...facts, late_days: Object.fromEntries(days) });
}

/** A table that never fits would never be asked. */
function refuseTooSmall({ budget, options, journal }: Run, turns: readonly Turn[]) {
  if (!budget) return;
  const lists = listsOf(journal).length;
  const largest = Math.max(0, ...turns.map(({ slices }) => slices.length));
  // Texts may take as much as the tables.
  const needed = Math.ceil((lists + 2 * largest) * 1.1) + reserveOf(0);
  if (budget.limit >= needed) return;
  throw new Failure(
    EXIT.usage,
    `--budget: ${budget.limit} requests a day are too few for ${lists} lists and a table of ${largest}; nothing was published`,
    `give it at least ${needed}${options.selection.heroes ? "" : ", or name fewer heroes with --heroes"}`,
  );
}

/**
 * What was empty and is no longer tells that others like it may be filled too: the rest of its table is asked for, or of all tables of
 * its endpoint where there is no budget.
 */
async function proveEmpty(run: Run, { base, policy }: RefreshOptions, wanted: readonly Slice[]) {
  const filled = capturedSlices(run.journal)
    .filter(({ slice }) => refreshKindOf(slice) === "turn" && wasEmpty(base, slice))
    .filter((stored) => run.journal.records(stored).length > 0);
  const datasets = new Set(filled.map(({ slice }) => slice.dataset));
  const tables = new Set(filled.map(tableOf));
  const isLike = (slice: Slice) => (policy === "reuse" ? datasets.has(slice.dataset) : tables.has(tableOf({ slice })));
  const rest = wanted.filter((slice) => wasEmpty(base, slice) && isLike(slice));
  if (filled.length > 0) run.log("filled", { slices: filled.length, asked: rest.length });
  await ask(run, run.budget ? rest.slice(0, Math.max(0, run.budget.left() - reserveOf(run.budget.limit) / 2)) : rest);
}
