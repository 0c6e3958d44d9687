import {
  addressOn,
  daysChoice,
  type Facts,
  filterChoices,
  heroesChoice,
  leastChoice,
  rankChoice,
  sortChoice,
} from "../facts.ts";
import type { PageContext } from "../page.ts";
import { type Choice, listOf, type Values } from "../query.ts";

/** The sides on which a hero may stand on the board. */
export const DRAFT_SIDES = [
  { side: "enemies", most: 5 },
  { side: "allies", most: 4 },
  { side: "bans", most: 10 },
] as const;

type DraftSide = (typeof DRAFT_SIDES)[number]["side"];

/** The heroes of a draft so far, on each side in the order in which they were chosen. */
export interface Board extends Readonly<Record<DraftSide, readonly number[]>> {
  /** The side of the next hero; undefined if all are full. */
  next: DraftSide | undefined;
}

export const sideChoice = ({ messages: { pairs } }: Facts): Choice => ({
  name: "side",
  label: pairs.draft.nowChoosing,
  options: DRAFT_SIDES.map(({ side }) => ({ value: side, label: pairs.draft.sides[side].head })),
  fallback: "enemies",
});

const draftSort = (facts: Facts): Choice => {
  const { frame, pairs } = facts.messages;
  return sortChoice(facts, [
    { value: "estimate", label: pairs.draft.estimate },
    { value: "win_rate", label: frame.rates.winRate },
    { value: "pick_rate", label: frame.rates.pickRate },
  ]);
};

/** The choices of the form above the board; the rest are links. */
export const askedChoices = (facts: Facts): Choice[] => [
  rankChoice(facts),
  daysChoice(facts),
  ...filterChoices(facts),
  leastChoice(facts),
];

/** All choices, in the order of the addresses to which links lead. */
export const draftChoices = (facts: Facts): Choice[] => [
  ...DRAFT_SIDES.map(({ side, most }, at) => ({
    ...heroesChoice(facts, most, side, facts.messages.pairs.draft.sides[side].head),
    // In a match a hero is there once.
    apartFrom: DRAFT_SIDES.slice(0, at).map((before) => before.side),
  })),
  sideChoice(facts),
  ...askedChoices(facts),
  draftSort(facts),
];

/** The page in another state, at one of its places. */
export const draftAddress = (context: PageContext, changed: Values, place: string): string =>
  `${addressOn(context, "/draft", draftChoices(context.facts), changed)}#${place}`;

/** The page with a hero on this side of the board; without a side, with the hero taken off. */
export function movedAddress(
  context: PageContext,
  board: Board,
  id: number,
  to: DraftSide | undefined,
  place: string,
): string {
  const sides = DRAFT_SIDES.map(({ side }) => {
    const others = board[side].filter((other) => other !== id);
    return [side, (side === to ? [...others, id] : others).join(",")];
  });
  return draftAddress(context, Object.fromEntries(sides), place);
}

export function readBoard({ values }: PageContext): Board {
  const idsOf = (side: DraftSide) => listOf(values, side).map(Number);
  const heroes = { enemies: idsOf("enemies"), allies: idsOf("allies"), bans: idsOf("bans") };
  const open = DRAFT_SIDES.filter(({ side, most }) => heroes[side].length < most).map(({ side }) => side);
  return { ...heroes, next: open.find((side) => side === values.side) ?? open[0] };
}
