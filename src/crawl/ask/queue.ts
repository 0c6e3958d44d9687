import type { Slice } from "../../api/endpoint.ts";
import { isInPart, LEAST_OF_A_PART, SELECTING } from "../../api/parts.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import type { Tally } from "../missing/tally.ts";

/** Decides which slice is asked next. */
export interface Queue {
  /**
   * Returns the next slice, or that a witness is to be asked. Waits as long as an answer in flight may still decide; undefined once nothing
   * is left to ask.
   */
  take(): Promise<StoredSlice | "witness" | undefined>;
  /** Notes that it has been asked. */
  done(taken: StoredSlice | "witness", isAnswered: boolean): void;
}

/**
 * Yields the slices in their order, as long as they are answered. After a failure it looks whether the slice is alone: the next is one of
 * its part that differs most from those that have failed. Slices in a part that is closed for this run wait until one of them is answered.
 * An endpoint that goes on failing has others asked in between. If nothing else is left that would show whether the upstream is there, a
 * witness is asked.
 */
export function createQueue(slices: readonly StoredSlice[], tally: Tally): Queue {
  const left = new Map(
    [...Map.groupBy(slices, ({ slice }) => slice.dataset)].map(([dataset, some]) => [dataset, new Set(some)]),
  );
  /** Slices in closed parts: looked at again when nothing else is left. */
  const held = new Set<StoredSlice>();
  const failed: Slice[] = [];
  const underWay = new Map<string, number>();
  let asking = 0;
  let wasTroubled = false;
  let changed = Promise.withResolvers<void>();

  const countUnderWay = (dataset: string) => underWay.get(dataset) ?? 0;
  /** Tells whether enough slices are in flight of endpoints without any answer yet: as many as it takes to close one. */
  const isCrowded = (dataset: string) =>
    !tally.isProven(dataset) &&
    [...underWay].reduce((sum, [name, count]) => sum + (tally.isProven(name) ? 0 : count), 0) >= LEAST_OF_A_PART;
  const isResting = (dataset: string) => tally.isTroubled(dataset) && (wasTroubled || countUnderWay(dataset) > 0);

  function start(stored: StoredSlice): StoredSlice {
    const { dataset } = stored.slice;
    left.get(dataset)?.delete(stored);
    asking += 1;
    underWay.set(dataset, countUnderWay(dataset) + 1);
    wasTroubled = tally.isTroubled(dataset);
    return stored;
  }

  /** Finds a slice like the last one that failed, and as different from it as can be. */
  function findLike(): StoredSlice | undefined {
    for (let slice = failed.pop(); slice; slice = failed.pop()) {
      const { dataset } = slice;
      const suspicion = isCrowded(dataset) || isResting(dataset) ? undefined : tally.suspicionOf(slice);
      if (!suspicion) continue;
      const like = [...(left.get(dataset) ?? [])].filter(
        (stored) => isInPart(suspicion.part, stored.slice) && !tally.isClosed(stored.slice),
      );
      const next = findMostDifferent(like, suspicion.failed);
      if (next) return next;
    }
    return undefined;
  }

  /** Finds the first slice that may be asked. `mayRest`: an endpoint that goes on failing is passed over. */
  function findFirst(mayRest: boolean): StoredSlice | undefined {
    for (const [dataset, some] of left) {
      if (isCrowded(dataset) || (mayRest && isResting(dataset))) continue;
      for (const stored of some) {
        if (tally.isClosed(stored.slice)) {
          some.delete(stored);
          held.add(stored);
        } else if (tally.areWitnessesGone() || !tally.isAlmostClosed(stored.slice)) return stored;
      }
    }
    return undefined;
  }

  function release(): boolean {
    const free = [...held].filter(({ slice }) => !tally.isClosed(slice));
    for (const stored of free) {
      held.delete(stored);
      left.get(stored.slice.dataset)?.add(stored);
    }
    return free.length > 0;
  }

  /** Tells whether the slices that are left wait for the answers of others. */
  const isAnyAlmostClosed = () => [...left].some(([dataset, some]) => some.size > 0 && !isCrowded(dataset));

  return {
    async take() {
      for (;;) {
        const next = tally.needsWitness() ? undefined : (findLike() ?? findFirst(true) ?? findFirst(false));
        if (next) return start(next);
        if (tally.needsWitness() || isAnyAlmostClosed()) {
          asking += 1;
          return "witness";
        }
        if (asking > 0) await changed.promise;
        else if (!release()) return undefined;
      }
    },
    done(taken, isAnswered) {
      asking -= 1;
      if (taken !== "witness") {
        const { dataset } = taken.slice;
        underWay.set(dataset, countUnderWay(dataset) - 1);
        if (!isAnswered) failed.push(taken.slice);
      }
      changed.resolve();
      changed = Promise.withResolvers();
    },
  };
}

/** Draws so many of the slices, each as different as can be from the others and from those before it. */
export function drawDifferent<T extends { slice: Slice }>(
  slices: readonly T[],
  count: number,
  others: readonly Slice[] = [],
): T[] {
  const next = count > 0 ? findMostDifferent(slices, others) : undefined;
  if (!next) return [];
  const left = slices.filter((one) => one !== next);
  return [next, ...drawDifferent(left, count - 1, [...others, next.slice])];
}

/** Returns the slice with the most parameters that none of the others has; of equals the first. */
function findMostDifferent<T extends { slice: Slice }>(slices: readonly T[], others: readonly Slice[]): T | undefined {
  let best: { one: T; score: number } | undefined;
  for (const one of slices) {
    const score = SELECTING.filter((name) => others.every((other) => other[name] !== one.slice[name])).length;
    if (!best || score > best.score) best = { one, score };
  }
  return best?.one;
}
