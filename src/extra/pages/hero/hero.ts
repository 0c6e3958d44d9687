import { TREND_WINDOWS } from "../../../api/enumerations.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { daysChoice, type Facts, rankChoice, stateWords, withState } from "../facts.ts";
import { factList, nameIn, textIn } from "../format.ts";
import { calledIn, heroName, portrait } from "../hero-link.ts";
import { type Html, html, joinPieces } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import type { PageReport } from "../report.ts";
import { sourceLinks } from "../source-links.ts";
import { builds, laneRates } from "./builds.ts";
import { glance, onward, readStanding, type Standing } from "./glance.ts";
import { extremes, matchups, type Pairing, pairings, readPairings, relations } from "./pairings.ts";
import { type NamedRate, rates, ratesReport, readDays, type TrendDay, trend } from "./rates.ts";
import { combos, skills } from "./skills.ts";

interface HeroRow {
  hero_id: number;
  story: string | null;
  tale: string | null;
  durability: number | null;
  offense: number | null;
  ability_effects: number | null;
  difficulty: number | null;
}

const HERO_ROW = `
  SELECT hero_id, local.story, local.tale, durability, offense, ability_effects, difficulty
  FROM hero LEFT JOIN (SELECT * FROM hero_text WHERE lang = @lang) AS local USING (hero_id) WHERE hero_id = @id`;

const titlesOf = (what: "role" | "lane") => `
  SELECT coalesce(title, hero_${what}.${what}) AS word
  FROM hero_${what} LEFT JOIN ${what}_text AS local ON local.${what} = hero_${what}.${what} AND local.lang = @lang
  WHERE hero_id = @id ORDER BY position`;

const [ROLES, LANES] = [titlesOf("role"), titlesOf("lane")];

const SPECIALITIES =
  "SELECT speciality AS word FROM hero_speciality WHERE hero_id = @id AND lang = @lang ORDER BY position";

const EXISTS = "SELECT 1 FROM hero WHERE hero_id = @id";

const choicesOf = (facts: Facts) => [rankChoice(facts), daysChoice(facts)];

export const HERO: PageEntry = {
  route: "/heroes/{id}",
  summary: "One hero: texts, roles, lanes, rates, trend, opponents and team mates, skills, combos and builds",
  choices: choicesOf,
  shows: [
    ...(["heroes", "hero", "positions", "relations", "rank", "trends", "counters", "compatibility"] as const),
    ...(["academy-counters", "teammates", "skill-combos", "builds", "timeline"] as const),
  ],
  tellsFile: true,
  csvLink: ({ heroes }) => heroes.hero.ratesAsCsv,
  scripts: ["chart"],
  csv: ratesReport,
  exists: ({ snapshot }, id) => snapshot.select(EXISTS, { id }).length > 0,
  render(context, id) {
    const { snapshot, facts, lang, messages } = context;
    const { hero: words } = messages.heroes;
    const [hero] = snapshot.select<HeroRow>(HERO_ROW, { id, lang }) as [HeroRow];
    const standing = readStanding(context, id);
    const read = { rates: ratesReport(context, id), days: readDays(context, id), pairings: readPairings(context, id) };
    const columns = columnsOf(context, hero, read).map((sections) => sections.filter(({ body }) => body !== undefined));
    const title = withState(messages, calledIn(id, context), stateWords(context));
    return {
      title,
      hasNoRows: read.rates.rows.length === 0,
      ...(standing && { description: withState(messages, title, describeStanding(standing, context)) }),
      main: html`<div class="head">${portrait(id, context, "large")}<h1>${heroName(id, context)}${
        facts.roster.get(id)?.lang !== lang && html` <small>(${words.noName})</small>`
      }</h1></div>
${choiceForm(context, choicesOf(facts))}
${glance(context, standing, read)}
${extremes(context, read.pairings)}
<nav aria-label="${messages.heroes.glance.onThisPage}"><ul class="chips">${columns.flat().map(({ id, head }) => html`<li><a href="#${id}">${head}</a></li>`)}</ul></nav>
${onward(context, id)}
<div class="columns">${columns.map(
        (sections) =>
          html`<div>${sections.map(({ id, head, body }) => html`<section><h2 id="${id}">${head}</h2>${body}</section>`)}</div>`,
      )}</div>
${sources(context, id)}`,
    };
  },
};

/** The figures that several parts of the page show. */
interface HeroFigures {
  rates: PageReport<NamedRate>;
  days: readonly TrendDay[];
  pairings: readonly Pairing[];
}

interface Section {
  /** The anchor of links to it. */
  id: string;
  head: string;
  /** Undefined if the snapshot has nothing of it. */
  body: Html | undefined;
}

/** Lays out the sections in two columns: side by side if there is room, else one below the other. */
function columnsOf(context: PageContext, hero: HeroRow, read: HeroFigures): Section[][] {
  const { sections: heads } = context.messages.heroes.hero;
  return [
    [
      {
        id: "opponents",
        head: heads.opponents,
        body: html`${pairings(context, hero.hero_id, read.pairings)}${matchups(context, hero.hero_id)}`,
      },
      { id: "rates", head: heads.rates, body: rates(context, read.rates) },
      { id: "trend", head: heads.trend, body: trend(context, hero.hero_id, read.days) },
    ],
    [
      { id: "builds", head: heads.builds, body: builds(context, hero.hero_id) },
      { id: "minutes", head: heads.minutes, body: laneRates(context, hero.hero_id) },
      { id: "about", head: heads.about, body: about(context, hero) },
      { id: "skills", head: heads.skills, body: skills(context, hero.hero_id) },
      { id: "combos", head: heads.combos, body: combos(context, hero.hero_id) },
      { id: "editors", head: heads.editors, body: relations(context, hero.hero_id) },
    ],
  ];
}

const describeStanding = (
  { win_rate, appearance_rate, ban_rate, place, heroes }: Standing,
  { messages, figures: { writePercent } }: PageContext,
): string => {
  const { hero: words } = messages.heroes;
  return words.standing({
    place: words.placeOf({ place, heroes }),
    win: writePercent(win_rate),
    pick: writePercent(appearance_rate),
    ban: writePercent(ban_rate),
  });
};

function about(context: PageContext, hero: HeroRow): Html {
  const texts = [hero.story, hero.tale].filter((text) => text !== null && text !== "") as string[];
  return html`${factsOfHero(context, hero)}
${texts.map((text) => textIn(context.lang, text))}`;
}

function factsOfHero({ snapshot, lang, messages }: PageContext, hero: HeroRow): Html {
  const { hero: said, strengths } = messages.heroes;
  const given = { id: hero.hero_id, lang };
  const words = (sql: string) => snapshot.select<{ word: string }>(sql, given).map(({ word }) => nameIn(lang, word));
  const marks = [
    [strengths.durability, hero.durability],
    [strengths.offense, hero.offense],
    [strengths.abilityEffects, hero.ability_effects],
    [strengths.difficulty, hero.difficulty],
  ] as const;
  const rows: [string, Html[]][] = [
    [said.roles, words(ROLES)],
    [said.lanes, words(LANES)],
    [said.goodAt, words(SPECIALITIES)],
    ...marks.map(([name, mark]): [string, Html[]] => [name, mark === null ? [] : [html`${said.ofHundred({ mark })}`]]),
  ];
  const known = rows.filter(([, words]) => words.length > 0);
  return factList(known.map(([name, words]) => [name, joinPieces(words, messages.frame.comma)]));
}

function sources(context: PageContext, hero: number): Html {
  const { facts, messages } = context;
  const pastDays = TREND_WINDOWS.findLast((window) => facts.windows.some(({ value }) => value === window));
  const { hero: words } = messages.heroes;
  return sourceLinks(context, [
    { dataset: "hero", hero, text: words.asJson },
    { dataset: "counters", hero, text: words.opponents },
    { dataset: "compatibility", hero, text: words.teamMates },
    { dataset: "academy-counters", hero, text: words.againstEvery },
    { dataset: "teammates", hero, text: words.withEvery },
    ...(pastDays === undefined ? [] : [{ dataset: "trends", hero, days: pastDays, text: words.trend } as const]),
    { dataset: "skill-combos", hero, text: words.sections.combos },
    { dataset: "relations", hero, text: words.relations },
    { dataset: "lane", hero, text: words.lanes },
  ]);
}
