import { addressOn, EVERY_HERO, type Facts, filterChoices, withState } from "../facts.ts";
import { heroName, portrait } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { labelOf, madeChoices, type Values } from "../query.ts";
import { FORMAT_CHOICE } from "../report.ts";
import { linkedValues } from "./chips.ts";
import { findHero, nearHeroes, searchHeroes } from "./names.ts";
import { HEROES_ROUTE, searchChoice } from "./search-form.ts";

const ownChoices = (facts: Facts) => [searchChoice(facts.messages), ...filterChoices(facts)];

const HEROES = `
  SELECT hero_id, name AS english_name FROM hero
  WHERE (@role = 'all' OR hero_id IN (SELECT hero_id FROM hero_role WHERE role = @role))
    AND (@lane = 'all' OR hero_id IN (SELECT hero_id FROM hero_lane WHERE lane = @lane))`;

interface FoundHero {
  hero_id: number;
  english_name: string;
}

export const HEROES_PAGE: PageEntry = {
  route: HEROES_ROUTE,
  summary: "All heroes, by role and lane; a search by name in every language",
  link: "heroes",
  choices: ownChoices,
  shows: ["heroes", "positions"],
  csvLink: ({ frame }) => frame.search.asCsv,
  csv: (context) => ({ csv: ["hero_id", "hero", "english_name"], rows: readHeroes(context) }),
  leadsTo(context) {
    const hero = onlyHeroOf(context);
    return hero === undefined ? undefined : addressOn(context, `${HEROES_ROUTE}/${hero}`);
  },
  render(context) {
    const { values, facts, messages } = context;
    const { search: words } = messages.frame;
    const { q = "" } = values;
    const filters = madeChoices(filterChoices(facts), values).map((choice) => labelOf(choice, values));
    const state = [...(q === "" ? [] : [q]), ...filters].join(messages.frame.comma);
    const heroes = readHeroes(context);
    return {
      title: withState(messages, words.heading, state),
      hasNoRows: heroes.length === 0,
      main: html`<h1>${words.heading}</h1>
${q !== "" && html`<p>${words.namesWith({ text: html`<bdi>${q}</bdi>` })} · <a href="${addressWith(context, { q: "" })}">${words.showAll}</a></p>`}
${filterChoices(facts).map((choice) => linkedValues(choice, values, (changed) => addressWith(context, changed)))}
${
  heroes.length > 0
    ? portraits(
        context,
        heroes.map(({ hero_id }) => hero_id),
      )
    : nothingFound(context)
}`,
    };
  },
};

const addressWith = (context: PageContext, changed: Values): string =>
  addressOn(context, HEROES_ROUTE, ownChoices(context.facts), changed);

/** The hero that a search means; undefined if there are several, or other filters to see the result of. */
function onlyHeroOf({ snapshot, facts, lang, values }: PageContext): number | undefined {
  const { q = "" } = values;
  const others = madeChoices([...filterChoices(facts), FORMAT_CHOICE], values);
  if (q === "" || others.length > 0) return undefined;
  const meant = findHero(snapshot, lang, q);
  if (meant !== undefined) return meant;
  const found = searchHeroes(snapshot, lang, q);
  return found.length === 1 ? found[0]?.id : undefined;
}

/** Reads the heroes in the order of the language's alphabet. */
function readHeroes({ snapshot, facts, lang, values }: PageContext): FoundHero[] {
  const { role = "", lane = "", q = "" } = values;
  const listed = new Map(snapshot.select<FoundHero>(HEROES, { role, lane }).map((hero) => [hero.hero_id, hero]));
  const found = q === "" ? undefined : new Set(searchHeroes(snapshot, lang, q).map(({ id }) => id));
  return [...facts.roster.keys()].flatMap((id) => ((found?.has(id) ?? true) && listed.get(id)) || []);
}

/** A grid: a face is found faster than a name. */
const portraits = (context: PageContext, ids: readonly number[]): Html =>
  html`<ul class="portraits">${ids.map(
    (id) =>
      html`<li><a href="${addressOn(context, `${HEROES_ROUTE}/${id}`)}">${portrait(id, context)}${heroName(id, context)}</a></li>
`,
  )}</ul>`;

function nothingFound(context: PageContext): Html {
  const { q = "", role, lane } = context.values;
  const { heroes, frame } = context.messages;
  if (role !== EVERY_HERO.role || lane !== EVERY_HERO.lane) return html`<p>${heroes.noHero}</p>`;
  return html`<p>${frame.search.noName}</p>${likeHeroes(context, q)}`;
}

/** The heroes with names like a text, if there are any. */
export function likeHeroes(context: PageContext, text: string): Html | undefined {
  const { snapshot, lang } = context;
  const near = nearHeroes(snapshot, lang, text).map(({ id }) => id);
  return near.length > 0
    ? html`<h2>${context.messages.frame.search.didYouMean}</h2>${portraits(context, near)}`
    : undefined;
}
