import { choiceForm } from "../choices/choice-form.ts";
import {
  daysChoice,
  type Facts,
  heroesChoice,
  laneChoice,
  leastChoice,
  rankChoice,
  roleChoice,
  stateWords,
  withState,
} from "../facts.ts";
import { jsonLinks, percent, points, table } from "../format.ts";
import { calledIn, heroLink, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import type { Choice } from "../query.ts";
import { readPicks, readTaken, type Taken } from "./picks.ts";
import { POINTS } from "./played.ts";

const SORT: Choice = {
  name: "sort",
  label: "Sorted by",
  options: [
    { value: "sum", label: "Sum" },
    { value: "win_rate", label: "Win rate" },
    { value: "pick_rate", label: "Pick rate" },
  ],
  fallback: "sum",
};

const draftChoices = (facts: Facts): Choice[] => [
  heroesChoice(facts, 5, "enemies", "Enemy"),
  heroesChoice(facts, 4, "allies", "Ally"),
  rankChoice(facts),
  daysChoice(facts),
  roleChoice(facts),
  laneChoice(facts),
  leastChoice(facts),
  SORT,
];

export const DRAFT: PageEntry = {
  route: "/draft",
  summary:
    "Picks against up to five enemies and beside up to four allies: the sum of single matchups, and each of them",
  link: "draft",
  choices: draftChoices,
  shows: ["academy-counters", "teammates", "rank", "positions"],
  csv(context) {
    const taken = readTaken(context);
    return {
      columns: [
        ...["place", "hero_id", "name", "sum", "known", "win_rate", "appearance_rate"],
        ...taken.map(({ played, hero_id }) => `${played}_${hero_id}`),
      ],
      rows: readPicks(context, taken).map((pick, index) => [
        ...[index + 1, pick.hero_id, calledIn(pick), pick.sum, pick.known],
        ...[pick.win_rate, pick.appearance_rate, ...pick.parts],
      ]),
    };
  },
  render(context) {
    const { facts } = context;
    const taken = readTaken(context);
    return {
      title: taken.length === 0 ? "Draft" : withState(`Draft ${describeTaken(taken)}`, stateWords(context)),
      hasNoRows: taken.length === 0,
      main: html`<h1>Draft</h1>
${choiceForm(context, draftChoices(facts))}
${
  taken.length === 0
    ? html`<p>Choose the enemies and allies that are picked so far.</p>`
    : html`<p>Each sum adds up single matchups: it is no forecast, and <a href="#limits">this is what it is not</a>.</p>
${ranked(context, taken)}`
}
${LIMITS}`,
    };
  },
};

/** As in `against Miya, Eudora, with Tigreal`. */
const describeTaken = (taken: readonly Taken[]) =>
  [...Map.groupBy(taken, ({ played }) => played)]
    .map(([played, heroes]) => `${played} ${heroes.map(calledIn).join(", ")}`)
    .join(", ");

const LIMITS = html`<h2 id="limits">What the sum is not</h2>
<ul><li>It is no forecast. It adds up how a hero does against, or with, one other hero at a time; no number here says how five heroes play together.</li>
<li>${POINTS} A hero that seldom wins may have a high sum: look at its win rate too.</li>
<li>A missing number is unknown, not 0: it is left out, and “known” says how many of the chosen heroes have a number. Do not compare a sum of fewer numbers with a sum of more.</li>
<li>Nothing says how many matches a number comes from. A hero that is seldom picked may have a high number by chance: ask for a least pick rate.</li>
<li>The window is that of win rate and pick rate; the upstream does not state the window of matchups.</li></ul>`;

function ranked(context: PageContext, taken: readonly Taken[]): Html {
  const picks = readPicks(context, taken);
  if (picks.length === 0) return html`<p>No hero matches these filters.</p>`;
  const number = (head: string | Html) => ({ head, number: true });
  const { rank = "", days = "", lang } = context.values;
  const rates = new URLSearchParams({ rank, days, size: "500", lang: lang ?? "" });
  return html`${table(
    `${picks.length} heroes that are not picked yet; points are percentage points of win rate, more is better`,
    [
      number("Place"),
      { head: "Hero", names: true },
      number("Sum"),
      number("Known"),
      number("Win rate"),
      number("Pick rate"),
      ...taken.map((other) => number(html`${other.played} ${heroName(other, context.lang)}`)),
    ],
    picks.map((pick, index) => [
      index + 1,
      heroLink(pick, context),
      points(pick.sum),
      `${pick.known} of ${taken.length}`,
      percent(pick.win_rate),
      percent(pick.appearance_rate),
      ...pick.parts.map(points),
    ]),
  )}
<p>Points are those of <code>/api/academy/heroes/{id}/counters</code> and <code>/teammates</code>, with the hero of the row as <code>{id}</code>.</p>
${jsonLinks([{ path: `/api/heroes/rank?${rates}`, text: "Win rates and pick rates as JSON" }])}`;
}
