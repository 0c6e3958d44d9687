import { LANGUAGES } from "../api/enumerations.ts";
import { addressOn, daysChoice, rankChoice } from "./facts.ts";
import { ageOf, bytes, count, time } from "./format.ts";
import { type Html, html } from "./html.ts";
import { describeDataset } from "./linked-data.ts";
import type { PageContext, PageEntry } from "./page.ts";
import { firstOfTierList } from "./rates/tier-list.ts";

const SHOWN = 20;

export const HOME: PageEntry = {
  route: "/",
  summary: "The first of the tier list; what this mirror holds, how old and how whole it is",
  link: "home",
  choices: (facts) => [rankChoice(facts), daysChoice(facts)],
  tellsAge: true,
  shows: ["rank"],
  render(context) {
    const { facts, snapshot } = context;
    const tiers = addressOn(context, "/tiers");
    const { heroes } = snapshot.head;
    return {
      title: "Win rates, matchups and builds of all heroes",
      linkedData: describeDataset(context),
      main: html`<h1>Win rates, matchups and builds of all heroes</h1>
${badges(context)}
${facts.ranks.length === 0 ? html`<p>This snapshot has no rates.</p>` : firstOfTierList(context, SHOWN)}
<p><a href="${tiers}">The whole tier list</a> of ${count(heroes)} heroes, by rank, window, role and lane.</p>
<h2>What this mirror holds</h2>
<dl class="facts">${factsOfSnapshot(context)}</dl>`,
    };
  },
};

/** Whole or not, rolling or not, how old. */
export function badges(context: PageContext): Html {
  const { snapshot, facts, now } = context;
  const { started_at, rolling } = snapshot.head;
  const carried = facts.withheld.reduce((sum, one) => sum + one.carried, 0);
  return html`<ul class="badges"><li>${ageOf(started_at, now)}</li>${wholeBadge(context)}${
    rolling === 1 && html`<li>Rolling: some answers are of earlier nights</li>`
  }${
    carried > 0 &&
    html`<li class="lacks">${count(carried)} answers are of earlier nights: <a href="${addressOn(context, "/data")}#refused">they are refused or left out</a></li>`
  }</ul>`;
}

function wholeBadge(context: PageContext): Html {
  const { slices, missing, neverAsked, withheld, parts } = context.facts;
  const data = addressOn(context, "/data");
  const refused = withheld.reduce((sum, one) => sum + one.missing, 0);
  if (missing > 0)
    return html`<li class="lacks">Not whole: <a href="${data}#holes">${count(missing)} of ${count(slices)} answers</a> are missing${
      neverAsked > 0 && html`, ${count(neverAsked)} of them not asked yet`
    }${refused > 0 && html`, ${count(refused)} of them <a href="${data}#refused">refused or left out</a>`}</li>`;
  if (parts.length > 0) return html`<li class="lacks">A part, without holes: ${parts.join(", ")}</li>`;
  return html`<li>Whole: all ${count(slices)} answers are here</li>`;
}

function factsOfSnapshot(context: PageContext): Html {
  const { snapshot, facts, published } = context;
  const { version, started_at, game_version, heroes } = snapshot.head;
  const file = published();
  const rows: [string, Html][] = [
    ["Snapshot", html`<a href="${addressOn(context, "/data")}">${version}</a>`],
    ["Crawled", time(started_at)],
    ["Game version", html`${game_version ?? "unknown"}`],
    ["Heroes", count(heroes)],
    ["Languages", html`${facts.langs.length} of ${LANGUAGES.length}`],
    ["Ranks and windows", html`${rankChoice(facts).options.length} and ${daysChoice(facts).options.length}`],
    [
      "For programs",
      html`<a href="${addressOn(context, "/docs")}">the API</a>, <a href="/api/openapi.json">its OpenAPI document</a>`,
    ],
    [
      "To keep",
      file
        ? html`<a href="/snapshots/${version}.sqlite">all of it as one SQLite file</a>, ${bytes(file.size)}; <a href="/snapshots/">all snapshots</a>`
        : html`<a href="/snapshots/">the published snapshots</a>`,
    ],
  ];
  return html`${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}`;
}
