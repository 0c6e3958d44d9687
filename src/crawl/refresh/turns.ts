import { type Slice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { type SliceGroup, sliceGroup } from "../../journal/slice-group.ts";
import { drawOldest, heldOf, lookedAt, type RefreshOptions, wasEmpty } from "./base.ts";

export const DAY_MS = 86_400_000;

/** The slices of a group that are asked together, because they are of one batch. */
export interface Turn {
  group: SliceGroup;
  dataset: string;
  /** What the next turn asks for: all that had records, and some of those without. */
  slices: readonly Slice[];
  weight: number;
  /** When the oldest of them was asked, whatever came; epoch milliseconds. Undefined if none was. */
  oldestMs: number | undefined;
  /** Whether it has had a turn, and shows no text that its list has changed since. */
  isWhole: boolean;
  /** Milliseconds: how old it is to become. */
  targetMs: number;
  /** Whether it must not become older: the operator has set it, and the days have room for all that is set. */
  isPromised: boolean;
}

export type PlainTurn = Omit<Turn, "targetMs" | "isPromised">;

/** All ranks together in the window of a week are what most people look at; the same in another language is seldom asked. */
const WEIGHTS = { core: 36, other: 1, otherLanguage: 1 / 16 };

/** Part of the slices without records that a turn asks again, the oldest first. A crawl for `reuse` has a turn each night. */
const EMPTY_SHARE = { budget: 1 / 3, reuse: 1 / 30 };

/** A group that is not whole is as urgent as one that is as late as this, in target ages. */
export const NEVER_ASKED_RATIO = 3;

/** A group that was asked so short a time ago is not asked again, although requests may be left. */
const LEAST_AGE_MS = DAY_MS / 2;

/** Part of a day's requests that set ages may take; the rest is for the others, of which none waits for ever. */
const SET_SHARE = 0.9;

/** Days: two nights begin not exactly a day apart. */
const NIGHT_TOLERANCE = 1 / 8;

/** Among groups that are equally overdue the weight decides. */
const TIE = 1e-6;

function weightOf({ rank = "all", days = "7", lang }: Slice): number {
  const weight = rank === "all" && days === "7" ? WEIGHTS.core : WEIGHTS.other;
  return lang === BASE_LANG ? weight : weight * WEIGHTS.otherLanguage;
}

/** The groups of these slices. Of what was empty `suspects` are asked all the same, and `seed` draws among the others. */
export function groupTurns(
  slices: readonly Slice[],
  { base, policy }: Pick<RefreshOptions, "base" | "policy">,
  suspects: ReadonlySet<string>,
  seed: string,
): PlainTurn[] {
  return [...Map.groupBy(slices, (slice) => sliceGroup({ slice }))].flatMap(([group, members]) => {
    const [first] = members;
    if (!first) return [];
    const empty = members.filter((slice) => wasEmpty(base, slice) && !suspects.has(sliceId(slice)));
    const again = drawOldest(
      empty,
      Math.ceil(empty.length * (policy === "budget" ? EMPTY_SHARE.budget : EMPTY_SHARE.reuse)),
      base,
      seed,
    );
    const skipped = new Set(empty).difference(new Set(again));
    const asked = members.filter((slice) => !skipped.has(slice));
    // What was empty waits longer than the rest of its group, and is all there is to a group that was empty as a whole.
    const dated = asked.length > again.length ? asked.filter((slice) => !again.includes(slice)) : again;
    const times = dated.flatMap((slice) => lookedAt(base, slice) ?? []);
    return [
      {
        group,
        dataset: first.dataset,
        slices: asked,
        weight: weightOf(first),
        oldestMs: times.length > 0 ? Math.min(...times) : undefined,
        isWhole: members.every((slice) => {
          const held = heldOf(base, slice);
          if (!held) return lookedAt(base, slice) !== undefined;
          return held.status === "empty" || !suspects.has(sliceId(slice));
        }),
      },
    ];
  });
}

/**
 * Gives each group its target age: the sum of weighted ages is least if a group's is in proportion to √(requests / weight), and
 * all together fit into `requestsPerDay`. Ages that the operator has set (`maxAges`, by dataset) stay as they are.
 */
export function setTargets(
  turns: readonly PlainTurn[],
  requestsPerDay: number,
  maxAges: ReadonlyMap<string, number>,
): Turn[] {
  const isSet = ({ dataset }: PlainTurn) => maxAges.has(dataset);
  const { taken, areKept } = weighSetAges(turns, requestsPerDay, maxAges);
  // Also if the set ages leave nothing: then all are late in proportion.
  const rest = Math.max(requestsPerDay * (1 - SET_SHARE), requestsPerDay - taken);
  const others = turns.filter((turn) => !isSet(turn));
  const scale = others.reduce((sum, { slices, weight }) => sum + Math.sqrt(slices.length * weight), 0) / rest;
  return turns.map((turn) => {
    const days = Math.max(1, scale * Math.sqrt(turn.slices.length / turn.weight));
    const targetMs = maxAges.get(turn.dataset) ?? days * DAY_MS;
    return { ...turn, targetMs, isPromised: areKept && isSet(turn) };
  });
}

/**
 * What set ages (`maxAges`) take of a day's requests, and whether they can be kept: enough is left for each other group, as none waits
 * for ever.
 */
export function weighSetAges(
  turns: readonly PlainTurn[],
  requestsPerDay: number,
  maxAges: ReadonlyMap<string, number>,
): { taken: number; areKept: boolean } {
  let taken = 0;
  let largestOther = 0;
  for (const { dataset, slices } of turns) {
    const maxMs = maxAges.get(dataset);
    if (maxMs === undefined) largestOther = Math.max(largestOther, slices.length);
    else taken += (slices.length * DAY_MS) / maxMs;
  }
  return { taken, areKept: taken <= Math.min(requestsPerDay * SET_SHARE, requestsPerDay - largestOther) };
}

/** How overdue a group is: its age in target ages. */
export function overdueRatio({ oldestMs, targetMs, isWhole }: Turn, nowMs: number): number {
  return Math.max((nowMs - (oldestMs ?? nowMs)) / targetMs, isWhole ? 0 : NEVER_ASKED_RATIO);
}

/**
 * The groups, each whole, that `requests` are enough for and that are the most overdue together: the sum over their requests of the
 * overdue ratio is the largest there is (a knapsack, filled by dynamic programming). Who waits weighs more each day, so that none
 * waits for ever. The most overdue come first. Before all of them comes what is promised.
 */
export function chooseTurns(turns: readonly Turn[], requests: number, nowMs: number): Turn[] {
  const others = turns.filter((turn) => isOldEnough(turn, nowMs));
  const promised = takePromised(others, requests, nowMs);
  const rest = others.filter((turn) => !promised.includes(turn));
  return [...promised, ...chooseOverdue(rest, requests - countRequests(promised), nowMs)];
}

const countRequests = (turns: readonly Turn[]) => turns.reduce((sum, { slices }) => sum + slices.length, 0);

const isOldEnough = ({ oldestMs, isWhole }: Turn, nowMs: number) => !isWhole || nowMs - (oldestMs ?? 0) >= LEAST_AGE_MS;

/**
 * What this night must ask, so that no promised age is passed: at an even pace, at which all that have the same nights left are
 * through in these nights.
 */
function takePromised(turns: readonly Turn[], requests: number, nowMs: number): Turn[] {
  const sorted = turns
    .filter(({ isPromised }) => isPromised)
    .map((turn) => ({ turn, nights: nightsLeft(turn, nowMs), oldestMs: turn.oldestMs ?? nowMs }))
    .sort((a, b) => a.nights - b.nights || a.oldestMs - b.oldestMs);
  let sum = 0;
  let pace = 0;
  for (const { turn, nights } of sorted) {
    sum += turn.slices.length;
    pace = Math.max(pace, sum / nights);
  }
  return takeWhole(
    sorted.map(({ turn }) => turn),
    Math.min(pace, requests),
  );
}

/** Nights, this one included, until a group must have been asked. What was never asked may wait as long as if it had been asked now. */
function nightsLeft({ oldestMs, targetMs }: Turn, nowMs: number): number {
  const days = (targetMs - (nowMs - (oldestMs ?? nowMs))) / DAY_MS;
  return Math.max(1, Math.floor(days - NIGHT_TOLERANCE) + 2);
}

/** Those that fit, in their order. */
function takeWhole(turns: readonly Turn[], requests: number): Turn[] {
  let left = requests;
  return turns.filter(({ slices }) => {
    if (slices.length > left) return false;
    left -= slices.length;
    return true;
  });
}

function chooseOverdue(turns: readonly Turn[], requests: number, nowMs: number): Turn[] {
  const ratios = new Map(turns.map((turn) => [turn, overdueRatio(turn, nowMs)]));
  const ratioOf = (turn: Turn) => ratios.get(turn) ?? 0;
  const sorted = turns.toSorted((a, b) => ratioOf(b) - ratioOf(a) || b.weight - a.weight);
  if (countRequests(sorted) <= requests) return sorted;
  const room = Math.max(0, Math.floor(requests));
  const best = new Float64Array(room + 1);
  const takenAt = sorted.map((turn) => {
    const cost = turn.slices.length;
    const value = cost * (ratioOf(turn) + turn.weight * TIE);
    const taken = new Uint8Array(room + 1);
    for (let size = room; size >= cost; size -= 1) {
      const sum = (best[size - cost] ?? 0) + value;
      if (sum <= (best[size] ?? 0)) continue;
      best[size] = sum;
      taken[size] = 1;
    }
    return taken;
  });
  let left = room;
  const chosen = sorted.toReversed().filter(({ slices }, index) => {
    if (!takenAt.at(-1 - index)?.[left]) return false;
    left -= slices.length;
    return true;
  });
  return chosen.toReversed();
}
