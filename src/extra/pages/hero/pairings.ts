import { addressOn } from "../facts.ts";
import { isNoPoint, table, textIn } from "../format.ts";
import { HERO_TEXT, heroLink, heroName, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

export interface Pairing extends NamedHero {
  source: string;
  side: string;
  increase_win_rate: number;
  other_win_rate: number | null;
}

const PAIRINGS = `
  SELECT ${NAMED_HERO}, pairing.source, pairing.side, pairing.increase_win_rate, pairing.other_win_rate
  FROM hero_pairing AS pairing JOIN hero ON hero.hero_id = pairing.other_hero_id ${HERO_TEXT}
  WHERE pairing.source IN ('counters', 'compatibility') AND pairing.hero_id = @id AND pairing.rank = @rank AND pairing.days = @days
  ORDER BY pairing.source, pairing.side, pairing.position`;

/** What the upstream lists in the rank and window of the page. */
export const readPairings = ({ snapshot, values, lang }: PageContext, id: number): Pairing[] =>
  snapshot.select<Pairing>(PAIRINGS, { id, lang, rank: values.rank ?? "", days: Number(values.days) });

/** The head of a column says whose points it has, so that nobody needs to know which way round a sign is meant. */
export function pairings(context: PageContext, hero: NamedHero, all: readonly Pairing[]): Html {
  const of = (source: string) => all.filter((pairing) => pairing.source === source);
  const name = heroName(hero, context.lang);
  const { heroes, pairs } = context.messages;
  const { pointsAgainst, pointsWith } = heroes.extremes;
  const { hero: words } = heroes;
  return html`<p>${pairs.points}</p>
<div class="pair"><div><h3>${words.opponents}</h3>${pairingTable(words.bestAndWorstAgainst, of("counters"), context, pointsAgainst({ hero: name }))}</div>
<div><h3>${words.teamMates}</h3>${pairingTable(words.bestAndWorstWith, of("compatibility"), context, pointsWith({ hero: name }))}</div></div>`;
}

function pairingTable(caption: string, listed: readonly Pairing[], context: PageContext, pointsOf: Html): Html {
  const { heroes, frame } = context.messages;
  const { percent, points } = context.figures;
  if (listed.length === 0) return html`<p>${heroes.hero.noList}</p>`;
  return table(
    caption,
    [{ head: frame.choices.hero }, { head: pointsOf, number: true }, { head: heroes.hero.itsOwnWinRate, number: true }],
    listed.map((pairing) => [
      heroLink(pairing, context),
      html`<span class="${pairing.increase_win_rate < 0 ? "down" : "up"}">${points(pairing.increase_win_rate)}</span>`,
      percent(pairing.other_win_rate),
    ]),
  );
}

interface Matchup extends NamedHero {
  against: number | null;
  beside: number | null;
}

const MATCHUPS = `
  SELECT ${NAMED_HERO},
         max(increase_win_rate) FILTER (WHERE match_type = 0) AS against, max(increase_win_rate) FILTER (WHERE match_type = 1) AS beside
  FROM hero_matchup AS matchup JOIN hero ON hero.hero_id = matchup.other_hero_id ${HERO_TEXT}
  WHERE matchup.hero_id = @id AND matchup.rank = @rank GROUP BY hero.hero_id ORDER BY against DESC, hero.hero_id`;

/** Every other hero, from the matrix, whose window the upstream does not state. */
export function matchups(context: PageContext, hero: NamedHero): Html | undefined {
  const { snapshot, values, lang } = context;
  const listed = snapshot.select<Matchup>(MATCHUPS, { id: hero.hero_id, lang, rank: values.rank ?? "" });
  if (listed.length === 0) return undefined;
  const name = heroName(hero, lang);
  const { heroes, frame } = context.messages;
  const { points } = context.figures;
  const { pointsAgainst, pointsWith } = heroes.extremes;
  const shown = table(
    heroes.hero.everyCaption,
    [
      { head: frame.choices.hero },
      { head: pointsAgainst({ hero: name }), number: true },
      { head: pointsWith({ hero: name }), number: true },
    ],
    listed.map((matchup) => [
      heroLink(matchup, { ...context, pictures: false }),
      points(matchup.against),
      points(matchup.beside),
    ]),
  );
  return html`<details><summary>${heroes.hero.every}</summary>${shown}</details>`;
}

interface Relation extends NamedHero {
  kind: "assist" | "strong" | "weak";
}

const RELATIONS = `
  SELECT ${NAMED_HERO}, relation.kind
  FROM hero_relation AS relation JOIN hero ON hero.hero_id = relation.target_hero_id ${HERO_TEXT}
  WHERE relation.hero_id = @id ORDER BY relation.kind, relation.position`;

const WORDS = "SELECT kind, description FROM hero_relation_text WHERE hero_id = @id AND lang = @lang";

/** The relations that the upstream's editors state; they do not come from matches. */
export function relations(context: PageContext, hero: NamedHero): Html | undefined {
  const { snapshot, lang, messages } = context;
  const given = { id: hero.hero_id, lang };
  const words = new Map(
    snapshot
      .select<{ kind: string; description: string }>(WORDS, given)
      .map(({ kind, description }) => [kind, description]),
  );
  const groups = Map.groupBy(snapshot.select<Relation>(RELATIONS, given), ({ kind }) => kind);
  if (groups.size === 0) return undefined;
  const name = heroName(hero, lang);
  const { hero: said } = messages.heroes;
  const heads = { strong: said.strongAgainst, weak: said.weakAgainst, assist: said.goesWellWith };
  return html`${[...groups].map(
    ([kind, others]) => html`<h3>${heads[kind]({ hero: name })}</h3>
<ul class="links">${others.map((other) => html`<li>${heroLink(other, context)}</li>`)}</ul>${textOf(words.get(kind), context)}`,
  )}`;
}

const textOf = (text: string | undefined, { lang }: PageContext) => text !== undefined && textIn(lang, text);

/** Of each kind so many are named at once; the section below has all that the upstream lists. */
const MOST_NAMED = 3;

/** What a hero does best and worst against and with, in a few names; undefined if nothing is listed. */
export function extremes(context: PageContext, pairings: readonly Pairing[]): Html | undefined {
  if (pairings.length === 0) return undefined;
  const { extremes: words } = context.messages.heroes;
  const [against, beside] = ["counters", "compatibility"].map((from) =>
    pairings.filter(({ source }) => source === from),
  );
  const groups = [
    [words.betterAgainst, firstOf(against, 1)],
    [words.worseAgainst, firstOf(against, -1)],
    [words.betterWith, firstOf(beside, 1)],
    [words.worseWith, firstOf(beside, -1)],
  ] as const;
  return html`<dl class="extremes" aria-label="${words.label}">${groups.map(
    ([name, named]) =>
      html`<div><dt>${name}</dt>${named.length === 0 ? html`<dd>–</dd>` : named.map((pairing) => line(pairing, context))}</div>`,
  )}</dl>`;
}

/** The furthest from what is expected in one direction, as far as written points go. */
const firstOf = (pairings: readonly Pairing[] = [], sign: 1 | -1): Pairing[] =>
  pairings
    .filter(({ increase_win_rate: by }) => sign * by > 0 && !isNoPoint(by))
    .sort((a, b) => sign * (b.increase_win_rate - a.increase_win_rate))
    .slice(0, MOST_NAMED);

const line = (pairing: Pairing, context: PageContext): Html =>
  html`<dd><a href="${addressOn(context, `/heroes/${pairing.hero_id}`)}">${heroName(pairing, context.lang)}</a> <span class="${pairing.increase_win_rate < 0 ? "down" : "up"}">${context.figures.points(pairing.increase_win_rate)}</span></dd>`;
