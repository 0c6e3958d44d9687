import { type Slice, sliceKey } from "../api/endpoint.ts";
import { EXIT, Failure } from "../api/failure.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import type { Purpose } from "../journal/schema.ts";
import type { Run } from "./run.ts";

/** Ends a crawl that lacks something, unless the options allow it, with one event for each dataset and reason. */
export function refuseIncomplete({ journal, options, retryBudget, hosts, log }: Run, purpose: Purpose): void {
  if (options.allowPartial) return;
  const slices = journal.slices(purpose);
  const missing = slices.filter(({ state }) => state !== "captured");
  const [first] = missing;
  if (!first) return;
  for (const facts of tellMissing(slices, missing)) log("missing", facts);
  const last = retryBudget.exhausted();
  const shape = missing.find(({ reason }) => reason === "wrong-shape" || reason === "wrong-envelope");
  if (shape) throw shapeChanged(journal, shape.slice);
  throw new Failure(
    last === "unreachable" || last === "timeout" ? EXIT.unreachable : EXIT.incomplete,
    `${missing.length} of ${slices.length} slices are missing${last ? `, ${hosts.active().host} answers no more (${last})` : ""}; nothing was published`,
    "run the same command again to ask for the missing slices only",
  );
}

const reasonOf = ({ reason }: StoredSlice) => reason ?? "not-asked";

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

function shapeChanged(journal: Journal, slice: Slice): Failure {
  const { detail } = journal.lastAttempt(slice) ?? { detail: "" };
  return new Failure(
    EXIT.shapeChanged,
    `the upstream's shape has changed: ${slice.dataset} ${sliceKey(slice)}: ${detail}; nothing was published`,
    "metasnap must learn the new shape first; other slices are kept",
  );
}

/** The end of a crawl that was told to stop, by a person or by `--max-time`. */
export function stopped(journal: Journal, { reason }: AbortSignal): Failure {
  const slices = journal.slices();
  const captured = slices.filter(({ state }) => state === "captured").length;
  const late = (reason as Error).name === "TimeoutError";
  return new Failure(
    late ? EXIT.incomplete : EXIT.interrupted,
    `${late ? "the time of --max-time is over" : "interrupted"} with ${captured} of ${slices.length} slices in ${journal.file}`,
    "run the same command again to continue",
  );
}

/** The same of a plan, which leaves nothing behind. */
export const planStopped = ({ reason }: AbortSignal) =>
  (reason as Error).name === "TimeoutError"
    ? new Failure(EXIT.incomplete, "the time of --max-time is over before the plan was made", "give it more time")
    : new Failure(EXIT.interrupted, "interrupted before the plan was made", "run the same command again");
