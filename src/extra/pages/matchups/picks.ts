import { calledIn } from "../hero-link.ts";
import type { PageContext } from "../page.ts";
import type { Board } from "./board.ts";
import { type Lanes, wantedLanes } from "./lanes.ts";
import { matchTypeOf } from "./played.ts";

/** A hero that points of a pick are with. */
interface Taken {
  hero_id: number;
  played: "against" | "with";
}

/** A hero that may be picked still. */
export interface DraftPick {
  hero_id: number;
  win_rate: number | null;
  appearance_rate: number | null;
  /** Points with each taken hero, in their order; null if unknown. */
  parts: readonly (number | null)[];
  known: number;
  /** The sum of the known parts. */
  sum: number;
  /** Own strength, which is the win rate above one half, and the sum; null without a win rate. */
  estimate: number | null;
}

/** Picks that can be compared: all have a win rate or none has, and the same parts are known of all. */
export interface PickGroup {
  rated: boolean;
  known: number;
  /** The best first. */
  picks: readonly DraftPick[];
}

export interface Picks {
  /** The enemies and allies that there may be points with, in the order of the parts. */
  taken: readonly Taken[];
  /** The chosen sides for which the snapshot has no points in this rank. */
  lacks: readonly Taken["played"][];
  /** The snapshot has win rates for this rank and window. */
  rated: boolean;
  /** Those with a win rate and the most known parts first. */
  groups: readonly PickGroup[];
  /** How many are left out because they are picked too rarely. */
  seldom: number;
}

const CANDIDATES = `
  SELECT hero.hero_id, rate.win_rate, rate.appearance_rate,
         @role = 'all' OR hero.hero_id IN (SELECT hero_id FROM hero_role WHERE role = @role) AS fits
  FROM hero LEFT JOIN hero_rate AS rate ON rate.hero_id = hero.hero_id AND rate.rank = @rank AND rate.days = @days
  ORDER BY hero.hero_id`;

type Candidate = Omit<DraftPick, "parts" | "sum" | "known" | "estimate"> & { fits: number };

// CROSS JOIN: hero after hero by the key, instead of a scan over all ranks.
const HAS_POINTS = `
  SELECT 1 FROM hero CROSS JOIN hero_matchup USING (hero_id) WHERE rank = @rank AND match_type = @type LIMIT 1`;

const POINTS = `
  SELECT hero_id, other_hero_id, increase_win_rate FROM hero CROSS JOIN hero_matchup USING (hero_id)
  WHERE rank = @rank AND match_type = @type AND other_hero_id IN (SELECT value FROM json_each(@others))`;

/** All that are neither taken nor banned and are as asked for. */
export function readPicks(context: PageContext, board: Board, lanes: Lanes): Picks {
  const { snapshot, values } = context;
  const { rank = "", days, role = "", lane, least } = values;
  const heroes = snapshot.select<Candidate>(CANDIDATES, { rank, role, days: Number(days) });
  const rated = heroes.some(({ win_rate }) => win_rate !== null);
  const wanted = wantedLanes(lanes, lane);
  const asked = heroes.filter(
    ({ hero_id, fits }) =>
      fits && !board.sideOf.has(hero_id) && (wanted?.some((one) => lanes.of.get(hero_id)?.includes(one)) ?? true),
  );
  // A rate that is unknown is not 0: those heroes stand apart.
  const often = asked.filter(({ appearance_rate }) => appearance_rate === null || appearance_rate >= Number(least));
  const chosen = [...played(board.enemies, "against"), ...played(board.allies, "with")];
  const lacks = (["against", "with"] as const).filter(
    (one) => chosen.some((hero) => hero.played === one) && !hasPoints(context, one),
  );
  const taken = chosen.filter((hero) => !lacks.includes(hero.played));
  const pointsOf = { against: readPoints(context, taken, "against"), with: readPoints(context, taken, "with") };
  const picks = often.map((hero): DraftPick => {
    const parts = taken.map(({ played, hero_id }) => pointsOf[played].get(`${hero.hero_id} ${hero_id}`) ?? null);
    return { ...hero, parts, ...addUp(hero.win_rate, parts) };
  });
  return { taken, lacks, rated, groups: toGroups(picks, context), seldom: asked.length - often.length };
}

const played = (ids: readonly number[], played: Taken["played"]) => ids.map((hero_id): Taken => ({ hero_id, played }));

/** Points say how much better a hero does than expected of it: its own strength is not in them, and is added. */
function addUp(winRate: number | null, parts: DraftPick["parts"]): Pick<DraftPick, "known" | "sum" | "estimate"> {
  const numbers = parts.filter((part) => part !== null);
  const sum = numbers.reduce((a, b) => a + b, 0);
  return { known: numbers.length, sum, estimate: winRate === null ? null : winRate - 0.5 + sum };
}

/** Sums of other parts stand in no order: what is unknown is not 0. */
function toGroups(picks: readonly DraftPick[], { values, facts }: PageContext): PickGroup[] {
  const keys: Record<string, (pick: DraftPick) => number | null> = {
    estimate: ({ estimate, sum }) => estimate ?? sum,
    win_rate: ({ win_rate }) => win_rate,
    pick_rate: ({ appearance_rate }) => appearance_rate,
  };
  const keyOf = (pick: DraftPick) => keys[values.sort ?? ""]?.(pick) ?? Number.NEGATIVE_INFINITY;
  const ids = [...facts.roster.keys()];
  const byName = (a: DraftPick, b: DraftPick) => ids.indexOf(a.hero_id) - ids.indexOf(b.hero_id);
  const sorted = picks.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left === right ? byName(a, b) : right - left;
  });
  const groups = Map.groupBy(sorted, ({ win_rate, parts }) =>
    [win_rate, ...parts].map((figure) => (figure === null ? "–" : "+")).join(""),
  );
  return [...groups.values()]
    .map((picks) => ({ rated: picks[0]?.win_rate !== null, known: picks[0]?.known ?? 0, picks }))
    .sort((a, b) => Number(b.rated) - Number(a.rated) || b.known - a.known || b.picks.length - a.picks.length);
}

const MOST_DESCRIBED = 3;

/** Names the best picks: `Best: Johnson +5.2, Tigreal +4.1`, or with win rates if there is no pairing; undefined if no pick has one. */
export function describeBest({ groups: [best], taken }: Picks, context: PageContext): string | undefined {
  const { frame, pairs } = context.messages;
  const { writePercent, writePoints } = context.figures;
  if (!best?.rated || (taken.length > 0 && best.known === 0)) return undefined;
  const byEstimate = best.picks.toSorted((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0));
  const told = byEstimate.slice(0, MOST_DESCRIBED).flatMap((pick) => {
    if (pick.estimate === null || pick.win_rate === null) return [];
    const figure = taken.length > 0 ? writePoints(pick.estimate) : writePercent(pick.win_rate, 1);
    return [`${calledIn(pick.hero_id, context)} ${figure}`];
  });
  return told.length > 0 ? pairs.draft.best({ heroes: told.join(frame.comma) }) : undefined;
}

const hasPoints = ({ snapshot, values }: PageContext, played: Taken["played"]): boolean =>
  snapshot.select(HAS_POINTS, { rank: values.rank ?? "", type: matchTypeOf(played) }).length > 0;

function readPoints({ snapshot, values }: PageContext, taken: readonly Taken[], played: Taken["played"]) {
  const others = taken.filter((hero) => hero.played === played).map(({ hero_id }) => hero_id);
  const rows = snapshot.select<{ hero_id: number; other_hero_id: number; increase_win_rate: number }>(POINTS, {
    ...{ rank: values.rank ?? "", type: matchTypeOf(played), others: JSON.stringify(others) },
  });
  return new Map(rows.map((row) => [`${row.hero_id} ${row.other_hero_id}`, row.increase_win_rate]));
}
