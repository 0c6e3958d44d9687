import type { Random } from "../../helpers/random.ts";
import type { Game } from "./upstream.ts";

/** The kinds of nights. */
export const NIGHT_KINDS = [
  "plain",
  "unchanged",
  "skipped",
  "two",
  "older clock",
  "newer clock",
  "rolled back",
  "rolled back to",
  "rolled back and forward",
  "partial",
  "subset",
  "damaged",
] as const;
export type Kind = (typeof NIGHT_KINDS)[number];

export const FIRST: Game = { day: 0, heroes: 4, story: 0, item: true, rate: 0 };

/** Something is different on the same day, and most of it has been so before. */
export function change(random: Random, game: Game): Game {
  const changes: (() => Partial<Game>)[] = [
    () => ({ heroes: other(random, [3, 4, 5], game.heroes) }),
    () => ({ story: other(random, [0, 1, 2], game.story) }),
    () => ({ item: !game.item }),
    () => ({ rate: other(random, [0, 1, 2], game.rate) }),
  ];
  const drawn = random.shuffle(changes).slice(0, 1 + random.below(changes.length));
  return Object.assign({ ...game }, ...drawn.map((make) => make()));
}

const other = <T>(random: Random, all: readonly T[], now: T) => random.pick(all.filter((one) => one !== now));
