import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { LANES, RANKS } from "../../../src/api/enumerations.ts";
import { FULL_SELECTION } from "../../../src/api/selection.ts";
import { planSlices } from "../../../src/crawl/plan.ts";
import type { CrawlBase, HeldSlice } from "../../../src/crawl/refresh/base.ts";
import { refreshKindOf } from "../../../src/crawl/refresh/kinds.ts";
import { turnsPerDay } from "../../../src/crawl/refresh/plan.ts";
import { chooseTurns, DAY_MS, groupTurns, setTargets, type Turn } from "../../../src/crawl/refresh/turns.ts";
import { isPlayed } from "../../../src/extra/sample/records/lanes.ts";
import { HEROES } from "../../../src/extra/sample/roster.ts";

/** Which tables a night asks. */
type Choose = (turns: readonly Turn[], requests: number, nowMs: number) => readonly Turn[];

/** A table on one night: how old it is then, in days, and how many of its slices have records. */
interface Aged {
  turn: Turn;
  days: number;
  held: number;
}

/** What happens in nights, by their number. */
interface Story {
  isMissed?: (night: number) => boolean;
  /** A new version of the game makes tables with its texts urgent. */
  isNewVersion?: (night: number) => boolean;
  /** Texts take half of the requests. */
  hasNewTexts?: (night: number) => boolean;
}

/** Each ninth night is missed, and a week. Two versions of the game change all texts, which take half of 24 nights each. */
export const EVENTFUL: Story = {
  isMissed: (night) => night % 9 === 4 || (night >= 120 && night < 127),
  isNewVersion: (night) => night % 90 === 20,
  hasNewTexts: (night) => night % 90 >= 20 && night % 90 < 44,
};

/** All tables of 133 heroes, and the requests of a night for them. `isHeld`: whether a snapshot has all of them. */
export function planTables(requestsPerDay: number, isHeld: boolean): { turns: Turn[]; perNight: number } {
  const wanted = planSlices(FULL_SELECTION, {
    heroes: HEROES.map(({ id }) => id),
    subjects: new Map([["rating", Array.from({ length: 12 }, (_, subject) => String(subject))]]),
  });
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "turn");
  const perNight = turnsPerDay(wanted, requestsPerDay);
  const base = isHeld ? baseOf(wanted) : undefined;
  return { turns: setTargets(groupTurns(slices, { base, policy: "budget" }, new Set(), ""), perNight), perNight };
}

/** A snapshot that holds all of it. */
export function baseOf(slices: readonly Slice[]): CrawlBase {
  const asked_at = new Date(0).toISOString();
  const rows = slices.map((slice): [string, HeldSlice] => {
    const status = isEmpty(slice) ? "empty" : "captured";
    return [
      sliceId(slice),
      { status, sha256: "", asked_at, tried_at: null, suspect: 0, reason: null, part_id: null, batch: null, stale: 0 },
    ];
  });
  const nothing = { heroes: [], closed: [], endpoints: [], proof: [], doubts: new Map(), records: () => [] };
  return { id: { version: "", sha256: "" }, startedAt: asked_at, rows: new Map(rows), ...nothing };
}

/** Lanes that the sample has no matches of. */
function isEmpty({ hero, lane, rank }: Slice): boolean {
  const played = HEROES.find(({ id }) => id === hero);
  if (!played || lane === undefined) return false;
  const [laneAt, rankAt] = [LANES.findIndex(({ code }) => code === lane), RANKS.findIndex(({ code }) => code === rank)];
  return !isPlayed(played, laneAt, rankAt);
}

/** The tables after each night, from the first one on. */
export function passNights(
  turns: readonly Turn[],
  requests: number,
  nights: readonly number[],
  { isMissed, isNewVersion, hasNewTexts }: Story = {},
  choose: Choose = chooseTurns,
): { now: number; turns: readonly Turn[] }[] {
  let current = turns;
  return nights.map((night) => {
    const now = night * DAY_MS;
    if (isNewVersion?.(night)) current = current.map((turn) => ({ ...turn, isUrgent: turn.dataset === "builds" }));
    const room = hasNewTexts?.(night) ? Math.floor(requests / 2) : requests;
    const chosen = new Set(isMissed?.(night) ? [] : choose(current, room, now));
    current = current.map((turn) => (chosen.has(turn) ? { ...turn, oldestMs: now, isUrgent: false } : turn));
    return { now, turns: current };
  });
}

/** All tables equally often: those that were asked longest ago. */
export function rotate(turns: readonly Turn[], requests: number): Turn[] {
  let left = requests;
  const sorted = turns.toSorted((a, b) => (a.oldestMs ?? 0) - (b.oldestMs ?? 0));
  return sorted.filter(({ slices }) => {
    if (slices.length > left) return false;
    left -= slices.length;
    return true;
  });
}

export const nightsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);

/** Nights before those that are looked at, and these. */
const NIGHTS = { before: 100, seen: 200 };

/** The ages of all tables in 200 nights of 500 requests a day, after as many quiet nights as all turns take. */
export function ageTables(story: Story, choose: Choose = chooseTurns): Aged[] {
  const { turns, perNight } = planTables(500, true);
  const held = new Map(turns.map(({ group, slices }) => [group, slices.filter((slice) => !isEmpty(slice)).length]));
  // At first the tables are of all ages up to their targets.
  const spread = turns.map((turn, at) => ({
    ...turn,
    oldestMs: -NIGHTS.before * DAY_MS - ((at * GOLDEN) % 1) * turn.targetMs,
  }));
  const begun = passNights(spread, perNight, nightsFrom(-NIGHTS.before, NIGHTS.before), {}, choose).at(-1);
  const seen = passNights(begun?.turns ?? [], perNight, nightsFrom(0, NIGHTS.seen), story, choose);
  return seen.flatMap((night) =>
    night.turns.map((turn): Aged => {
      const days = Math.round((night.now - (turn.oldestMs ?? night.now)) / DAY_MS);
      return { turn, days, held: held.get(turn.group) ?? 0 };
    }),
  );
}

/** Its multiples lie evenly between whole numbers. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Days that half of the records, 95 of 100 and all are not older than, and the mean for readers, who look at a table by its weight. */
export function summarise(tables: readonly Aged[]) {
  const records = new Map<number, number>();
  let [weighted, weights] = [0, 0];
  for (const { turn, days, held } of tables) {
    records.set(days, (records.get(days) ?? 0) + held);
    weighted += turn.weight ** 2 * held * days;
    weights += turn.weight ** 2 * held;
  }
  const sorted = [...records].sort(([a], [b]) => a - b);
  const all = sorted.reduce((sum, [, held]) => sum + held, 0);
  const [half, most, oldest] = [0.5, 0.95, 1].map((share) => {
    let left = share * all;
    return sorted.find(([, held]) => {
      left -= held;
      return left <= 0;
    })?.[0];
  });
  return { half, most, oldest, mean: weighted / weights };
}
