import { namingListOf } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { isOfHost } from "../../api/faults.ts";
import { endpointPart, isExcused, partId } from "../../api/refusals.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { selectEndpoints } from "../plan.ts";
import type { Run } from "../run.ts";
import { TROUBLED_DAYS } from "./trouble-days.ts";

/** Part of all other slices that must have been captured: else it is not about one endpoint. */
const LEAST_SHARE = 0.9;

/**
 * Endpoints that gave nothing, for another reason than load, connection or host, while the rest was captured: a page for 404,
 * always 500, another shape, empty lists. For two days that ends the night as any failure does; then such an endpoint is taken for
 * withdrawn. Returns whether one is: then what its list names may have to be planned again.
 */
export function giveUpSilent(run: Run): boolean {
  const { journal, refusals, troubles, options, log } = run;
  const slices = journal.slices();
  const byDataset = Map.groupBy(slices, ({ slice }) => slice.dataset);
  // One whose slices no list names any more is not known as refused: nothing asks whether it still is.
  const asking = [...refusals.knownRefused().values()].filter(({ probes }) => probes.size > 0);
  const knownParts = new Set(asking.flatMap(({ parts }) => parts).map(partId));
  const isKnown = (dataset: string) => knownParts.has(partId(endpointPart(dataset)));
  const candidates = selectEndpoints(options.selection)
    .map(({ dataset }) => dataset)
    .filter((dataset) => !refusals.isLeftOut(dataset) && !refusals.givenUp.has(dataset) && !isKnown(dataset));
  const silent = candidates.flatMap((dataset) => {
    const reason = findSilence(run, dataset, byDataset.get(dataset) ?? []);
    return reason === undefined ? [] : [{ dataset, reason }];
  });
  const rest = slices.filter(
    ({ slice, state, reason }) =>
      !silent.some(({ dataset }) => dataset === slice.dataset) && state !== "pending" && !isExcused(reason),
  );
  const captured = rest.filter(({ state }) => state === "captured").length;
  if (captured < rest.length * LEAST_SHARE) return false;
  let any = false;
  for (const { dataset, reason } of silent) {
    const days = troubles.note(`endpoint ${dataset}`);
    log("silent", { dataset, reason, days });
    if (days <= TROUBLED_DAYS) continue;
    for (const silentDataset of withNamingList(dataset, reason)) {
      refusals.giveUp(silentDataset, reason);
      const members = byDataset.get(silentDataset) ?? [];
      journal.giveUp(
        members.map(({ id }) => id),
        "withdrawn",
      );
    }
    any = true;
  }
  return any;
}

/** What an empty list names is gone with it, and stays as it was with the list that named it. */
function withNamingList(dataset: string, reason: string): string[] {
  const list = namingListOf(endpointOf(dataset));
  return reason === "empty" && list !== undefined ? [list, dataset] : [dataset];
}

/** Why an endpoint gave nothing; undefined if it gave something, or nobody can tell. */
function findSilence({ journal, options, refusals }: Run, dataset: string, slices: readonly StoredSlice[]) {
  const wasFilled = options.inHand?.filled.includes(dataset) ?? false;
  const asked = slices.filter(({ state, reason }) => state !== "pending" && !isExcused(reason));
  const failed = asked.filter(({ state }) => state === "failed");
  if (failed.length > 0 && failed.length === asked.length)
    return failed.every(({ reason }) => !isOfHost(reason)) ? (failed[0]?.reason ?? undefined) : undefined;
  if (!wasFilled || slices.some(({ reason }) => isExcused(reason))) return undefined;
  const isGone = !refusals.expected.some((slice) => slice.dataset === dataset);
  const isEmptied =
    !options.refresh && slices.length > 0 && slices.every((stored) => isEmpty(stored) && stored.state === "captured");
  return isGone || isEmptied ? "empty" : undefined;

  function isEmpty(stored: StoredSlice) {
    return journal.records(stored).length === 0;
  }
}
