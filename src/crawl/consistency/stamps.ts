import { truncate } from "../../base/words.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import { mostCommonStamp, type SliceGroup, sliceGroup } from "../../journal/stale.ts";
import type { Disagreement } from "./disagreements.ts";

/** Times that a slice comes back with its old stamp before the upstream is believed to have no other. */
const MAX_SAME = 2;
/** Slices of the most common batch that are asked at once, to see whether a newer one has come in its place. */
const PROBES = 2;

/** A slice that was asked again, and the stamp that it had before. */
interface Look {
  stamp: number | string;
  /** Times that it came back with that, while nothing else left its batch. */
  same: number;
  /** Not come back yet. */
  open: boolean;
}

/** Finds slice groups of more than one batch, and learns from what comes back which batches are over and which slices are stuck. */
export interface Stamps {
  compare(slices: readonly StoredSlice[]): Disagreement[];
  /** To be told of all slices that are asked again, for whatever reason. */
  noteRequeued(ids: readonly number[]): void;
  /** Time has gone by: what was stuck gets one more look. */
  lookAgain(): void;
}

export function createStamps(): Stamps {
  const looks = new Map<number, Look>();
  /** Batches that a newer one has taken the place of: seen to go, so that one odd stamp cannot make all others old. */
  const outdated = new Set<string>();
  /** The stamps of the last comparison, by slice. */
  let current: ReadonlyMap<number, number | string> = new Map();

  const isOutdated = ({ slice, facts }: StoredSlice) => outdated.has(batchOf(slice.rank, facts.stamp));
  const timesSame = (id: number, stamp: number | string | undefined) => {
    const look = looks.get(id);
    return look && look.stamp === stamp ? look.same : 0;
  };
  const timesSameOf = ({ id, facts }: StoredSlice) => timesSame(id, facts.stamp);

  /** While anything of a batch moves, what has not moved yet may only be late. */
  function learn(slices: readonly StoredSlice[]) {
    const moving = new Set<string>();
    for (const { id, slice, facts } of slices) {
      const look = looks.get(id);
      if (!look?.open || facts.stamp === look.stamp) continue;
      const left = batchOf(slice.rank, look.stamp);
      moving.add(left);
      if ((facts.stamp ?? "") > look.stamp) outdated.add(left);
      looks.delete(id);
    }
    for (const { id, slice } of slices) {
      const look = looks.get(id);
      if (!look?.open) continue;
      look.open = false;
      if (!moving.has(batchOf(slice.rank, look.stamp))) look.same += 1;
    }
  }

  /** Other ones each time, as some may be stuck; none when enough came back as they were. */
  function chooseProbes(members: readonly StoredSlice[]): StoredSlice[] {
    const times = members.reduce((sum, stored) => sum + timesSameOf(stored), 0);
    if (times >= PROBES * MAX_SAME) return [];
    return members.toSorted((a, b) => timesSameOf(a) - timesSameOf(b)).slice(0, PROBES);
  }

  function compareGroup(group: SliceGroup, members: readonly StoredSlice[]): Disagreement[] {
    const most = mostCommonStamp(members);
    const stamps = [...new Set(members.map(({ facts }) => facts.stamp ?? ""))].sort();
    const odd = members.filter((stored) => stored.facts.stamp !== most || isOutdated(stored));
    if (odd.length === 0) return [];
    const common = members.filter((stored) => !odd.includes(stored));
    const probes = stamps.some((stamp) => stamp > most) ? chooseProbes(common) : [];
    const staleIds = [...odd.filter((stored) => timesSameOf(stored) < MAX_SAME), ...probes].map(({ id }) => id);
    const mixed = stamps.length > 1 && stamps.every((stamp) => typeof stamp === "number");
    // What is stuck is published, and said in the file: nothing to settle any more.
    if (mixed && staleIds.length === 0) return [];
    return [{ key: group, what: truncate(`${group}: stamps ${stamps.join(", ")}`), staleIds, fatal: mixed }];
  }

  return {
    compare(slices) {
      const stamped = slices.filter(({ facts }) => facts.stamp !== undefined);
      current = new Map(stamped.map(({ id, facts }) => [id, facts.stamp ?? ""]));
      learn(stamped);
      return [...Map.groupBy(stamped, sliceGroup)].flatMap(([group, members]) => compareGroup(group, members));
    },

    noteRequeued(ids) {
      for (const id of ids) {
        const stamp = current.get(id);
        if (stamp !== undefined) looks.set(id, { stamp, same: timesSame(id, stamp), open: true });
      }
    },

    lookAgain() {
      for (const look of looks.values()) look.same = Math.max(0, look.same - 1);
    },
  };
}

const batchOf = (rank: string | undefined, stamp: number | string | undefined) => `${rank} ${stamp}`;
