import { nameIn } from "../format.ts";
import { heroLink } from "../hero-link.ts";
import type { Html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column } from "../report.ts";
import type { NightChanges } from "./read.ts";
import { type NewsSection, newsTable } from "./sections.ts";

/** Links a hero by its name in the language of the page; a hero that is not in this snapshot is shown by the name in the night's file. */
export const linkHero = (id: number, english: string, context: PageContext): Html =>
  context.facts.roster.has(id) ? heroLink(id, context) : nameIn("en", english);

/** The hero of a row. */
export const changedHero = (head: string) =>
  column.text(
    ({ hero_id, name }: { hero_id: number; name: string }, context) => linkHero(hero_id, name, context),
    head,
  );

export function newHeroes({ heroes: { added, gone } }: NightChanges, context: PageContext): NewsSection | undefined {
  const { changes: words } = context.messages.mirror;
  const told = (what: string) => (hero: (typeof added)[number]) => ({ ...hero, what });
  return newsTable(context, {
    id: "heroes",
    head: words.newHeroes,
    caption: words.newHeroesCaption,
    columns: [changedHero(words.hero), column.text("what", words.whatHappened), column.number("hero_id", words.id)],
    rows: [...added.map(told(words.new)), ...gone.map(told(words.gone))],
  });
}
