import type { Slice } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { NOT_ASKED } from "../../api/refusals.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { capturedById, type Journal } from "../../journal/journal.ts";
import { captureOnce, isMoreToAsk, MAX_CLOSINGS } from "../answers.ts";
import { ask, requireComplete } from "../collect.ts";
import { captureTranslations, checkLanguageInvariance } from "../consistency/languages.ts";
import { createReconcileState, reconcile } from "../consistency/reconcile.ts";
import { findTextMismatches } from "../consistency/text-mismatches.ts";
import { closeRefusals, probeDoubtful } from "../refusals/ask-again.ts";
import { concludeRefusals } from "../refusals/conclude.ts";
import { giveUpSilent } from "../refusals/silent.ts";
import { rosterUnchanged } from "../roster.ts";
import type { Run } from "../run.ts";
import type { RefreshOptions } from "./base.ts";
import { checkCanaries, type Proved } from "./canaries.ts";
import { decide } from "./decide.ts";
import type { Decision, Night, NightStep } from "./decision.ts";
import { refreshKindOf } from "./kinds.ts";
import { planLists, planWanted, reserveOf, UNLIMITED } from "./plan.ts";
import { TEXT_SHARE } from "./texts.ts";

/** Times that the roster may change under way. */
const MAX_ROUNDS = 3;

/**
 * A crawl that asks for what is due and carries the rest over from the snapshot in hand. Each slice group is asked whole and taken
 * whole; what the day or the upstream leaves no time for stays as it was. `decide.ts` decides; this asks, checks and writes.
 */
export async function refresh(run: Run, options: RefreshOptions): Promise<void> {
  const state = createReconcileState();
  run.journal.setState("base", options.base?.id ?? null);
  requeueLists(run);
  const { night, targets, wanted, asked } = await askWhatIsDue(run, options);
  await reconcile(run, state);
  const filled = await takeSteps(run, { ...night, wanted }, "filled", asked);
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
  const inFile = planWanted(run.options, options, targets, differing);
  await takeSteps(run, { ...night, wanted: inFile, unsettled }, "end", filled);
}

/** Again from the lists if a hero has come meanwhile, or a group has opened. */
async function askWhatIsDue(run: Run, options: RefreshOptions) {
  let closings = 0;
  for (let round = 1; ; round += 1) {
    const { roster, targets } = await captureOnce(run, (named) => planLists(run.options, named));
    // Whether the snapshot in hand is still right about what is refused is known before anything else is chosen.
    await ask(run, run.refusals.probes());
    if (giveUpSilent(run)) continue;
    requireComplete(run, "answer");
    const wanted = planWanted(run.options, options, targets);
    const mayAsk = wanted.filter((slice) => !run.refusals.isWithheld(slice));
    const night = nightOf(run, options, mayAsk);
    const asked = await takeSteps(run, night, "numbers");
    await probeDoubtful(run);
    if (closings < MAX_CLOSINGS && (await isMoreToAsk(run))) {
      closings += 1;
      continue;
    }
    const isLast = round - closings >= MAX_ROUNDS || !canAskListsAgain(run);
    if (!isLast && !(await rosterUnchanged(run, roster))) continue;
    concludeRefusals(run);
    return { night, targets, wanted, asked };
  }
}

/** A night without its budget, which is read before each step. */
type UnbudgetedNight = Omit<Night, "budget">;

const nightOf = (run: Run, options: RefreshOptions, wanted: readonly Slice[]): UnbudgetedNight => ({
  ...options,
  journal: run.journal,
  wanted,
  startedAt: run.options.startedAt,
  texts: { before: capturedById(run.journal).size, limit: textLimit(run) },
  unsettled: [],
  refusals: run.refusals,
  pause: () => yieldOrAbort(run.stop),
});

const budgetOf = ({ budget }: Run) => budget && { limit: budget.limit, left: budget.left() };

const textLimit = ({ budget }: Run) => (budget ? Math.floor(budget.left() * TEXT_SHARE) : UNLIMITED);

/** Decides and does one step after the other, from the one after `last` up to `until`. */
async function takeSteps(run: Run, night: UnbudgetedNight, until: NightStep, last?: Decision): Promise<Decision> {
  for (let before = last; ; ) {
    const decision = await decide({ ...night, budget: budgetOf(run) }, before);
    await carryOut(run, decision);
    if (decision.step === until) return decision;
    before = decision;
  }
}

async function carryOut(run: Run, { step, ask: slices, suspect, carry, drop, notes, tooSmall }: Decision) {
  const { journal, log } = run;
  for (const [event, facts] of notes) log(event, facts);
  if (tooSmall) throw refuseTooSmall(run, tooSmall);
  await ask(run, slices);
  for (const { reason, slices: dropped } of drop) {
    const ids = dropped.map(({ id }) => id);
    if (reason === NOT_ASKED) journal.removeSlices(ids);
    else journal.giveUp(ids, reason);
  }
  if (step !== "end") return;
  journal.setState("carried", [...carry]);
  journal.setState("suspect", [...suspect]);
}

/** A hero who has come under way makes all lists due again: if the day has no room for that, it is tomorrow's news. */
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

function refuseTooSmall({ options }: Run, { lists, largest, needed }: NonNullable<Decision["tooSmall"]>): Failure {
  return new Failure(
    EXIT.usage,
    `--budget: ${options.refresh?.requestsPerDay} requests a day are too few for ${lists} lists and a table of ${largest}; nothing was published`,
    `give it at least ${needed}${options.selection.heroes ? "" : ", or name fewer heroes with --heroes"}`,
  );
}
