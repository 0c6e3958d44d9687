import { addressOn } from "../facts.ts";
import { isNoPoint, textIn } from "../format.ts";
import { heroLink, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, inColour, showTable } from "../report.ts";

export interface Pairing {
  /** The other hero. */
  hero_id: number;
  source: string;
  side: string;
  increase_win_rate: number;
  other_win_rate: number | null;
}

const PAIRINGS = `
  SELECT hero.hero_id, pairing.source, pairing.side, pairing.increase_win_rate, pairing.other_win_rate
  FROM hero_pairing AS pairing JOIN hero ON hero.hero_id = pairing.other_hero_id
  WHERE pairing.source IN ('counters', 'compatibility') AND pairing.hero_id = @id AND pairing.rank = @rank AND pairing.days = @days
  ORDER BY pairing.source, pairing.side, pairing.position`;

/** Reads the pairings that the upstream lists in the rank and window of the page. */
export const readPairings = ({ snapshot, values }: PageContext, id: number): Pairing[] =>
  snapshot.select<Pairing>(PAIRINGS, { id, rank: values.rank ?? "", days: Number(values.days) });

/** The head of a column says whose points it has, so that nobody needs to know which way round a sign is meant. */
export function pairings(context: PageContext, id: number, all: readonly Pairing[]): Html {
  const { heroes, pairs, frame } = context.messages;
  const { extremes, hero: words } = heroes;
  const named = { hero: heroName(id, context) };
  const shown = (source: string, caption: string, pointsOf: Html) => {
    const rows = all.filter((pairing) => pairing.source === source);
    if (rows.length === 0) return html`<p>${words.noList}</p>`;
    const columns = [
      column.hero("hero_id", frame.choices.hero),
      column.gain("increase_win_rate", pointsOf),
      column.share("other_win_rate", words.itsOwnWinRate),
    ];
    return showTable(context, { caption, columns, rows });
  };
  return html`<p>${pairs.points}</p>
<div class="pair"><div><h3>${words.opponents}</h3>${shown("counters", words.bestAndWorstAgainst, extremes.pointsAgainst(named))}</div>
<div><h3>${words.teamMates}</h3>${shown("compatibility", words.bestAndWorstWith, extremes.pointsWith(named))}</div></div>`;
}

interface Matchup {
  hero_id: number;
  against: number | null;
  beside: number | null;
}

const MATCHUPS = `
  SELECT other_hero_id AS hero_id,
         max(increase_win_rate) FILTER (WHERE played = 'against') AS against, max(increase_win_rate) FILTER (WHERE played = 'with') AS beside
  FROM matchup_list WHERE hero_id = @id AND rank = @rank GROUP BY other_hero_id ORDER BY against DESC, other_hero_id`;

/** Every other hero, from the matrix, whose window the upstream does not state. */
export function matchups(context: PageContext, id: number): Html | undefined {
  const { snapshot, values, messages } = context;
  const rows = snapshot.select<Matchup>(MATCHUPS, { id, rank: values.rank ?? "" });
  if (rows.length === 0) return undefined;
  const named = { hero: heroName(id, context) };
  const { extremes, hero: words } = messages.heroes;
  const columns = [
    column.plainHero("hero_id", messages.frame.choices.hero),
    column.points("against", extremes.pointsAgainst(named)),
    column.points("beside", extremes.pointsWith(named)),
  ];
  return html`<details><summary>${words.every}</summary>${showTable(context, { caption: words.everyCaption, columns, rows })}</details>`;
}

interface Relation {
  hero_id: number;
  kind: "assist" | "strong" | "weak";
}

const RELATIONS = `
  SELECT hero.hero_id, relation.kind
  FROM hero_relation AS relation JOIN hero ON hero.hero_id = relation.target_hero_id
  WHERE relation.hero_id = @id ORDER BY relation.kind, relation.position`;

const WORDS = "SELECT kind, description FROM hero_relation_text WHERE hero_id = @id AND lang = @lang";

/** The relations that the upstream's editors state; they do not come from matches. */
export function relations(context: PageContext, id: number): Html | undefined {
  const { snapshot, lang, messages } = context;
  const texts = snapshot.select<{ kind: string; description: string }>(WORDS, { id, lang });
  const words = new Map(texts.map(({ kind, description }) => [kind, textIn(lang, description)]));
  const groups = Map.groupBy(snapshot.select<Relation>(RELATIONS, { id }), ({ kind }) => kind);
  if (groups.size === 0) return undefined;
  const named = { hero: heroName(id, context) };
  const { hero: said } = messages.heroes;
  const heads = { strong: said.strongAgainst, weak: said.weakAgainst, assist: said.goesWellWith };
  return html`${[...groups].map(
    ([kind, others]) => html`<h3>${heads[kind](named)}</h3>
<ul class="links">${others.map((other) => html`<li>${heroLink(other.hero_id, context)}</li>`)}</ul>${words.get(kind)}`,
  )}`;
}

/** So many of each kind are named at once; the section below has all that the upstream lists. */
const MOST_NAMED = 3;

/** Names the heroes that a hero does best and worst against and with; undefined if nothing is listed. */
export function extremes(context: PageContext, pairings: readonly Pairing[]): Html | undefined {
  if (pairings.length === 0) return undefined;
  const { extremes: words } = context.messages.heroes;
  const groups = [
    [words.betterAgainst, "counters", 1],
    [words.worseAgainst, "counters", -1],
    [words.betterWith, "compatibility", 1],
    [words.worseWith, "compatibility", -1],
  ] as const;
  return html`<dl class="extremes" aria-label="${words.label}">${groups.map(([name, from, sign]) => {
    const named = firstOf(
      pairings.filter(({ source }) => source === from),
      sign,
    );
    return html`<div><dt>${name}</dt>${named.length === 0 ? html`<dd>–</dd>` : named.map((pairing) => line(pairing, context))}</div>`;
  })}</dl>`;
}

/** The furthest from what is expected in one direction, as far as written points go. */
const firstOf = (pairings: readonly Pairing[], sign: 1 | -1): Pairing[] =>
  pairings
    .filter(({ increase_win_rate: by }) => sign * by > 0 && !isNoPoint(by))
    .sort((a, b) => sign * (b.increase_win_rate - a.increase_win_rate))
    .slice(0, MOST_NAMED);

const line = ({ hero_id, increase_win_rate: by }: Pairing, context: PageContext): Html =>
  html`<dd><a href="${addressOn(context, `/heroes/${hero_id}`)}">${heroName(hero_id, context)}</a> ${inColour(by, context.figures.points(by))}</dd>`;
