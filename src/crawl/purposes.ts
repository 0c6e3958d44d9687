import { isListEndpoint, type Slice, sliceId } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { BASE_LANG } from "../api/enumerations.ts";
import { isFault } from "../api/faults.ts";
import { endpointPart, isInPart, isNamingList, partId } from "../api/parts.ts";
import { capturedById, capturedSlices, type StoredSlice } from "../journal/journal.ts";
import type { Purpose } from "../journal/schema.ts";
import { ROSTER } from "./ask/ask-page.ts";
import type { Targets } from "./plan.ts";
import { type CrawlBase, heldOf } from "./refresh/base.ts";
import { refreshKindOf } from "./refresh/kinds.ts";
import { planWanted } from "./refresh/plan.ts";
import type { CrawlOptions, Run } from "./run.ts";

/**
 * Tells whether a slice is missing in a part that the base has closed and that this run has not found open (`opened`, by `partId`). A list
 * that names others goes with its endpoint.
 */
export function isClosedIn(base: CrawlBase | undefined, slice: Slice, opened: ReadonlySet<string>): boolean {
  if (!base) return false;
  const row = base.rows.get(sliceId(slice));
  const isMissing = !row || row.status === "failed" || isFault(row.reason);
  const own = isNamingList(slice) ? partId(endpointPart(slice.dataset)) : undefined;
  return (
    isMissing &&
    base.closed.some((part) => !opened.has(partId(part)) && (partId(part) === own || isInPart(part, slice)))
  );
}

/** Returns the purpose of a slice in the journal of a complete night, before any answer decides otherwise. */
export function purposeOf(
  { base, policy, without }: CrawlOptions,
  slice: Slice,
  opened: ReadonlySet<string> = new Set(),
): Purpose {
  if (without.has(slice.dataset)) return "left-out";
  if (isClosedIn(base, slice, opened)) return "closed";
  return policy === "all" || refreshKindOf(slice) === "list" ? "answer" : "keep";
}

/**
 * Puts all slices of a complete night into the journal. Answers from an earlier run are asked again if they are lists of another day, or
 * older than those of the base; heroes who have left are dropped with all that is known about them.
 */
export function planNight(run: Run, targets: Targets): void {
  const { journal, options } = run;
  const before = journal.getState("roster");
  requeueOutdated(run, before !== undefined && String(before) !== String(targets.roster));
  const captured = capturedById(journal);
  const planned = planWanted(options, targets);
  const ids = new Set(planned.map(sliceId));
  const translations = capturedSlices(journal).filter(
    ({ slice }) => !ids.has(sliceId(slice)) && ids.has(sliceId({ ...slice, lang: BASE_LANG })),
  );
  const left = [...captured.values()].filter(({ slice }) => options.without.has(slice.dataset));
  journal.requeue(left.map(({ id }) => id));
  const purpose = (slice: Slice): Purpose => {
    const planned = purposeOf(options, slice, run.opened);
    return captured.has(sliceId(slice)) && planned !== "left-out" ? "answer" : planned;
  };
  journal.plan(
    [...planned, ...translations.map(({ slice }) => slice)].map((slice) => ({ slice, purpose: purpose(slice) })),
  );
  journal.setState("roster", [...targets.roster]);
  journal.setState("without", [...options.without].sort());
  journal.setState(
    "unnamed",
    [...targets.subjects].flatMap(([dataset, words]) => (words ? [] : [dataset])),
  );
  journal.setState("base", options.base?.id ?? null);
}

/** Requeues answers from an earlier run that are outdated. `isOtherRoster`: heroes have come or gone since the plan was made. */
function requeueOutdated({ journal, options, log }: Run, isOtherRoster: boolean) {
  const { base, policy } = options;
  if (isOtherRoster) log("roster-changed");
  const today = journal.header().began_at.slice(0, 10);
  const isList = ({ slice }: StoredSlice) =>
    policy === "all" ? isListEndpoint(endpointOf(slice.dataset)) : refreshKindOf(slice) === "list";
  const isOfNow = ({ facts }: StoredSlice) => facts.asked_at?.slice(0, 10) === today && !isOtherRoster;
  const isOlder = ({ slice, facts }: StoredSlice) => (facts.asked_at ?? "") < (heldOf(base, slice)?.asked_at ?? "");
  const isRoster = ({ slice }: StoredSlice) => sliceId(slice) === sliceId(ROSTER);
  const outdated = capturedSlices(journal).filter(
    (stored) => !isRoster(stored) && ((isList(stored) && !isOfNow(stored)) || isOlder(stored)),
  );
  journal.requeue(outdated.map(({ id }) => id));
}
