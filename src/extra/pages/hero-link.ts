import type { Lang } from "../../api/enumerations.ts";
import { addressOn } from "./facts.ts";
import { nameIn } from "./format.ts";
import { type Html, html } from "./html.ts";
import type { PageContext } from "./page.ts";

/** How a hero is called: in the chosen language, or in English if that language has no name. */
export interface NamedHero {
  hero_id: number;
  english: string;
  name: string | null;
  head_url: string | null;
}

/** The columns of a `NamedHero`, of `hero` joined with `HERO_TEXT`. */
export const NAMED_HERO = "hero.hero_id, hero.name AS english, local.name, hero.head_url";

/** Joins the texts of each row of `hero` in the language `@lang`, as `local`. */
export const HERO_TEXT = "LEFT JOIN hero_text AS local ON local.hero_id = hero.hero_id AND local.lang = @lang";

export const languageOfName = ({ name }: Pick<NamedHero, "name">, lang: Lang): Lang => (name === null ? "en" : lang);

export const calledIn = ({ name, english }: Pick<NamedHero, "name" | "english">): string => name ?? english;

/** The order of names in the alphabet of a language; heroes with the same name by their ids. */
export function byNameIn(lang: Lang): (a: NamedHero, b: NamedHero) => number {
  const { compare } = new Intl.Collator(lang);
  return (a, b) => compare(calledIn(a), calledIn(b)) || a.hero_id - b.hero_id;
}

export const heroName = (hero: NamedHero, lang: Lang): Html => nameIn(languageOfName(hero, lang), calledIn(hero));

/** Portrait and name, with a link to its page. */
export function heroLink(hero: NamedHero, context: PageContext): Html {
  const { lang, pictures } = context;
  const address = addressOn(context, `/heroes/${hero.hero_id}`);
  return html`<span class="hero">${portrait(hero, pictures)}<a href="${address}">${heroName(hero, lang)}</a></span>`;
}

/** The picture lies on a foreign host and may fail: behind it are the initials, which say nothing that the name does not. */
export function portrait(hero: NamedHero, pictures: boolean, size?: "large"): Html {
  const url = pictures ? pictureUrl(hero.head_url) : undefined;
  const initials = [...calledIn(hero)].slice(0, 2).join("");
  return html`<span class="portrait${size && ` ${size}`}" aria-hidden="true"><span>${initials}</span>${
    url && html`<img src="${url}" alt="" loading="lazy" referrerpolicy="no-referrer">`
  }</span>`;
}

const MOST_URL_CHARS = 500;

/** Only over HTTPS, as the policy of the pages allows. */
function pictureUrl(url: string | null): string | undefined {
  if (url === null || url.length > MOST_URL_CHARS || !URL.canParse(url)) return undefined;
  return new URL(url).protocol === "https:" ? url : undefined;
}
