import { daysChoice, type Facts, rankChoice } from "../facts.ts";
import { jsonLinks, nameIn, textIn } from "../format.ts";
import { HERO_TEXT, heroName, languageOfName, NAMED_HERO, type NamedHero, portrait } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { choiceForm } from "../query.ts";

import { builds, laneRates } from "./builds.ts";
import { matchups, pairings, relations } from "./pairings.ts";
import { csvOfRates, rates } from "./rates.ts";
import { combos, skills } from "./skills.ts";
import { trend } from "./trend.ts";

interface HeroRow extends NamedHero {
  story: string | null;
  tale: string | null;
  durability: number | null;
  offense: number | null;
  ability_effects: number | null;
  difficulty: number | null;
}

const HERO_ROW = `
  SELECT ${NAMED_HERO},
         local.story, local.tale, durability, offense, ability_effects, difficulty
  FROM hero ${HERO_TEXT} WHERE hero.hero_id = @id`;

const ROLES = `
  SELECT coalesce(title, role) AS word FROM hero_role LEFT JOIN role_text USING (role)
  WHERE hero_id = @id AND (lang = @lang OR lang IS NULL) ORDER BY position`;

const LANES = `
  SELECT coalesce(title, lane) AS word FROM hero_lane LEFT JOIN lane_text USING (lane)
  WHERE hero_id = @id AND (lang = @lang OR lang IS NULL) ORDER BY position`;

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
  csvOf: "The rates in each rank and window",
  csv: csvOfRates,
  exists: ({ snapshot }, id) => snapshot.select(EXISTS, { id }).length > 0,
  render(context, id) {
    const { snapshot, facts, path, values, lang } = context;
    const [hero] = snapshot.select<HeroRow>(HERO_ROW, { id, lang }) as [HeroRow];
    const texts = [hero.story, hero.tale].filter((text) => text !== null && text !== "") as string[];
    return {
      title: hero.name ?? hero.english,
      main: html`<div class="head">${portrait(hero, context.pictures, "large")}<h1>${heroName(hero, lang)}${
        languageOfName(hero, lang) === "en" && lang !== "en" && html` <small>(no name in this language)</small>`
      }</h1></div>
<dl class="facts">${factsOfHero(context, hero)}</dl>
${texts.map((text) => textIn(lang, text))}
<p><a href="/compare?heroes=${id}">Compare with others</a></p>
${choiceForm(path, choicesOf(facts), values, [facts.langChoice])}
${pairings(context, hero)}
${matchups(context, hero)}
${rates(context, id)}
${trend(context, hero)}
${skills(context, id)}
${combos(context, id)}
${builds(context, id)}
${laneRates(context, id)}
${relations(context, hero)}
${sources(context, id)}`,
    };
  },
};

function factsOfHero({ snapshot, lang }: PageContext, hero: HeroRow): Html {
  const given = { id: hero.hero_id, lang };
  const words = (sql: string) => snapshot.select<{ word: string }>(sql, given).map(({ word }) => nameIn(lang, word));
  const marks = [
    ["Durability", hero.durability],
    ["Offense", hero.offense],
    ["Ability effects", hero.ability_effects],
    ["Difficulty", hero.difficulty],
  ] as const;
  const rows: [string, Html[]][] = [
    ["Roles", words(ROLES)],
    ["Lanes", words(LANES)],
    ["Good at", words(SPECIALITIES)],
    ...marks.map(([name, mark]): [string, Html[]] => [name, mark === null ? [] : [html`${mark} of 100`]]),
  ];
  return html`${rows
    .filter(([, words]) => words.length > 0)
    .map(
      ([name, words]) =>
        html`<dt>${name}</dt><dd>${words.map((word, index) => html`${index > 0 && ", "}${word}`)}</dd>`,
    )}`;
}

function sources({ values: { rank = "", days = "", lang = "" } }: PageContext, id: number): Html {
  const [hero, academy] = [`/api/heroes/${id}`, `/api/academy/heroes/${id}`];
  return jsonLinks([
    { path: `${hero}?lang=${lang}`, text: "This hero as JSON" },
    { path: `${hero}/counters?${new URLSearchParams({ rank, days, lang })}`, text: "Opponents" },
    { path: `${hero}/compatibility?${new URLSearchParams({ rank, days, lang })}`, text: "Team mates" },
    { path: `${academy}/counters?${new URLSearchParams({ rank, lang })}`, text: "Against every hero" },
    { path: `${academy}/teammates?${new URLSearchParams({ rank, lang })}`, text: "With every hero" },
    { path: `${hero}/trends?${new URLSearchParams({ rank, "past-days": "30", lang })}`, text: "Trend" },
    { path: `${hero}/skill-combos?lang=${lang}`, text: "Combos" },
    { path: `${hero}/relations?lang=${lang}`, text: "Relations" },
    { path: `${academy}/lane?lang=${lang}`, text: "Lanes" },
  ]);
}
