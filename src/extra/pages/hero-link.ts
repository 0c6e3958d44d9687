import { addressOn } from "./facts.ts";
import { nameIn } from "./format.ts";
import { type Html, html } from "./html.ts";
import type { PageContext } from "./page.ts";

/** Returns the name of a hero in the language of names, or in English if that has none. */
export const calledIn = (id: number, { facts }: PageContext): string => facts.roster.get(id)?.name ?? `${id}`;

export function heroName(id: number, { facts }: PageContext): Html {
  const hero = facts.roster.get(id);
  return hero ? nameIn(hero.lang, hero.name) : html`${id}`;
}

/** Portrait and name, with a link to its page. */
export const heroLink = (id: number, context: PageContext): Html =>
  html`<span class="hero">${portrait(id, context)}<a href="${addressOn(context, `/heroes/${id}`)}">${heroName(id, context)}</a></span>`;

/** The picture lies on a foreign host and may fail: behind it are the initials, which say nothing that the name does not. */
export function portrait(id: number, context: PageContext, size?: "large"): Html {
  const url = context.pictures ? pictureUrl(context.facts.roster.get(id)?.headUrl) : undefined;
  const initials = [...calledIn(id, context)].slice(0, 2).join("");
  return html`<span class="portrait${size && ` ${size}`}" aria-hidden="true"><span>${initials}</span>${
    url && html`<img src="${url}" alt="" loading="lazy" referrerpolicy="no-referrer">`
  }</span>`;
}

const MOST_URL_CHARS = 500;

/** Returns the address of a picture, only over HTTPS, as the policy of the pages allows. */
function pictureUrl(url: string | null | undefined): string | undefined {
  if (!url || url.length > MOST_URL_CHARS || !URL.canParse(url)) return undefined;
  return new URL(url).protocol === "https:" ? url : undefined;
}
