import { calledIn, HERO_TEXT, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import type { PageContext } from "../page.ts";
import { listOf } from "../query.ts";
import { matchTypeOf } from "./played.ts";

/** A hero that either team has picked. */
export interface Taken extends NamedHero {
  played: "against" | "with";
}

/** A hero that may be picked still. */
export interface DraftPick extends NamedHero {
  win_rate: number | null;
  appearance_rate: number | null;
  /** Points with each taken hero, in their order; null if unknown. */
  parts: readonly (number | null)[];
  /** Sum of the known parts; null if none is known. */
  sum: number | null;
  known: number;
}

const TAKEN = `
  SELECT ${NAMED_HERO}
  FROM json_each(@ids) AS wanted JOIN hero ON hero.hero_id = wanted.value ${HERO_TEXT} ORDER BY wanted.rowid`;

const toJson = (ids: readonly (string | number)[]) => `[${ids.join(",")}]`;

export function readTaken({ snapshot, values, lang }: PageContext): Taken[] {
  const of = (name: string, played: Taken["played"]) =>
    snapshot
      .select<NamedHero>(TAKEN, { ids: toJson(listOf(values, name)), lang })
      .map((hero): Taken => ({ ...hero, played }));
  return [...of("enemies", "against"), ...of("allies", "with")];
}

const CANDIDATES = `
  SELECT ${NAMED_HERO}, rate.win_rate, rate.appearance_rate
  FROM hero LEFT JOIN hero_rate AS rate ON rate.hero_id = hero.hero_id AND rate.rank = @rank AND rate.days = @days ${HERO_TEXT}
  WHERE hero.hero_id NOT IN (SELECT value FROM json_each(@taken)) AND coalesce(rate.appearance_rate, 0) >= @least
    AND (@role = 'all' OR hero.hero_id IN (SELECT hero_id FROM hero_role WHERE role = @role))
    AND (@lane = 'all' OR hero.hero_id IN (SELECT hero_id FROM hero_lane WHERE lane = @lane))
  ORDER BY hero.hero_id`;

type Candidate = Omit<DraftPick, "parts" | "sum" | "known">;

const POINTS = `
  SELECT hero_id, other_hero_id, increase_win_rate FROM hero CROSS JOIN hero_matchup USING (hero_id)
  WHERE rank = @rank AND match_type = @type AND other_hero_id IN (SELECT value FROM json_each(@others))`;

/** All that are not taken and are as asked for, the best first. */
export function readPicks(context: PageContext, taken: readonly Taken[]): DraftPick[] {
  const { snapshot, values, lang } = context;
  const { rank = "", days, role = "", lane = "", least, sort } = values;
  const candidates = snapshot.select<Candidate>(CANDIDATES, {
    ...{ lang, rank, days: Number(days), role, lane, least: Number(least) },
    taken: toJson(taken.map(({ hero_id }) => hero_id)),
  });
  const pointsOf = { against: readPoints(context, taken, "against"), with: readPoints(context, taken, "with") };
  const picks = candidates.map((hero): DraftPick => {
    const parts = taken.map(({ played, hero_id }) => pointsOf[played].get(`${hero.hero_id} ${hero_id}`) ?? null);
    const numbers = parts.filter((part) => part !== null);
    return { ...hero, parts, sum: numbers.length > 0 ? numbers.reduce((a, b) => a + b) : null, known: numbers.length };
  });
  const keys: Record<string, (pick: DraftPick) => number | null> = {
    sum: (pick) => pick.sum,
    win_rate: (pick) => pick.win_rate,
    pick_rate: (pick) => pick.appearance_rate,
  };
  const keyOf = (pick: DraftPick) => keys[sort ?? ""]?.(pick) ?? Number.NEGATIVE_INFINITY;
  const { compare } = new Intl.Collator(lang);
  return picks.sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return left === right ? compare(calledIn(a), calledIn(b)) || a.hero_id - b.hero_id : right - left;
  });
}

function readPoints({ snapshot, values }: PageContext, taken: readonly Taken[], played: Taken["played"]) {
  const others = taken.filter((hero) => hero.played === played).map(({ hero_id }) => hero_id);
  const rows = snapshot.select<{ hero_id: number; other_hero_id: number; increase_win_rate: number }>(POINTS, {
    ...{ rank: values.rank ?? "", type: matchTypeOf(played), others: toJson(others) },
  });
  return new Map(rows.map((row) => [`${row.hero_id} ${row.other_hero_id}`, row.increase_win_rate]));
}
