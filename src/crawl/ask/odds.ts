/** Slices in which an oddity must have stayed before others with it are taken at once. */
const MAX_CONFIRMED = 3;
/** Times that one slice is asked for once more because it is odd. */
const MAX_REPEATS = 3;

/**
 * Records that are not as documented are taken as they are, if they stay so: damage on the way heals by asking once more, an
 * odd value at the upstream does not. What has stayed in a few slices of a dataset is how the upstream sends it.
 */
export interface Odds {
  /** Whether an odd answer is to be asked for once more; `before` is what was odd about those before it. */
  repeat(dataset: string, odd: string, before: ReadonlySet<string>): boolean;
}

export function createOdds(): Odds {
  const confirmed = new Map<string, number>();
  return {
    repeat(dataset, odd, before) {
      const what = `${dataset} ${odd}`;
      const times = confirmed.get(what) ?? 0;
      if (before.has(odd)) confirmed.set(what, times + 1);
      return !before.has(odd) && before.size < MAX_REPEATS && times < MAX_CONFIRMED;
    },
  };
}
