import { nameIn } from "../format.ts";
import { HERO_TEXT, heroLink, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import type { Html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Messages } from "../words/messages.ts";
import type { NightChanges } from "./read.ts";
import { type NewsSection, newsTable, numberColumn } from "./sections.ts";

const HEROES = `
  SELECT ${NAMED_HERO} FROM hero ${HERO_TEXT}`;

/** Names a hero in the language of the page, with a link to its page. */
export type NameHero = (id: number, english: string) => Html;

/** A hero that this snapshot has not is shown by the name that the night had. */
export function linkHeroes(context: PageContext, pictures = context.pictures): NameHero {
  const rows = context.snapshot.select<NamedHero>(HEROES, { lang: context.lang });
  const heroes = new Map(rows.map((hero) => [hero.hero_id, hero]));
  return (id, english) => {
    const hero = heroes.get(id);
    return hero ? heroLink(hero, { ...context, pictures }) : nameIn("en", english);
  };
}

export function newHeroes(
  { heroes: { added, gone } }: NightChanges,
  link: NameHero,
  words: Messages["mirror"]["changes"],
): NewsSection | undefined {
  const line = (what: string) => (hero: { hero_id: number; name: string }) => [
    link(hero.hero_id, hero.name),
    what,
    String(hero.hero_id),
  ];
  return newsTable({
    id: "heroes",
    head: words.newHeroes,
    caption: words.newHeroesCaption,
    columns: [{ head: words.hero }, { head: words.whatHappened }, numberColumn(words.id)],
    rows: [...added.map(line(words.new)), ...gone.map(line(words.gone))],
    words,
  });
}
