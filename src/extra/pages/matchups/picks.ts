import type { PageContext } from "../page.ts";
import type { Board } from "./board.ts";
import { matchTypeOf } from "./played.ts";

/** A hero that points of a pick are with. */
interface Taken {
  hero_id: number;
  played: "against" | "with";
}

interface Candidate {
  hero_id: number;
  win_rate: number | null;
  appearance_rate: number | null;
}

/** A hero that may be picked still. */
export interface DraftPick extends Candidate {
  /** Points with each taken hero, in their order; null if unknown. */
  parts: readonly (number | null)[];
  known: number;
  /** The sum of the known parts; null if none is known. */
  sum: number | null;
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
  /** The enemies and allies, in the order of the parts; none if the snapshot has no points in this rank. */
  taken: readonly Taken[];
  /** Somebody is chosen, and the snapshot has no points in this rank. */
  lacksPoints: boolean;
  /** Those with a win rate and the most known parts first. */
  groups: readonly PickGroup[];
  /** How many are left out because they are picked too rarely. */
  seldom: number;
}

const CANDIDATES = `
  SELECT hero_id, win_rate, appearance_rate
  FROM hero LEFT JOIN (SELECT * FROM hero_rate WHERE rank = @rank AND days = @days) USING (hero_id)
  WHERE (@role = 'all' OR hero_id IN (SELECT hero_id FROM hero_role WHERE role = @role))
    AND (@lane = 'all' OR hero_id IN (SELECT hero_id FROM hero_lane WHERE lane = @lane))
    AND hero_id NOT IN (SELECT value FROM json_each(@gone))`;

// CROSS JOIN: hero after hero by the key, instead of a scan over all ranks.
const HAS_POINTS = "SELECT 1 FROM hero CROSS JOIN hero_matchup USING (hero_id) WHERE rank = @rank LIMIT 1";

const POINTS = `
  SELECT hero_id, taken.key AS place, increase_win_rate
  FROM hero CROSS JOIN json_each(@taken) AS taken CROSS JOIN hero_matchup USING (hero_id)
  WHERE rank = @rank AND match_type = taken.value ->> 'type' AND other_hero_id = taken.value ->> 'id'`;

/** All that are neither taken nor banned and are as asked for. */
export function readPicks(context: PageContext, { enemies, allies, bans }: Board): Picks {
  const { snapshot, facts, values } = context;
  const { rank = "", days, role = "", lane = "", least } = values;
  const gone = JSON.stringify([...enemies, ...allies, ...bans]);
  const ids = [...facts.roster.keys()];
  const asked = snapshot
    .select<Candidate>(CANDIDATES, { rank, days: Number(days), role, lane, gone })
    .sort((a, b) => ids.indexOf(a.hero_id) - ids.indexOf(b.hero_id));
  // A rate that is unknown is not 0: those heroes stand apart.
  const often = asked.filter(({ appearance_rate }) => appearance_rate === null || appearance_rate >= Number(least));
  const chosen = [...played(enemies, "against"), ...played(allies, "with")];
  const lacksPoints = chosen.length > 0 && snapshot.select(HAS_POINTS, { rank }).length === 0;
  const taken = lacksPoints ? [] : chosen;
  const points = readPoints(context, taken);
  const picks = often.map((hero): DraftPick => {
    const parts = taken.map((_, place) => points.get(`${hero.hero_id} ${place}`) ?? null);
    const known = parts.filter((part) => part !== null);
    const sum = known.length > 0 ? known.reduce((a, b) => a + b) : null;
    // Points say how much better a hero does than expected of it: its own strength is not in them, and is added.
    const estimate = hero.win_rate === null ? null : hero.win_rate - 0.5 + (sum ?? 0);
    return { ...hero, parts, known: known.length, sum, estimate };
  });
  return { taken, lacksPoints, groups: toGroups(picks, values.sort), seldom: asked.length - often.length };
}

const played = (ids: readonly number[], played: Taken["played"]) => ids.map((hero_id): Taken => ({ hero_id, played }));

function readPoints({ snapshot, values }: PageContext, taken: readonly Taken[]): ReadonlyMap<string, number> {
  const asked = taken.map(({ hero_id, played }) => ({ id: hero_id, type: matchTypeOf(played) }));
  const rows = snapshot.select<{ hero_id: number; place: number; increase_win_rate: number }>(POINTS, {
    ...{ rank: values.rank ?? "", taken: JSON.stringify(asked) },
  });
  return new Map(rows.map((row) => [`${row.hero_id} ${row.place}`, row.increase_win_rate]));
}

const SORT_KEYS = {
  estimate: ({ estimate, sum }: DraftPick) => estimate ?? sum,
  win_rate: ({ win_rate }: DraftPick) => win_rate,
  /** An unknown rate stands behind 0. */
  pick_rate: ({ appearance_rate }: DraftPick) => appearance_rate ?? -1,
};

/** Sums of other parts stand in no order: what is unknown is not 0. */
function toGroups(picks: readonly DraftPick[], sort: string | undefined): PickGroup[] {
  const keyOf = SORT_KEYS[sort as keyof typeof SORT_KEYS];
  const sorted = picks.toSorted((a, b) => (keyOf(b) ?? 0) - (keyOf(a) ?? 0));
  const groups = Map.groupBy(sorted, ({ win_rate, parts }) =>
    [win_rate, ...parts].map((figure) => (figure === null ? "–" : "+")).join(""),
  );
  return [...groups.values()]
    .map((picks) => ({ rated: picks[0]?.win_rate !== null, known: picks[0]?.known ?? 0, picks }))
    .sort((a, b) => Number(b.rated) - Number(a.rated) || b.known - a.known || b.picks.length - a.picks.length);
}
