import {
  addressOn,
  daysChoice,
  type Facts,
  heroesChoice,
  laneChoice,
  leastChoice,
  rankChoice,
  roleChoice,
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

export type DraftSide = (typeof DRAFT_SIDES)[number]["side"];

/** The heroes of a draft so far. */
export interface Board {
  /** Each in the order in which they were chosen. */
  enemies: readonly number[];
  allies: readonly number[];
  bans: readonly number[];
  sideOf: ReadonlyMap<number, DraftSide>;
  /** The address names a hero more than once: the first counts, because in a match it is there once. */
  repeats: boolean;
  /** The side of the next hero; undefined if all are full. */
  next: DraftSide | undefined;
}

const sideChoice = ({ messages: { pairs } }: Facts): Choice => ({
  name: "side",
  label: pairs.draft.nowChoosing,
  options: DRAFT_SIDES.map(({ side }) => ({ value: side, label: pairs.draft.sides[side].head })),
  fallback: "enemies",
});

/** The value of the lanes that the allies leave. */
export const OPEN_LANES = "open";

export function draftLane(facts: Facts): Choice {
  const choice = laneChoice(facts);
  const open = { value: OPEN_LANES, label: facts.messages.pairs.draft.openLanes };
  return { ...choice, options: choice.options.toSpliced(1, 0, open) };
}

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
  roleChoice(facts),
  leastChoice(facts),
];

/** The choices that only this page has. */
export const ownDraftChoices = (facts: Facts): Choice[] => [
  ...DRAFT_SIDES.map(({ side, most }) => heroesChoice(facts, most, side, facts.messages.pairs.draft.sides[side].head)),
  ...[sideChoice(facts), roleChoice(facts), leastChoice(facts), draftLane(facts), draftSort(facts)],
];

/** All choices, in the order of the addresses to which links lead. */
export const draftChoices = (facts: Facts): Choice[] => [
  ...[rankChoice(facts), daysChoice(facts)],
  ...ownDraftChoices(facts),
];

/** The page in another state, at one of its places. */
export const draftAddress = (context: PageContext, changed: Values, place: string): string =>
  `${addressOn(context, "/draft", ownDraftChoices(context.facts), changed)}#${place}`;

export function readBoard({ values }: PageContext): Board {
  const sideOf = new Map<number, DraftSide>();
  const named = DRAFT_SIDES.flatMap(({ side }) => listOf(values, side).map((id) => ({ side, id: Number(id) })));
  for (const { side, id } of named) if (!sideOf.has(id)) sideOf.set(id, side);
  const on = (wanted: DraftSide) => [...sideOf].flatMap(([id, side]) => (side === wanted ? id : []));
  const board = {
    enemies: on("enemies"),
    allies: on("allies"),
    bans: on("bans"),
    sideOf,
    repeats: named.length > sideOf.size,
  };
  const open = DRAFT_SIDES.filter(({ side, most }) => board[side].length < most).map(({ side }) => side);
  return { ...board, next: open.find((side) => side === values.side) ?? open[0] };
}

/** The values of a board with a hero more on a side. */
export const valuesWith = (board: Board, side: DraftSide, id: number): Values => ({
  ...valuesOf(board),
  [side]: [...board[side], id].join(","),
});

export const valuesWithout = (board: Board, id: number): Values =>
  Object.fromEntries(DRAFT_SIDES.map(({ side }) => [side, board[side].filter((other) => other !== id).join(",")]));

/** The values of a board, each hero once. */
export const valuesOf = (board: Board): Values =>
  Object.fromEntries(DRAFT_SIDES.map(({ side }) => [side, board[side].join(",")]));
