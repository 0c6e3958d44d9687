import { type Slice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { type SliceGroup, sliceGroup } from "../../journal/slice-group.ts";
import { type CrawlBase, drawOldest, heldOf, lookedAt, type RefreshOptions, wasEmpty } from "./base.ts";

export const DAY_MS = 86_400_000;

/** The slices of a group that are asked together, because they are of one batch. */
export interface Turn {
  group: SliceGroup;
  dataset: string;
  /** The slices that the next turn asks for: all that had records, and some of those without. */
  slices: readonly Slice[];
  /** How often it is due, relative to the others. */
  weight: number;
  /** The time when the oldest of them was asked, whatever came, in epoch milliseconds; undefined if none was. */
  oldestMs: number | undefined;
  /** True if it has had no turn yet, or shows a text that its list has changed since. */
  isUrgent: boolean;
  /** The age that it is to reach, in milliseconds. */
  targetMs: number;
}

/**
 * All ranks together in the window of a week are what most people look at, say 36 times as often as another table: the ages that readers
 * meet are then least in the mean if those are asked √36 times as often. The same in another language is seldom looked at.
 */
const WEIGHTS = { core: 6, other: 1, otherLanguage: 1 / 4 };

/** The share of the slices without records that a turn asks again, the oldest first. A crawl for `reuse` has a turn each night. */
const EMPTY_SHARE = { budget: 1 / 3, reuse: 1 / 30 };

/** An urgent group counts as overdue by so many target ages. */
const URGENT_RATIO = 3;

/** A group that was asked so short a time ago is not asked again, although requests may be left. */
const LEAST_AGE_MS = DAY_MS / 2;

function weightOf({ rank = "all", days = "7", lang }: Slice): number {
  const weight = rank === "all" && days === "7" ? WEIGHTS.core : WEIGHTS.other;
  return lang === BASE_LANG ? weight : weight * WEIGHTS.otherLanguage;
}

/** Groups these slices. Of empty ones `suspects` are asked all the same, and `seed` draws among the others. */
export function groupTurns(
  slices: readonly Slice[],
  { base, policy }: Pick<RefreshOptions, "base" | "policy">,
  suspects: ReadonlySet<string>,
  seed: string,
): Omit<Turn, "targetMs">[] {
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
    // Empty slices wait longer than the rest of their group, and are all there is to a group that was empty as a whole.
    const dated = asked.length > again.length ? asked.filter((slice) => !again.includes(slice)) : again;
    const times = dated.flatMap((slice) => lookedAt(base, slice) ?? []);
    return [
      {
        group,
        dataset: first.dataset,
        slices: asked,
        weight: weightOf(first),
        oldestMs: times.length > 0 ? Math.min(...times) : undefined,
        isUrgent: times.length === 0 || members.some((slice) => isOutdated(slice, base, suspects)),
      },
    ];
  });
}

const isOutdated = (slice: Slice, base: CrawlBase | undefined, suspects: ReadonlySet<string>) =>
  suspects.has(sliceId(slice)) && heldOf(base, slice)?.status === "captured";

/** Gives each group its target age: one of twice the weight is due twice as often, and all together fit into `requestsPerDay`. */
export function setTargets(turns: readonly Omit<Turn, "targetMs">[], requestsPerDay: number): Turn[] {
  const daysOfWeightOne = turns.reduce((sum, { slices, weight }) => sum + slices.length * weight, 0) / requestsPerDay;
  return turns.map((turn) => ({ ...turn, targetMs: Math.max(1, daysOfWeightOne / turn.weight) * DAY_MS }));
}

/** Returns how overdue a group is: its age in target ages. */
export function overdueRatio({ oldestMs, targetMs, isUrgent }: Turn, nowMs: number): number {
  return Math.max((nowMs - (oldestMs ?? nowMs)) / targetMs, isUrgent ? URGENT_RATIO : 0);
}

/**
 * Chooses the most overdue groups first, each as a whole and each that still fits into `requests`. The first one always fits, as a budget
 * that is too small for the largest is refused. So none starves: a group that waits becomes more overdue each night, and one that was asked
 * begins anew. A group that was never asked has no age that grows, and is first itself, one in each night.
 */
export function chooseTurns(turns: readonly Turn[], requests: number, nowMs: number): Turn[] {
  const sorted = turns
    .filter((turn) => isOldEnough(turn, nowMs))
    .map((turn) => ({ turn, ratio: overdueRatio(turn, nowMs) }))
    .sort((a, b) => b.ratio - a.ratio || b.turn.weight - a.turn.weight)
    .map(({ turn }) => turn);
  const neverAsked = sorted.find(({ oldestMs }) => oldestMs === undefined);
  let left = requests;
  return [...new Set(neverAsked ? [neverAsked, ...sorted] : sorted)].filter(({ slices }) => {
    if (slices.length > left) return false;
    left -= slices.length;
    return true;
  });
}

const isOldEnough = ({ oldestMs = 0, isUrgent }: Turn, nowMs: number) => isUrgent || nowMs - oldestMs >= LEAST_AGE_MS;
