import { BASE_LANG } from "../../../api/enumerations.ts";
import type { RefusedRequest } from "../../../snapshot/read/shown.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { addressOn, carriedChoices, factsOf, langOf } from "../facts.ts";
import { type FrameLink, frame } from "../frame.ts";
import { likeHeroes } from "../heroes/heroes.ts";
import { HEROES_ROUTE } from "../heroes/search-form.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { readQuery } from "../query.ts";
import type { Messages } from "../words/messages.ts";
import { messagesIn } from "../words/words.ts";
import { STYLE_LINK } from "./head-links.ts";

interface Told {
  title: string;
  main: Html;
}

/** A whole document: with menu and search, or bare if the mirror itself is at fault. */
export function writeErrorPage(
  refused: RefusedRequest,
  linksIn: (messages: Messages) => readonly FrameLink[],
  pictures: boolean,
): string {
  const { snapshot, status } = refused;
  if (!snapshot || status >= 500) return bare(tellError(refused, messagesIn(BASE_LANG))).text;
  const context = contextOf(refused, snapshot, pictures);
  const { title, main } = tellError(refused, context.messages, context);
  const around = { links: linksIn(context.messages), choices: carriedChoices(context.facts), values: context.values };
  return frame(context, { title, description: title, main }, { ...AROUND, ...around });
}

const AROUND = { scripts: [], notes: [], ignored: [], own: [], isEnglish: false, csvLink: undefined };

function contextOf({ pathname, query }: RefusedRequest, snapshot: Snapshot, pictures: boolean): PageContext {
  const lang = langOf(snapshot, query);
  const facts = factsOf(snapshot, lang);
  return {
    snapshot,
    facts,
    messages: facts.messages,
    figures: facts.figures,
    // Two slashes, or one and a backslash, would begin the name of a host.
    path: `/${pathname.replace(/^[/\\]+/, "")}`,
    values: readQuery(carriedChoices(facts), query).values,
    lang,
    pictures,
    publicUrl: undefined,
    published: () => undefined,
    others: { list: () => [], readChanges: () => undefined },
    now: Date.now(),
  };
}

function tellError(
  { status, message, hint, pathname }: RefusedRequest,
  { frame: words }: Messages,
  context?: PageContext,
): Told {
  const { errors, search, navigation } = words;
  const addressFor = (path: string) => (context ? addressOn(context, path) : path);
  const hero = status === 404 ? heroIn(pathname) : undefined;
  if (hero !== undefined)
    return {
      title: search.noHero({ word: hero }),
      main: html`<h1>${search.noHero({ word: hero })}</h1>
${context && likeHeroes(context, hero)}<p><a href="${addressFor(HEROES_ROUTE)}">${search.allHeroes}</a></p>`,
    };
  const texts: Readonly<Record<number, { title: string; told: string }>> = {
    400: { title: errors.badRequest, told: errors.lookAtAddress },
    404: { title: errors.noPage, told: errors.searchOrHome },
    405: { title: errors.onlyRead, told: errors.nothingSent },
  };
  const { title, told } = texts[status] ?? { title: message, told: hint };
  return {
    title,
    main: html`<h1>${title}</h1><p>${told}</p><p><a href="${addressFor("/")}">${navigation.home}</a></p>`,
  };
}

const MOST_NAME_CHARS = 60;

/** Finds the hero that a path names. */
function heroIn(pathname: string): string | undefined {
  const [, escaped] = /^\/heroes\/([^/]+)$/.exec(pathname) ?? [];
  if (escaped === undefined) return undefined;
  try {
    return [...decodeURIComponent(escaped)].slice(0, MOST_NAME_CHARS).join("");
  } catch {
    return undefined;
  }
}

const bare = ({ title, main }: Told): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · metasnap</title>
${STYLE_LINK}
</head>
<body><main>${main}</main></body>
</html>
`;
