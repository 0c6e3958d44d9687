import { scatter } from "../charts/scatter.ts";
import { type DotKind, dotShape, shapeKey } from "../charts/shapes.ts";
import { addressOn } from "../facts.ts";
import { MOST_CHARS, nameIn } from "../format.ts";
import { calledIn, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

interface DrawnHero extends NamedHero {
  win_rate: number;
  ban_rate: number;
  appearance_rate: number;
}

// The first role of each hero, and its word in the language of the page.
const FIRST_ROLES = `
  SELECT hero_id, one.role, coalesce(title, one.role) AS word
  FROM hero_role AS one LEFT JOIN role_text AS local ON local.role = one.role AND local.lang = @lang
  WHERE position = (SELECT min(position) FROM hero_role AS other WHERE other.hero_id = one.hero_id)`;

interface FirstRole {
  hero_id: number;
  role: string;
  word: string;
}

/** Win rate against how often a hero is picked, and banned. */
export function scatters(heroes: readonly DrawnHero[], context: PageContext): Html {
  const { snapshot, lang, messages, figures } = context;
  const { tiers, charts: words } = messages.heroes;
  const { winRate, pickRate, banRate } = messages.frame.rates;
  const roles = new Map(snapshot.select<FirstRole>(FIRST_ROLES, { lang }).map((role) => [role.hero_id, role]));
  const shown = heroes.map((hero) => {
    const shape = dotShape(roles.get(hero.hero_id)?.role ?? null);
    const word = shape === "other" ? undefined : roles.get(hero.hero_id)?.word;
    const kind = word === undefined ? words.noRole : capitalise(word, lang);
    return { hero, shape, kind, address: addressOn(context, `/heroes/${hero.hero_id}`) };
  });
  const against = (title: string, xName: string, pick: (hero: DrawnHero) => number) =>
    scatter({
      words,
      figures,
      title,
      xName,
      yName: winRate,
      dots: shown.map(({ hero, ...dot }) => ({ ...dot, name: calledIn(hero), x: pick(hero), y: hero.win_rate })),
    });
  const kinds = new Map(
    shown.map(({ shape, kind }): [string, DotKind] => [
      shape,
      { code: shape, word: shape === "other" ? html`${kind}` : nameIn(lang, kind) },
    ]),
  );
  return html`<details class="drawn"><summary>${tiers.drawn}</summary>${shapeKey(words.firstRole, [...kinds.values()])}<div class="pair">${against(
    tiers.winAndPick,
    pickRate,
    (hero) => hero.appearance_rate,
  )}${against(tiers.winAndBan, banRate, (hero) => hero.ban_rate)}</div></details>`;
}

const capitalise = (word: string, lang: string) =>
  `${word.charAt(0).toLocaleUpperCase(lang)}${word.slice(1, MOST_CHARS.name)}`;
