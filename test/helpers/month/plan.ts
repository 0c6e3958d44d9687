import type { Draw } from "../draw.ts";
import type { Game } from "./upstream.ts";

/** What a night may be like. */
export const KINDS = [
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
export type Kind = (typeof KINDS)[number];

/** Of a few nights one is one of these. */
const ODDEST: readonly Kind[] = ["unchanged", "rolled back", "rolled back to", "rolled back and forward", "damaged"];

/**
 * What comes after the first night: another one, that there is something to go back to, and every kind in turn, soon one
 * that changes nothing, goes back or is damaged.
 */
export function planNights(draw: Draw, nights: number): Kind[] {
  const kinds: Kind[] = ["plain", draw.pick(ODDEST)];
  while (kinds.length < nights - 1) kinds.push(...draw.shuffle(KINDS));
  return kinds.slice(0, nights - 1);
}

export const FIRST: Game = { day: 0, heroes: 4, story: 0, item: true, rate: 0 };

/** Something is different on the same day, and most of it has been so before. */
export function change(draw: Draw, game: Game): Game {
  const changes: (() => Partial<Game>)[] = [
    () => ({ heroes: other(draw, [3, 4, 5], game.heroes) }),
    () => ({ story: other(draw, [0, 1, 2], game.story) }),
    () => ({ item: !game.item }),
    () => ({ rate: other(draw, [0, 1, 2], game.rate) }),
  ];
  const drawn = draw.shuffle(changes).slice(0, 1 + draw.below(changes.length));
  return Object.assign({ ...game }, ...drawn.map((make) => make()));
}

const other = <T>(draw: Draw, all: readonly T[], now: T) => draw.pick(all.filter((one) => one !== now));
