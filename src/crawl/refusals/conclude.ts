import { namingListOf, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { describeGroups, type GroupPart, isExcused, isInPart, isRefused, partId } from "../../api/refusals.ts";
import { isUnanswered, type StoredSlice } from "../../journal/journal.ts";
import type { RefusedGroupInWords } from "../../journal/schema.ts";
import { selectEndpoints } from "../plan.ts";
import type { Run } from "../run.ts";
import { findGroups, refusalOfPart } from "./groups.ts";
import { isUnnamed } from "./known.ts";
import { TROUBLED_DAYS } from "./trouble-days.ts";

/** Part of the slices asked in a night that may be refused one by one before it is an outage. */
const MAX_SINGLE_SHARE = 0.1;
/** Part of the open endpoints that may be withdrawn in one night before it is an outage. */
const MAX_WITHDRAWN_SHARE = 0.5;

/**
 * Says of each slice without an answer why that is nobody's fault, if it is so, and writes down which groups are refused. Throws a
 * Failure if refusals are on the scale of an outage, unless that has been so for days.
 */
export function concludeRefusals(run: Run): void {
  markSlices(run);
  const groups = describeRefused(run);
  refuseOutage(run, groups);
  run.journal.setState("refusals", groups);
  run.journal.setState("endpoints", stateEndpoints(run, groups));
}

function markSlices(run: Run) {
  const { journal, refusals } = run;
  journal.addSlices(refusals.expected.filter(refusals.isWithheld), "answer");
  const open = journal.slices().filter(isUnanswered);
  const verdicts = Map.groupBy(open, (stored) => {
    if (refusals.isLeftOut(stored.slice.dataset)) return "left-out";
    if (refusals.isWaiting(stored)) return "refused";
    return refusals.isWithheld(stored.slice) || refusals.isProbing(stored.slice) ? "withdrawn" : "open";
  });
  for (const reason of ["left-out", "refused", "withdrawn"] as const)
    journal.giveUp(
      (verdicts.get(reason) ?? []).map(({ id }) => id),
      reason,
    );
  dropUnnamed(run);
}

/** What stands for all words of a list is no hole if the list itself has failed: that alone is missing then. */
function dropUnnamed({ journal }: Run) {
  const slices = journal.slices();
  const given = new Set(
    slices.flatMap(({ slice, reason }) => (slice.lang === BASE_LANG && isExcused(reason) ? [slice.dataset] : [])),
  );
  const isListGiven = ({ dataset }: Slice) => given.has(namingListOf(endpointOf(dataset)) ?? dataset);
  const stray = slices.filter(({ slice }) => isUnnamed(slice) && !isListGiven(slice));
  journal.removeSlices(stray.map(({ id }) => id));
}

/** The refused groups with since when, and how the service says so. */
function describeRefused({ journal, refusals, options }: Run): RefusedGroupInWords[] {
  const { expected, evidence } = refusals;
  const before = new Map(options.inHand?.groups.map((part) => [partId(part), part]));
  const slices = journal.slices();
  const refused = new Set(slices.filter(({ reason }) => isRefused(reason)).map(({ slice }) => sliceId(slice)));
  const known: GroupPart[] = [...refusals.knownRefused().values()]
    .flatMap(({ parts }) => parts)
    .filter(({ dataset }) => !refusals.isLeftOut(dataset));
  const heard = slices.flatMap(({ id }) => evidence.refusedOf(id) ?? []);
  return findGroups({ expected, refused, evidence, known }).map((part) => {
    const was = before.get(partId(part));
    const now = refusalOfPart(part, heard);
    const { status, code } = now ?? was ?? { status: null, code: refusals.givenUp.get(part.dataset) ?? null };
    return {
      dimension: part.dimension,
      value: part.value,
      dataset: part.dataset,
      since: was?.since ?? journal.header().started_at,
      since_version: was?.since_version ?? null,
      status,
      code,
      message: now?.message ?? "",
    };
  });
}

function stateEndpoints({ journal, options, refusals }: Run, groups: readonly GroupPart[]) {
  const announced = journal.getState("announced");
  const before = new Map(options.inHand?.endpoints.map((endpoint) => [endpoint.dataset, endpoint]));
  const withdrawn = new Set(groups.filter(({ dimension }) => dimension === "endpoint").map(({ dataset }) => dataset));
  return selectEndpoints(options.selection).map(({ dataset }) => {
    const was = before.get(dataset);
    const state = refusals.isLeftOut(dataset) ? "left-out" : withdrawn.has(dataset) ? "withdrawn" : "open";
    return {
      dataset,
      state: state as "open" | "withdrawn" | "left-out",
      since: was?.state === state ? was.since : journal.header().started_at,
      deprecated: announced ? Number(announced.deprecated.includes(dataset)) : (was?.deprecated ?? null),
    };
  });
}

/** Throws if so much is refused that it is more likely for a while than for good. */
function refuseOutage(run: Run, groups: readonly RefusedGroupInWords[]) {
  const outage = findOutage(run, groups);
  if (!outage) return;
  const days = run.troubles.note(`outage ${outage.what}`);
  if (days > TROUBLED_DAYS) {
    run.log("outage-believed", { what: outage.says, days });
    return;
  }
  forgive(run);
  throw new Failure(
    EXIT.incomplete,
    `an outage of the upstream: ${outage.says}; nothing was published`,
    `run the same command again when it is over; if it is the same on ${TROUBLED_DAYS + 1} days, the night is published`,
  );
}

function findOutage({ journal, options, refusals }: Run, groups: readonly RefusedGroupInWords[]) {
  const { inHand } = options;
  const partsInHand = new Set(inHand?.groups.map(partId));
  const withdrawn = groups.filter((part) => part.dimension === "endpoint" && !partsInHand.has(partId(part)));
  const closed = new Set(inHand?.endpoints.filter(({ state }) => state !== "open").map(({ dataset }) => dataset));
  const open = (inHand?.filled ?? []).filter((dataset) => !closed.has(dataset));
  const lost = withdrawn.filter(({ dataset }) => open.includes(dataset));
  if (lost.length > 0 && lost.length >= open.length * MAX_WITHDRAWN_SHARE)
    return {
      what: lost.map(({ dataset }) => dataset).join(),
      says: `${lost.length} of ${open.length} endpoints are refused (${describeGroups(lost).join("; ")})`,
    };
  const wasAsked = ({ id, state, reason }: StoredSlice) =>
    state === "captured" || refusals.evidence.refusedOf(id) !== undefined || (reason !== null && !isExcused(reason));
  const asked = journal.slices().filter(wasAsked);
  const single = asked.filter(
    ({ slice, reason }) => isRefused(reason) && !groups.some((part) => isInPart(part, slice)),
  );
  if (single.length <= asked.length * MAX_SINGLE_SHARE) return undefined;
  const datasets = [...new Set(single.map(({ slice }) => slice.dataset))];
  return {
    what: `slices of ${datasets.join()}`,
    says: `${single.length} of the ${asked.length} slices that were asked are refused, in no group (${datasets.join(", ")})`,
  };
}

/** The next run asks again for what nobody knew as refused before. */
function forgive({ journal, options }: Run) {
  const again = journal
    .slices()
    .filter(({ slice, reason }) => isRefused(reason) && !options.inHand?.refused.has(sliceId(slice)));
  journal.requeue(again.map(({ id }) => id));
  journal.setState("forgiven_until", Date.now());
}
