import type { StoredSlice } from "../journal/journal.ts";
import { sliceGroup } from "../journal/stale.ts";
import { ENOUGH, type Evidence } from "./refusals/evidence.ts";
import { findMostDifferent } from "./refusals/known.ts";

/** Which slice is asked next. */
export interface Queue {
  /** Waits as long as an answer on its way may still decide; undefined once nothing is to be asked. */
  take(): Promise<StoredSlice | undefined>;
  /** To be called once the slice has been asked. */
  done(stored: StoredSlice): void;
}

/**
 * The slices in their order, but for those that the upstream may refuse: of a slice group of which nothing was captured yet only as many
 * are under way as it takes to close it, and the same of an endpoint. Where it refuses, the next is one that differs most from
 * those that it has refused.
 */
export function createQueue(
  slices: readonly StoredSlice[],
  evidence: Evidence,
  isHeld: (stored: StoredSlice) => boolean,
): Queue {
  const left = new Set(slices);
  /** Looked at again when nothing else is left: an answer may have opened what keeps them. */
  const held = new Set<StoredSlice>();
  const underWay = new Map<string, number>();
  let asking = 0;
  let wake = () => {};
  let changed = Promise.resolve();
  const expectChange = () => {
    changed = new Promise((resolve) => {
      wake = resolve;
    });
  };
  expectChange();

  const keysOf = ({ slice }: StoredSlice) => [slice.dataset, sliceGroup({ slice })] as const;

  function isCrowded(stored: StoredSlice): boolean {
    const [endpoint, group] = keysOf(stored);
    const isProven = evidence.isProven(stored.slice);
    const isFull = (key: string) => (underWay.get(key) ?? 0) >= ENOUGH;
    return (!isProven.endpoint && isFull(endpoint)) || (!isProven.group && isFull(group));
  }

  function findNext(): StoredSlice | undefined {
    for (const stored of left) {
      if (isHeld(stored)) {
        left.delete(stored);
        held.add(stored);
      }
      if (held.has(stored) || isCrowded(stored)) continue;
      const { dataset } = stored.slice;
      const refused = evidence.refusedIn(dataset);
      if (refused.length === 0 || evidence.isProven(stored.slice).endpoint) return stored;
      const others = [...left].filter(
        (other) => other.slice.dataset === dataset && !isHeld(other) && !isCrowded(other),
      );
      const best = findMostDifferent(
        others.map(({ slice }) => slice),
        refused,
      );
      return others.find(({ slice }) => slice === best);
    }
    return undefined;
  }

  function release(): boolean {
    const free = [...held].filter((stored) => !isHeld(stored));
    for (const stored of free) {
      held.delete(stored);
      left.add(stored);
    }
    return free.length > 0;
  }

  return {
    async take() {
      for (;;) {
        const next = findNext();
        if (next) {
          left.delete(next);
          asking += 1;
          for (const key of keysOf(next)) underWay.set(key, (underWay.get(key) ?? 0) + 1);
          return next;
        }
        if (asking > 0) await changed;
        else if (!release()) return undefined;
      }
    },
    done(stored) {
      asking -= 1;
      for (const key of keysOf(stored)) underWay.set(key, (underWay.get(key) ?? 1) - 1);
      wake();
      expectChange();
    },
  };
}
