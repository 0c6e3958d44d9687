import { type Facts, rankChoice } from "../facts.ts";
import { nameIn, points } from "../format.ts";
import { HERO_TEXT, heroLink, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { CsvTable, PageContext } from "../page.ts";
import type { Choice } from "../query.ts";
import type { Matchup, Mover, NightChanges } from "./read.ts";
import { percentSides, pointSides, section } from "./rows.ts";

const EVERY = "every";

/** The choice of a rank with rates, or of every rank. */
export const moversOfRank = (facts: Facts): Choice => ({
  ...rankChoice(facts),
  options: [{ value: EVERY, label: "Every rank" }, ...rankChoice(facts).options],
  fallback: EVERY,
});

const isOfRank = ({ values: { rank } }: PageContext, entry: { rank: string }) => rank === EVERY || entry.rank === rank;

const RATE_NAMES = { win_rate: "Win rate", appearance_rate: "Pick rate", ban_rate: "Ban rate" };

/** One mover of each hero, rank and rate: that of the window in which it stands out most, which is the first. */
function biggest({ rates: { movers } }: NightChanges, context: PageContext): Mover[] {
  const ofRank = movers.filter((mover) => isOfRank(context, mover));
  const groups = Map.groupBy(ofRank, ({ hero_id, rank, rate }) => `${hero_id} ${rank} ${rate}`);
  return [...groups.values()]
    .flatMap(([first]) => first ?? [])
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.hero_id - b.hero_id);
}

const HEROES = `
  SELECT ${NAMED_HERO} FROM hero ${HERO_TEXT}`;

/** A hero that this snapshot has not is shown by the name that the night had. */
function linkHeroes(context: PageContext) {
  const heroes = new Map(
    context.snapshot.select<NamedHero>(HEROES, { lang: context.lang }).map((hero) => [hero.hero_id, hero]),
  );
  return (id: number, name: string) => {
    const hero = heroes.get(id);
    return hero ? heroLink(hero, context) : nameIn("en", name);
  };
}

export function movers(changes: NightChanges, context: PageContext): Html {
  const biggestMovers = biggest(changes, context);
  const link = linkHeroes(context);
  const numbers = ["Days", "Before", "After", "Points", "Apart", "Deviations"];
  const shown = section(
    "Movers",
    "The biggest change first",
    [{ head: "Hero" }, { head: "Rank" }, { head: "Rate" }, ...numbers.map((head) => ({ head, number: true }))],
    biggestMovers.map((mover) => [
      link(mover.hero_id, mover.name),
      rankName(context, mover.rank),
      RATE_NAMES[mover.rate],
      mover.days,
      ...percentSides(mover.before, mover.after),
      points(mover.change),
      points(mover.apart),
      mover.score === null ? "–" : Math.abs(mover.score).toFixed(1),
    ]),
    html`<p>Rates that moved away from those of the other heroes in their rank and window, by four deviations or more. Apart is the distance from the others, in percentage points. A rate that stands out in several windows is shown in the window in which it stands out most.</p>`,
  );
  return (
    shown ??
    html`<h2>Movers</h2><p>No rate moved beyond the noise${context.values.rank !== EVERY && " in this rank"}.</p>`
  );
}

const rankName = ({ facts }: PageContext, rank: string) =>
  facts.ranks.find(({ value }) => value === rank)?.label ?? nameIn("en", rank);

export function movedMatchups({ matchups: { matchups } }: NightChanges, context: PageContext): Html | undefined {
  const link = linkHeroes(context);
  const moved = matchups
    .filter((matchup) => isOfRank(context, matchup))
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.hero_id - b.hero_id);
  return section(
    "Opponents and team mates",
    "The biggest change first",
    [
      { head: "Hero" },
      { head: "Other" },
      { head: "Rank" },
      ...["Days", "Before", "After", "Points"].map((head) => ({ head, number: true })),
    ],
    moved.map((matchup) => [
      link(matchup.hero_id, matchup.name),
      html`${matchup.source === "counters" ? "against" : "with"} ${nameIn("en", matchup.other)}`,
      rankName(context, matchup.rank),
      matchup.days === 0 ? "–" : matchup.days,
      ...pointSides(matchup.before, matchup.after),
      pointsAtLeast(matchup),
    ]),
    html`<p>How much better (+) or worse (−) the hero does against or with the other. The upstream lists only the five best and the five worst, so for a pair that came or went only the least possible change is known.</p>`,
  );
}

const pointsAtLeast = ({ before, after, change }: Matchup) =>
  html`${(before === null || after === null) && "at least "}${points(change)}`;

export const csvOfMovers = (changes: NightChanges, context: PageContext): CsvTable => ({
  columns: ["hero_id", "name", "rank", "days", "rate", "before", "after", "change", "apart", "score"],
  rows: biggest(changes, context).map((mover) => [
    mover.hero_id,
    mover.name,
    mover.rank,
    mover.days,
    mover.rate,
    mover.before,
    mover.after,
    mover.change,
    mover.apart,
    mover.score,
  ]),
});
