export type Random = ReturnType<typeof createRandom>;

/** The seed of all chance, printed by the tests that use it; `SEED=2` tries others. */
export const SEED = Number(process.env.SEED ?? 1);

/** Numbers for one purpose, the same everywhere and whatever else is drawn beside it (mulberry32). */
export function createRandom(purpose: string) {
  let state = [...`${SEED} ${purpose}`].reduce(
    (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  );

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(next() * limit);

  return {
    below,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error("there is nothing to pick from");
      return list[below(list.length)] as T;
    },
    shuffle<T>(list: readonly T[]): T[] {
      const shuffled = [...list];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
      }
      return shuffled;
    },
  };
}
