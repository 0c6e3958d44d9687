import { hashSlice } from "../../api/body/canonical.ts";
import { unwrapPictures } from "../../api/body/pictures.ts";
import type { Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { capturedSlices, type StoredSlice } from "../../journal/journal.ts";
import { type SliceGroup, sliceGroup } from "../../journal/stale.ts";
import { collect } from "../ask/collect.ts";
import type { Run } from "../run.ts";
import { refreshKindOf } from "./kinds.ts";

/** Times that a group is asked again as a whole before it is left as it was. */
const MAX_ROUNDS = 2;

/** By slice group, when the slice was asked that proved it: what is asked later is not proved by it. */
export type Proved = Map<SliceGroup, number>;

/**
 * Checks groups whose records do not say which batch they are of: the slice that came first is asked once more, and if it has changed
 * all of its group is. Returns the groups that go on changing.
 */
export async function checkCanaries(run: Run, proved: Proved): Promise<string[]> {
  // A night that asks for everything has other means: nothing of it is carried over.
  if (run.options.policy === "all") return [];
  const { answeredAt } = run.journal;
  const isProved = ([group, members]: [string, StoredSlice[]]) =>
    members.every(({ id }) => answeredAt(id) <= (proved.get(group) ?? -1));
  let open = new Map([...findUnstamped(run)].filter((entry) => !isProved(entry)));
  for (let round = 1; open.size > 0; round += 1) {
    const canaries = [...open.values()].map((members) => firstOf(run, members));
    const before = new Map(canaries.map((stored) => [sliceGroup(stored), hashOf(run, stored)]));
    run.journal.requeue(canaries.map(({ id }) => id));
    await collect(run, "answer");
    const moved = [...findUnstamped(run)].filter(([group, members]) => {
      const canary = members.find(({ id }) => canaries.some((stored) => stored.id === id));
      return canary && before.get(group) !== hashOf(run, canary);
    });
    for (const { id, slice } of canaries) proved.set(sliceGroup({ slice }), answeredAt(id));
    if (moved.length === 0) return [];
    if (round > MAX_ROUNDS) return moved.map(([group]) => group);
    run.log("asking-again", {
      what: moved.map(([group]) => group).join(", "),
      slices: moved.flatMap(([, all]) => all).length,
    });
    run.journal.requeue(moved.flatMap(([, members]) => members).map(({ id }) => id));
    await collect(run, "answer");
    open = new Map([...findUnstamped(run)].filter(([group]) => moved.some(([name]) => name === group)));
  }
  return [];
}

/** The captured slices of each such group that has more than one. */
function findUnstamped({ journal }: Run): Map<string, StoredSlice[]> {
  const captured = capturedSlices(journal).filter(({ slice }) => isUnstamped(slice));
  return new Map([...Map.groupBy(captured, sliceGroup)].filter(([, members]) => members.length > 1));
}

/** Whether a slice is of a batch and its records do not say of which. */
export function isUnstamped(slice: Slice): boolean {
  const { stamp, moving } = endpointOf(slice.dataset);
  return refreshKindOf(slice) === "turn" && !stamp && moving !== true;
}

const hashOf = ({ journal }: Run, stored: StoredSlice) => hashSlice(unwrapPictures(journal.records(stored)));

const firstOf = ({ journal }: Run, members: readonly StoredSlice[]): StoredSlice =>
  members.reduce((first, stored) => (journal.answeredAt(stored.id) < journal.answeredAt(first.id) ? stored : first));
