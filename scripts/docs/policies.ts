import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import { LANES, RANKS } from "../../src/api/enumerations.ts";
import { FULL_SELECTION } from "../../src/api/selection.ts";
import { planSlices } from "../../src/crawl/plan.ts";
import type { CrawlBase, HeldSlice } from "../../src/crawl/refresh/base.ts";
import { refreshKindOf } from "../../src/crawl/refresh/kinds.ts";
import { turnsPerDay } from "../../src/crawl/refresh/plan.ts";
import { chooseTurns, DAY_MS, groupTurns, setTargets, type Turn } from "../../src/crawl/refresh/turns.ts";
import { isPlayed } from "../../src/sample/records/lanes.ts";
import { HEROES } from "../../src/sample/roster.ts";
import { headed } from "./page.ts";

/** What is compared: so many nights, after as many of the same, within so many requests a day. */
const COMPARED = { nights: 60, requests: 500, subjects: 12 };

/** Which tables a night asks. */
type Choose = (turns: readonly Turn[], requests: number, nowMs: number) => readonly Turn[];

/** A table on one night: how old it is then, in days, and how many of its slices have records. */
interface Aged {
  turn: Turn;
  days: number;
  held: number;
}

/** The ages of all tables on all nights that the turns of a budget lead to, and those of a plain rotation. */
export function comparePolicies(): { turns: Aged[]; rotation: Aged[] } {
  const wanted = planSlices(FULL_SELECTION, {
    heroes: HEROES.map(({ id }) => id),
    subjects: new Map([["rating", Array.from({ length: COMPARED.subjects }, (_, subject) => String(subject))]]),
  });
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "turn");
  const perNight = turnsPerDay(wanted, COMPARED.requests);
  const turns = setTargets(
    groupTurns(slices, { base: baseOf(wanted), policy: "budget" }, new Set(), ""),
    perNight,
    new Map(),
  );
  const cycle = Math.ceil(turns.reduce((sum, turn) => sum + turn.slices.length, 0) / perNight) * DAY_MS;
  return {
    turns: passNights(turns, perNight, chooseTurns),
    rotation: passNights(
      turns.map((turn) => ({ ...turn, targetMs: cycle })),
      perNight,
      rotate,
    ),
  };
}

/** All tables equally often: those that were asked longest ago. */
function rotate(turns: readonly Turn[], requests: number): Turn[] {
  let left = requests;
  const sorted = turns.toSorted((a, b) => (a.oldestMs ?? 0) - (b.oldestMs ?? 0));
  return sorted.filter(({ slices }) => {
    if (slices.length > left) return false;
    left -= slices.length;
    return true;
  });
}

/** Nights in which nothing happens but turns; at first the tables are of all ages up to their targets. */
function passNights(turns: readonly Turn[], requests: number, choose: Choose): Aged[] {
  const { nights } = COMPARED;
  const held = new Map(turns.map(({ group, slices }) => [group, slices.filter((slice) => !isEmpty(slice)).length]));
  let current = turns.map((turn, index) => ({ ...turn, oldestMs: -((index * GOLDEN) % 1) * turn.targetMs }));
  return Array.from({ length: 2 * nights }, (_, night) => {
    const now = night * DAY_MS;
    const chosen = new Set(choose(current, requests, now).map(({ group }) => group));
    current = current.map((turn) => (chosen.has(turn.group) ? { ...turn, oldestMs: now } : turn));
    if (night < nights) return [];
    return current.map((turn): Aged => {
      const days = Math.round((now - turn.oldestMs) / DAY_MS);
      return { turn, days, held: held.get(turn.group) ?? 0 };
    });
  }).flat();
}

/** Its multiples lie evenly between whole numbers. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A snapshot that holds all of it. */
function baseOf(slices: readonly Slice[]): CrawlBase {
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

/** Days that half of the records, 95 of 100 and all are not older than, and the mean in which each table has its weight. */
export function summarise(tables: readonly Aged[]) {
  const records = new Map<number, number>();
  let [weighted, weights] = [0, 0];
  for (const { turn, days, held } of tables) {
    records.set(days, (records.get(days) ?? 0) + held);
    weighted += turn.weight * held * days;
    weights += turn.weight * held;
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

/** The comparison as a table, in days. */
export function renderPolicies(): string {
  const { turns, rotation } = comparePolicies();
  const heaviest = Math.max(...turns.map(({ turn }) => turn.weight));
  const row = (name: string, isOf: (turn: Turn) => boolean) => [
    name,
    ...[turns, rotation].flatMap((policy) => {
      const { half, most, oldest, mean } = summarise(policy.filter(({ turn }) => isOf(turn)));
      return [`${half}`, `${most}`, `${oldest}`, mean.toFixed(1)];
    }),
  ];
  const datasets = [...new Set(turns.map(({ turn }) => turn.dataset))];
  const head = ["half", "95 of 100", "oldest", "weighted mean"];
  return headed(
    ["age in days", ...head, ...head.map((name) => `${name}, rotation`)],
    [
      row("**all numbers**", () => true),
      row("all ranks, in the window of a week", ({ weight }) => weight === heaviest),
      row("the rest", ({ weight }) => weight !== heaviest),
      ...datasets.map((dataset) => row(dataset, (turn) => turn.dataset === dataset)),
    ],
  );
}
