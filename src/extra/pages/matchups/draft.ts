import { choiceForm } from "../choices/choice-form.ts";
import { stateWords, withState } from "../facts.ts";
import { calledIn } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { sourceLinks } from "../source-links.ts";
import { askedChoices, type Board, DRAFT_SIDES, draftChoices, readBoard } from "./board.ts";
import { picker, slots } from "./picker.ts";
import { type Picks, readPicks } from "./picks.ts";
import { suggestions } from "./suggestions.ts";

export const DRAFT: PageEntry = {
  route: "/draft",
  summary:
    "A draft as a board: picks against up to five enemies and beside up to four allies, by own win rate and single matchups",
  link: "draft",
  choices: draftChoices,
  shows: ["academy-counters", "teammates", "rank", "positions"],
  csvLink: ({ pairs }) => pairs.draft.asCsv,
  csv(context) {
    const { taken, groups } = readPicks(context, readBoard(context));
    const parts = taken.map(({ played, hero_id }) => `${played}_${hero_id}`);
    return {
      csv: ["hero_id", "hero", "known", "estimate", "win_rate", "sum", "appearance_rate", ...parts],
      rows: groups
        .flatMap(({ picks }) => picks)
        .map((pick) => ({ ...pick, ...Object.fromEntries(parts.map((part, index) => [part, pick.parts[index]])) })),
    };
  },
  render(context) {
    const board = readBoard(context);
    const picks = readPicks(context, board);
    const { draft: words } = context.messages.pairs;
    const title = withState(context.messages, describeDraft(board, context), stateWords(context));
    const best = describeBest(picks, context);
    return {
      title,
      ...(best !== undefined && { description: `${title}. ${best}` }),
      isEndless: DRAFT_SIDES.some(({ side }) => board[side].length > 0),
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, askedChoices(context.facts), draftChoices(context.facts))}
<div class="draft"><div>${slots(context, board)}
<section id="picks" aria-label="${words.picks}">${suggestions(context, picks)}
${sources(context, picks)}</section></div>
${picker(context, board, best)}</div>
${limits(context)}`,
    };
  },
};

/** Describes a draft: `Draft against Miya, Eudora, with Tigreal`. */
function describeDraft({ enemies, allies }: Board, context: PageContext): string {
  const { frame, pairs } = context.messages;
  const { draft: words } = pairs;
  const names = (ids: readonly number[]) => ids.map((id) => calledIn(id, context)).join(frame.comma);
  if (enemies.length === 0) return allies.length === 0 ? words.heading : words.with({ allies: names(allies) });
  if (allies.length === 0) return words.against({ enemies: names(enemies) });
  return words.againstAndWith({ enemies: names(enemies), allies: names(allies) });
}

const MOST_DESCRIBED = 3;

/** Names the best picks: `Best: Johnson +5.2, Tigreal +4.1`, or with win rates if there is no pairing; undefined if no pick has one. */
function describeBest({ groups: [best], taken }: Picks, context: PageContext): string | undefined {
  if (!best?.rated || (taken.length > 0 && best.known === 0)) return undefined;
  const { frame, pairs } = context.messages;
  const { writePercent, writePoints } = context.figures;
  const told = best.picks
    .toSorted((a, b) => (b.estimate ?? 0) - (a.estimate ?? 0))
    .slice(0, MOST_DESCRIBED)
    .map(({ hero_id, estimate, win_rate }) => {
      const figure = taken.length > 0 ? writePoints(estimate ?? 0) : writePercent(win_rate ?? 0, 1);
      return `${calledIn(hero_id, context)} ${figure}`;
    });
  return pairs.draft.best({ heroes: told.join(frame.comma) });
}

function sources(context: PageContext, { taken }: Picks): Html {
  const { messages } = context;
  return html`${
    taken.length > 0 &&
    html`<p>${messages.pairs.draft.source} <code>/api/academy/heroes/{id}/counters</code>, <code>/api/academy/heroes/{id}/teammates</code></p>`
  }${sourceLinks(context, [{ dataset: "rank", query: { size: "500" }, text: messages.pairs.draft.ratesAsJson }])}`;
}

function limits({ messages: { pairs } }: PageContext): Html {
  const { draft: words, points } = pairs;
  return html`<h2 id="limits">${words.limits}</h2>
<ul>${[points, ...Object.values(words.limitsOf)].map((limit) => html`<li>${limit}</li>\n`)}</ul>`;
}
