import { LANGUAGES } from "../../api/enumerations.ts";
import { isSample } from "../../api/sample-data.ts";
import { addressOn, daysChoice, leastChoice, rankChoice } from "./facts.ts";
import { ageOf } from "./figures.ts";
import { factList } from "./format.ts";
import { type Html, html, type Piece } from "./html.ts";
import type { PageContext, PageEntry } from "./page.ts";
import { firstOfTierList } from "./rates/tier-list.ts";

const SHOWN = 20;

export const HOME: PageEntry = {
  route: "/",
  summary: "The first of the tier list; what this mirror holds, how old and how whole it is",
  link: "home",
  choices: (facts) => [rankChoice(facts), daysChoice(facts)],
  tellsAge: true,
  tellsFile: true,
  shows: ["rank"],
  render(context) {
    const { facts, snapshot, figures } = context;
    const { home } = context.messages.mirror;
    return {
      title: home.heading,
      linkedData: describeDataset(context),
      main: html`<h1>${home.heading}</h1>
${badges(context)}
<div class="columns"><div>${facts.ranks.length === 0 ? html`<p>${home.noRates}</p>` : firstOfTierList(context, SHOWN)}
<p><a href="${addressOn(context, "/tiers", [leastChoice(facts)], { least: "0" })}">${home.wholeTierList({ heroes: figures.count(snapshot.head.heroes) })}</a></p></div>
<div><h2>${home.holds}</h2>
${factList(factsOfSnapshot(context))}</div></div>`,
    };
  },
};

/** Says whether the snapshot is complete and rolling, and how old it is. */
export function badges(context: PageContext): Html {
  const { snapshot, facts, now, messages, figures } = context;
  const { badges: words } = messages.mirror;
  const { started_at, rolling } = snapshot.head;
  const carried = facts.withheld.reduce((sum, one) => sum + one.carried, 0);
  return html`<ul class="badges"><li>${ageOf(started_at, now, messages)}</li>${wholeBadge(context)}${
    rolling === 1 && html`<li>${words.rolling}</li>`
  }${
    carried > 0 &&
    html`<li class="lacks">${words.carried({ answers: figures.count(carried) })} <a href="${addressOn(context, "/data")}#withheld">${words.whyCarried}</a></li>`
  }</ul>`;
}

function wholeBadge(context: PageContext): Html {
  const { slices, missing, neverAsked, withheld, parts } = context.facts;
  const { badges: words } = context.messages.mirror;
  const { count } = context.figures;
  const data = addressOn(context, "/data");
  const notHad = withheld.reduce((sum, one) => sum + one.missing, 0);
  if (missing > 0)
    return html`<li class="lacks"><a href="${data}#holes">${words.missing({ missing: count(missing), all: count(slices) })}</a>${
      neverAsked > 0 && html`; ${words.neverAsked({ answers: count(neverAsked) })}`
    }${notHad > 0 && html`; <a href="${data}#withheld">${words.notHad({ answers: count(notHad) })}</a>`}</li>`;
  if (parts.length > 0)
    return html`<li class="lacks">${words.part({ parts: parts.join(context.messages.frame.comma) })}</li>`;
  return html`<li>${words.whole({ all: count(slices) })}</li>`;
}

function factsOfSnapshot(context: PageContext): [string, Piece][] {
  const { snapshot, facts, published, figures } = context;
  const { home } = context.messages.mirror;
  const { version, started_at, game_version, heroes } = snapshot.head;
  const file = published();
  return [
    [home.snapshot, html`<a href="${addressOn(context, "/data")}"><bdi>${version}</bdi></a>`],
    [home.crawled, figures.time(started_at)],
    [home.gameVersion, game_version ?? home.unknown],
    [home.heroes, figures.count(heroes)],
    [home.languages, home.someOf({ held: facts.langs.length, all: LANGUAGES.length })],
    [home.ranks, facts.ranks.length],
    [home.windows, facts.windows.length],
    [
      home.forPrograms,
      html`<a href="${addressOn(context, "/docs")}">${home.api}</a>; <a href="/api/openapi.json">${home.openApi}</a>`,
    ],
    [
      home.toKeep,
      html`${file && html`<a href="/snapshots/${version}.sqlite">${home.wholeFile}</a> (${figures.bytes(file.size)}); `}<a href="/snapshots/">${home.allSnapshots}</a>`,
    ],
  ];
}

/** The snapshot as a `Dataset` of schema.org, for search engines and catalogues of data. */
function describeDataset({ snapshot, facts, published, publicUrl }: PageContext): object {
  const { version, started_at, heroes, licence, attribution } = snapshot.head;
  const file = published();
  const madeUp = isSample(snapshot.head);
  const addressIn = (path: string) => `${publicUrl ?? ""}${path}`;
  return {
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: `Game hero data, mirrored${madeUp ? " (made-up data)" : ""}`,
    description: `${heroes} heroes of a game in ${facts.langs.length} of ${LANGUAGES.length} languages: texts, skills, win, pick and ban rates by rank and window, counters, team mates and builds, as a JSON API and as one SQLite file.${madeUp ? " The numbers are made up, to try things on." : ""}`,
    ...(publicUrl !== undefined && { url: `${publicUrl}/` }),
    version,
    dateModified: started_at,
    inLanguage: facts.langs,
    isAccessibleForFree: true,
    creditText: attribution,
    license: { "@type": "CreativeWork", name: licence },
    keywords: ["heroes", "win rate", "pick rate", "ban rate", "counters", "SQLite", "JSON API"],
    ...(file && {
      distribution: [
        {
          "@type": "DataDownload",
          encodingFormat: "application/vnd.sqlite3",
          contentUrl: addressIn(`/snapshots/${file.version}.sqlite`),
          contentSize: `${file.size} B`,
          sha256: file.sha256,
        },
      ],
    }),
  };
}
