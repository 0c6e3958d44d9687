import { type Slice, sliceKey } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { faultOf } from "../api/faults.ts";
import { NOT_ASKED } from "../api/refusals.ts";
import { HERO_IDENTIFIER } from "../api/request/path-parameter.ts";
import { isUnanswered, type Journal, type StoredSlice } from "../journal/journal.ts";
import type { Purpose } from "../journal/schema.ts";
import { BudgetSpent } from "./budget.ts";
import { captureSlice } from "./capture.ts";
import { createQueue } from "./queue.ts";
import { isIndispensable } from "./refresh/kinds.ts";
import type { Run } from "./run.ts";

/** Asks for everything in the plan that is not in the journal yet; what cannot be captured stays missing. */
export async function collect(run: Run, purpose: Purpose): Promise<void> {
  const { journal, progress, options } = run;
  const slices = journal.slices(purpose);
  const missing = slices.filter(isUnanswered);
  const isHeld = (stored: StoredSlice) => run.refusals.isHeld(stored) || isSilent(run, stored);
  if (missing.every(isHeld)) return;
  run.factsMemory.set(journal.factsChars());
  progress.begin(slices.length, slices.length - missing.length, purpose);
  const queue = createQueue(missing, run.refusals.evidence, isHeld);
  const failures: unknown[] = [];
  let isOver = false;
  // Once it is over it stays so: a late answer, or midnight, must not let one worker go on alone with all that is left.
  const mayAsk = () => {
    const { stop, retryBudget, budget } = run;
    isOver ||= failures.length > 0 || stop.aborted || retryBudget.exhausted() !== undefined || budget?.left() === 0;
    return !isOver;
  };
  // A promise for each slice would take more memory than everything else of a crawl.
  const askInTurn = async () => {
    try {
      while (mayAsk()) {
        const stored = await queue.take();
        if (!stored) return;
        try {
          if (mayAsk()) progress.advance(!(await captureSlice(stored, run)));
        } finally {
          queue.done(stored);
        }
      }
    } catch (error) {
      // If the budget of a day ends meanwhile, what is missing is no failure.
      if (!(error instanceof BudgetSpent)) failures.push(error);
    }
  };
  // What is in flight when a stop or a failure comes ends by itself, and is kept.
  await Promise.all(Array.from({ length: options.concurrency }, askInTurn));
  progress.end();
  run.stop.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

/** Asks for slices that may be in the plan already. */
export async function ask(run: Run, slices: readonly Slice[]): Promise<void> {
  if (slices.length === 0) return;
  run.journal.addSlices(slices, "answer");
  await collect(run, "answer");
}

/** Whether its endpoint has given nothing in this crawl, often enough. */
const isSilent = ({ retryBudget, refusals }: Run, { slice }: StoredSlice) =>
  retryBudget.silenceOf(slice.dataset) !== undefined && !refusals.evidence.isProven(slice).endpoint;

/** What asking again does not heal: one such slice decides how the crawl ends. */
const REFUSALS = [
  {
    exit: EXIT.shapeChanged,
    says: "the upstream's shape has changed",
    hint: "metasnap must learn the new shape first; other slices are kept",
  },
  {
    exit: EXIT.usage,
    says: "the upstream is not the one that the crawl began with",
    hint: "name that one with --upstream, or drop the crawl with --fresh",
  },
];

/** The same, and a Failure if slices are missing, unless the options allow it. */
export async function collectAll(run: Run, purpose: Purpose): Promise<void> {
  await collect(run, purpose);
  requireComplete(run, purpose);
}

/** Throws a Failure if slices are missing, unless the options allow it, after one event for each dataset and reason. */
export function requireComplete(run: Run, purpose: Purpose): void {
  const { journal, options, retryBudget, hosts, budget, log } = run;
  if (options.allowPartial) return;
  const slices = journal.slices(purpose);
  const missing = slices.filter((stored) => isOpen(run, stored) && isMissed(run, stored));
  const [first] = missing;
  if (!first) return;
  if (budget?.left() === 0) throw budget.spent();
  for (const facts of tellMissing(slices, missing)) log("missing", facts);
  const last = retryBudget.exhausted();
  for (const { exit, says, hint } of REFUSALS) {
    const decisive = missing.find(({ reason }) => faultOf(reason).exit === exit);
    if (!decisive) continue;
    const more =
      exit === EXIT.shapeChanged ? hintToLeaveOut(missing.filter(({ reason }) => faultOf(reason).exit === exit)) : "";
    throw new Failure(exit, `${says}: ${describe(journal, decisive)}; nothing was published`, hint + more);
  }
  throw new Failure(
    faultOf(last).exit === EXIT.unreachable ? EXIT.unreachable : EXIT.incomplete,
    `${missing.length} of ${slices.length} slices are missing${last ? `, ${hosts.active().host} answers no more (${last})` : ""}; nothing was published`,
    `run the same command again to ask for the missing slices only${last ? "" : hintToLeaveOut(missing)}`,
  );
}

/** If all of it is of one endpoint, and not of the list that a crawl cannot do without. */
function hintToLeaveOut(missing: readonly StoredSlice[]): string {
  const [dataset = "", another] = new Set(missing.map(({ slice }) => slice.dataset));
  return another === undefined && dataset !== HERO_IDENTIFIER.list
    ? `, or crawl without that endpoint: --without ${dataset}`
    : "";
}

/** Whether it has no answer, for a reason that is no refusal. */
const isOpen = ({ refusals }: Run, stored: StoredSlice) =>
  isUnanswered(stored) &&
  (stored.purpose === "proof" || !(refusals.isWaiting(stored) || refusals.isWithheld(stored.slice)));

/** Where the rest is carried over only lists are missed, and what no night will get over. */
const isMissed = ({ options }: Run, { slice, purpose, reason }: StoredSlice) =>
  !options.refresh ||
  (purpose === "answer" && isIndispensable(slice)) ||
  REFUSALS.some(({ exit }) => faultOf(reason).exit === exit);

const reasonOf = ({ reason }: StoredSlice) => reason ?? NOT_ASKED;

/** How many are missing of which dataset and why; `slice` is the first of them. A list of all may be as long as the plan. */
function tellMissing(slices: readonly StoredSlice[], missing: readonly StoredSlice[]) {
  const groups = Map.groupBy(missing, (stored) => `${stored.slice.dataset} ${reasonOf(stored)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { dataset } = first.slice;
    const of = slices.filter(({ slice }) => slice.dataset === dataset).length;
    return [{ dataset, slice: sliceKey(first.slice), reason: reasonOf(first), slices: group.length, of }];
  });
}

const describe = (journal: Journal, { slice }: StoredSlice) =>
  `${slice.dataset} ${sliceKey(slice)}: ${journal.lastAttempt(slice)?.detail}`;
