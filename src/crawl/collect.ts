import pLimit from "p-limit";
import { sliceKey } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import { faultOf, NOT_ASKED } from "../api/faults.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import type { Purpose } from "../journal/schema.ts";
import { BudgetSpent } from "./budget.ts";
import { captureSlice } from "./capture.ts";
import { isRequired } from "./refresh/kinds.ts";
import type { Run } from "./run.ts";

/** Asks for everything in the plan that is not in the journal yet; what cannot be captured stays missing. */
export async function collect(run: Run, purpose: Purpose): Promise<void> {
  const { journal, progress, options } = run;
  const slices = journal.slices(purpose);
  const missing = slices.filter(({ state }) => state !== "captured");
  if (missing.length === 0) return;
  run.factsMemory.set(journal.factsChars());
  progress.begin(slices.length, slices.length - missing.length, purpose);
  const limit = pLimit(options.concurrency);
  const tasks = missing.map((stored) =>
    limit(async () => {
      if (run.retryBudget.exhausted() || run.budget?.left() === 0) return;
      progress.advance(!(await captureSlice(stored, run)));
    }),
  );
  // A stop rejects the waiting tasks; those in flight end by themselves and are kept.
  await Promise.allSettled(tasks);
  progress.end();
  run.stop.throwIfAborted();
  // Where a day's budget ends under way, what is missing is no failure.
  await Promise.all(tasks.map((task) => task.catch(ignoreSpent)));
}

function ignoreSpent(error: unknown) {
  if (!(error instanceof BudgetSpent)) throw error;
}

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

/** The same, and a Failure where slices are missing, unless the options allow it. */
export async function collectAll(run: Run, purpose: Purpose): Promise<void> {
  await collect(run, purpose);
  requireComplete(run, purpose);
}

/** Throws a Failure where slices are missing, unless the options allow it, after one event for each dataset and reason. */
export function requireComplete(run: Run, purpose: Purpose): void {
  const { journal, options, retryBudget, hosts, budget, log } = run;
  if (options.allowPartial) return;
  const slices = journal.slices(purpose);
  const missing = slices.filter((stored) => stored.state !== "captured" && isMissed(run, stored));
  const [first] = missing;
  if (!first) return;
  if (budget?.left() === 0) throw budget.spent();
  for (const facts of tellMissing(slices, missing)) log("missing", facts);
  const last = retryBudget.exhausted();
  for (const { exit, says, hint } of REFUSALS) {
    const decisive = missing.find(({ reason }) => faultOf(reason).exit === exit);
    if (decisive) throw new Failure(exit, `${says}: ${describe(journal, decisive)}; nothing was published`, hint);
  }
  throw new Failure(
    faultOf(last).exit === EXIT.unreachable ? EXIT.unreachable : EXIT.incomplete,
    `${missing.length} of ${slices.length} slices are missing${last ? `, ${hosts.active().host} answers no more (${last})` : ""}; nothing was published`,
    "run the same command again to ask for the missing slices only",
  );
}

/** Where the rest is carried over only lists are missed, and what no night will get over. */
const isMissed = ({ options }: Run, { slice, purpose, reason }: StoredSlice) =>
  !options.refresh ||
  (purpose === "answer" && isRequired(slice)) ||
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
