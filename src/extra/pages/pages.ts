/**
 * The pages for people, made from the open snapshot.
 *
 * `findPage` is their way: the entry of `list.ts`, the facts of the snapshot in a language (`facts.ts`, read once), the choices of the
 * query (`query.ts`), and a key for the server's cache. Only if nothing is kept under the key, `render` makes the content (`html.ts`) and
 * the frame around it (`frame.ts`).
 *
 * The trap: the key must have all that the page depends on besides the snapshot. A page that tells an age, other nights or its own file
 * says so in its entry (`tellsAge`, `tellsOthers`, `tellsFile`); otherwise the cache keeps an old one.
 */

import { hash } from "node:crypto";
import { BASE_LANG } from "../../api/enumerations.ts";
import { escapeMarkup } from "../../base/markup.ts";
import type {
  FoundPage,
  MovedPage,
  PageRequest,
  Pages,
  PublishedFile,
  PublishedFiles,
} from "../../snapshot/read/shown.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { type Asset, findAsset, TOUCH_ICON } from "./assets.ts";
import { carriedChoices, type Facts, factsOf, langOf } from "./facts.ts";
import { ageOf } from "./figures.ts";
import { type Around, type FrameLink, frame } from "./frame.ts";
import { calledIn } from "./hero-link.ts";
import { describeIgnored, withIgnored } from "./ignored.ts";
import { PAGES } from "./list.ts";
import type { PageContext, PageEntry } from "./page.ts";
import { notesOnData } from "./proof/withheld-table.ts";
import { addressOf, type IgnoredValues, readQuery } from "./query.ts";
import { FORMAT_CHOICE, writeCsv } from "./report.ts";
import { writeErrorPage } from "./site/errors.ts";
import { ASSETS_ROUTE, ICON_ROUTES, ROBOTS_ROUTE, ROUTES_FOR_PEOPLE, SITEMAP_ROUTE } from "./site/routes.ts";
import type { Messages } from "./words/messages.ts";

export interface PagesOptions {
  /** Show the pictures of heroes, which lie on a foreign host. */
  pictures: boolean;
  /** The mirror's public address: the only source of absolute addresses, without a slash at the end. */
  publicUrl?: string | undefined;
}

const linksIn = ({ frame }: Messages): FrameLink[] =>
  PAGES.flatMap(({ route, link }) => (link === undefined ? [] : [{ path: route, text: frame.navigation[link] }]));

export function createPages({ pictures, publicUrl }: PagesOptions): Pages {
  const headersFor = ({ webAssembly = false }: Pick<PageEntry, "webAssembly">) => ({
    "content-security-policy": `default-src 'self'; img-src 'self'${pictures ? " https:" : ""};${webAssembly ? " script-src 'self' 'wasm-unsafe-eval';" : ""} object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    "referrer-policy": "same-origin",
  });
  const entries = new Map<string, PageEntry>(PAGES.map((entry) => [entry.route, entry]));

  function findPage(request: PageRequest): FoundPage | MovedPage | undefined {
    const { snapshot, route, params, query, published, others } = request;
    const entry = entries.get(route);
    if (!entry) return undefined;
    const lang = langOf(snapshot, query);
    const facts = factsOf(snapshot, lang, entry.english ? BASE_LANG : lang);
    const { messages, figures } = facts;
    const choices = choicesOf(entry, facts, others);
    const { values, ignored } = readQuery(choices, query);
    const leadTo = (address: string) => ({ location: withIgnored(address, ignored) });
    if (params.id !== undefined && !ID.test(params.id)) {
      const hero = facts.findHero(params.id);
      return hero === undefined ? undefined : leadTo(addressOf(route.replace("{id}", hero), choices, values));
    }
    const id = Number(params.id ?? 0);
    const path = route.replace("{id}", String(id));
    const addressed = { snapshot, path, values, publicUrl, published, others };
    const context = { ...addressed, facts, lang, messages, figures, pictures, now: Date.now() };
    if (entry.exists && !entry.exists(context, id)) return undefined;
    const location = entry.leadsTo?.(context);
    if (location !== undefined) return leadTo(location);
    const { tellsAge = false, tellsOthers = false, tellsFile = false } = entry;
    const age = tellsAge ? ageOf(snapshot.head.started_at, context.now, messages) : "";
    const told = describeIgnored(ignored, messages.frame).map(({ text }) => text);
    const key = `page ${addressOf(path, choices, values)} ${told} ${age} ${tellsOthers && stateOf(others)} ${tellsFile && identityOf(published())}`;
    const page = { key, headers: headersFor(entry), immutable: false, changes: tellsAge || tellsOthers };
    const { csv } = entry;
    if (csv && values.format === "csv")
      return {
        ...page,
        headers: { ...page.headers, ...headerOf(ignored) },
        contentType: CSV_TYPE,
        body: () => writeCsv(csv(context, id), (hero) => calledIn(hero, context)),
      };
    // Only if no answer is kept under the key.
    const aroundOf = (): Around => ({
      own: [facts.langChoice, ...entry.choices(facts, others)],
      values,
      ignored,
      choices,
      links: linksIn(messages),
      scripts: entry.scripts ?? [],
      notes: notesOnData(context, entry.shows ?? [], params.id === undefined ? Number.NaN : id),
      isEnglish: entry.english ?? false,
      csvLink: entry.csvLink?.(messages),
    });
    return { ...page, contentType: HTML_TYPE, body: () => render(entry, context, id, aroundOf()) };
  }

  return {
    routes: ROUTES_FOR_PEOPLE,
    load: () => undefined,
    find(request) {
      const { route, snapshot, pathname } = request;
      if (route === ROBOTS_ROUTE) return foundText(route, "text/plain", writeRobots(publicUrl));
      if (route === SITEMAP_ROUTE) return foundText(route, "application/xml", writeSitemap(snapshot, publicUrl));
      if (ICON_ROUTES.includes(route)) return { ...foundAsset(TOUCH_ICON, {}), immutable: false };
      if (route !== ASSETS_ROUTE) return findPage(request);
      const asset = findAsset(pathname);
      return asset && foundAsset(asset, headersFor(asset));
    },
    describeError: (refused) => ({
      contentType: HTML_TYPE,
      headers: headersFor({}),
      body: writeErrorPage(refused, linksIn, pictures),
    }),
  };
}

/** The language first, then those of the page. What travels with links stays in the address of a page that does not ask for it. */
function choicesOf(entry: PageEntry, facts: Facts, others: PublishedFiles): Around["choices"] {
  const own = entry.choices(facts, others);
  const [lang, ...carried] = carriedChoices(facts);
  const kept = carried.filter(({ name }) => !own.some((choice) => choice.name === name));
  return [lang, ...own, ...kept, ...(entry.csv ? [FORMAT_CHOICE] : [])];
}

/** The summaries of the table are in English: a page in another language is described by its title. */
function render(entry: PageEntry, context: PageContext, id: number, around: Around): string {
  const body = entry.render(context, id);
  const described = context.messages.language === BASE_LANG ? entry.summary : body.title;
  return frame(context, { description: described, ...body }, around);
}

const foundAsset = ({ path, contentType, read }: Asset, headers: FoundPage["headers"]): FoundPage => ({
  key: `page ${path}`,
  contentType,
  headers,
  immutable: true,
  changes: false,
  body: read,
});

const foundText = (route: string, type: string, text: string | undefined): FoundPage | undefined =>
  text === undefined
    ? undefined
    : {
        key: `page ${route}`,
        contentType: `${type}; charset=utf-8`,
        headers: {},
        immutable: false,
        changes: false,
        body: () => text,
      };

/** Makes the header that names the ignored values, because a CSV has no place for a note. */
const headerOf = (ignored: readonly IgnoredValues[]): FoundPage["headers"] =>
  ignored.length > 0 ? { "x-ignored-parameters": ignored.map(({ choice }) => choice.name).join(", ") } : {};

const identityOf = (file: PublishedFile | undefined) => `${file?.sha256} ${file?.changes?.sha256}`;

const stateOf = (others: PublishedFiles): string =>
  hash("sha256", JSON.stringify(others.list().map(({ manifest: _, ...one }) => one)));

const ID = /^[1-9]\d{0,8}$/;

const HTML_TYPE = "text/html; charset=utf-8";
const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** A sitemap has at most 50 000 addresses (https://www.sitemaps.org/protocol.html); a foreign file may have any number of heroes. */
const MOST_ADDRESSES = 10_000;

/**
 * Writes a `robots.txt` that allows everything but the states of a draft, each of which leads to a hundred more. Its line of the sitemap
 * needs an absolute address.
 */
const writeRobots = (publicUrl: string | undefined): string =>
  `User-agent: *\nDisallow: /draft?\n${publicUrl === undefined ? "" : `\nSitemap: ${publicUrl}${SITEMAP_ROUTE}\n`}`;

/** Every page in its first state; undefined without an absolute address. */
function writeSitemap(snapshot: Snapshot, publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  const { heroes } = factsOf(snapshot);
  const paths = PAGES.flatMap(({ route }) =>
    route.includes("{id}") ? heroes.map(({ value }) => route.replace("{id}", value)) : [route],
  );
  const urls = paths
    .slice(0, MOST_ADDRESSES)
    .map((path) => `<url><loc>${escapeMarkup(publicUrl + path)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("")}</urlset>
`;
}
