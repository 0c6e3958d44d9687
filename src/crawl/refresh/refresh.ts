import { type Slice, sliceId } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { capturedById } from "../../journal/journal.ts";
import type { SliceGroup } from "../../journal/slice-group.ts";
import { ask } from "../ask/collect.ts";
import type { Targets } from "../plan.ts";
import type { Run } from "../run.ts";
import { decide } from "./decide.ts";
import type { Decision, Night, NightStep } from "./decision.ts";
import { refreshKindOf } from "./kinds.ts";
import { planWanted, reserveOf, UNLIMITED } from "./plan.ts";
import { TEXT_SHARE } from "./texts.ts";

/** The decisions of a night so far. */
export interface Due {
  targets: Targets;
  /** Undefined if everything is due: there is nothing to decide then. */
  night: UnbudgetedNight | undefined;
  last: Decision | undefined;
}

/** A night without its budget, which is read before each step. */
type UnbudgetedNight = Omit<Night, "budget">;

/**
 * Decides what is due beside the lists, and asks for it. Each slice group is asked and accepted as a whole; slices for which the day or the
 * upstream leaves no time stay as they were. `decide.ts` decides; this asks, checks and writes.
 */
export async function decideWhatIsDue(run: Run, targets: Targets): Promise<Due> {
  if (run.options.policy === "all") return { targets, night: undefined, last: undefined };
  const night = nightOf(run, targets);
  return { targets, night, last: await takeSteps(run, night, "numbers") };
}

/** Asks for slices that were empty, if others like them no longer are. */
export async function askFilled(run: Run, { targets, night, last }: Due): Promise<Due> {
  if (!night) return { targets, night, last };
  return { targets, night, last: await takeSteps(run, night, "filled", last) };
}

/** Settles which slices stay as they were. `differing`: datasets whose numbers differ by language. */
export async function settleNight(
  run: Run,
  { targets, night, last }: Due,
  differing: readonly string[],
  unsettled: readonly SliceGroup[],
): Promise<void> {
  if (!night) return;
  const wanted = mayAsk(run, planWanted(run.options, targets, differing));
  await takeSteps(run, { ...night, wanted, unsettled }, "end", last);
}

/** Returns the slices without those that are left out, or lie in a closed part. */
function mayAsk({ journal }: Run, slices: readonly Slice[]): Slice[] {
  const others = [...journal.slices("left-out"), ...journal.slices("closed")];
  const ids = new Set(others.map(({ slice }) => sliceId(slice)));
  return slices.filter((slice) => !ids.has(sliceId(slice)));
}

const nightOf = (run: Run, targets: Targets): UnbudgetedNight => ({
  ...run.options,
  journal: run.journal,
  wanted: mayAsk(run, planWanted(run.options, targets)),
  texts: { before: capturedById(run.journal).size, limit: textLimit(run) },
  unsettled: [],
  isClosed: run.tally.isClosed,
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

async function carryOut(run: Run, { step, ask: slices, suspect, keep, giveBack, notes, tooSmall }: Decision) {
  const { journal, log } = run;
  for (const [event, facts] of notes) log(event, facts);
  if (tooSmall) throw refuseTooSmall(run, tooSmall);
  await ask(run, slices);
  if (step !== "end") return;
  journal.setPurpose(
    keep.map(({ id }) => id),
    "keep",
  );
  journal.giveBack(giveBack.map(({ id }) => id));
  journal.setState("suspect", [...suspect]);
}

/**
 * Tells whether the day has room to ask all lists again, which a hero who has come meanwhile makes due; otherwise he waits for
 * tomorrow.
 */
export function canAskListsAgain({ budget, journal }: Run): boolean {
  const lists = journal.slices().filter(({ slice }) => refreshKindOf(slice) === "list");
  return !budget || budget.left() > lists.length + reserveOf(budget.limit);
}

function refuseTooSmall({ options }: Run, { lists, largest, needed }: NonNullable<Decision["tooSmall"]>): Failure {
  return new Failure(
    EXIT.usage,
    `--budget: ${options.requestsPerDay} requests a day are too few for ${lists} lists and a table of ${largest}; nothing was published`,
    `give it at least ${needed}${options.selection.heroes ? "" : ", or name fewer heroes with --heroes"}`,
  );
}
