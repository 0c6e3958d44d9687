import { choiceForm } from "../choices/choice-form.ts";
import { stateWords, withState } from "../facts.ts";
import { jsonLinks } from "../format.ts";
import { calledIn, heroName, portrait } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import {
  askedChoices,
  type Board,
  DRAFT_SIDES,
  draftAddress,
  draftChoices,
  readBoard,
  valuesOf,
  valuesWithout,
} from "./board.ts";
import { type Lanes, laneChips, readLanes } from "./lanes.ts";
import { picker } from "./picker.ts";
import { describeBest, type Picks, readPicks } from "./picks.ts";
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
    const { taken, groups } = readDraft(context).picks;
    const parts = taken.map(({ played, hero_id }) => `${played}_${hero_id}`);
    return {
      csv: ["hero_id", "hero", "known", "estimate", "win_rate", "sum", "appearance_rate", ...parts],
      rows: groups
        .flatMap(({ picks }) => picks)
        .map((pick) => ({
          ...pick,
          sum: pick.known > 0 ? pick.sum : null,
          ...Object.fromEntries(parts.map((part, index) => [part, pick.parts[index]])),
        })),
    };
  },
  render(context) {
    const { board, lanes, picks } = readDraft(context);
    const { draft: words } = context.messages.pairs;
    const title = withState(context.messages, describeDraft(board, context), stateWords(context));
    const best = describeBest(picks, context);
    return {
      title,
      ...(best !== undefined && { description: `${title}. ${best}` }),
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, askedChoices(context.facts), draftChoices(context.facts))}
<div class="draft"><div>${slots(context, board)}
<section id="picks" aria-label="${words.picks}">${laneChips(context, lanes)}
${suggestions(context, picks)}
${sources(context, picks)}</section></div>
${picker(context, board, picks)}</div>
${limits(context)}`,
    };
  },
};

interface Draft {
  board: Board;
  lanes: Lanes;
  picks: Picks;
}

function readDraft(context: PageContext): Draft {
  const board = readBoard(context);
  const lanes = readLanes(context, board.allies);
  return { board, lanes, picks: readPicks(context, board, lanes) };
}

/** Describes a draft: `Draft against Miya, Eudora, with Tigreal`. */
function describeDraft({ enemies, allies }: Board, context: PageContext): string {
  const { frame, pairs } = context.messages;
  const { draft: words } = pairs;
  const names = (ids: readonly number[]) => ids.map((id) => calledIn(id, context)).join(frame.comma);
  if (enemies.length === 0) return allies.length === 0 ? words.heading : words.with({ allies: names(allies) });
  if (allies.length === 0) return words.against({ enemies: names(enemies) });
  return words.againstAndWith({ enemies: names(enemies), allies: names(allies) });
}

function sources({ values, messages }: PageContext, { taken }: Picks): Html {
  const { rank = "", days = "", lang = "" } = values;
  const rates = new URLSearchParams({ rank, days, size: "500", lang });
  return html`${
    taken.length > 0 &&
    html`<p>${messages.pairs.draft.source} <code>/api/academy/heroes/{id}/counters</code>, <code>/api/academy/heroes/{id}/teammates</code></p>`
  }${jsonLinks(messages.frame.asJson, [{ path: `/api/heroes/rank?${rates}`, text: messages.pairs.draft.ratesAsJson }])}`;
}

function limits({ messages: { pairs } }: PageContext): Html {
  const { draft: words, points } = pairs;
  return html`<h2 id="limits">${words.limits}</h2>
<ul>${[points, ...Object.values(words.limitsOf)].map((limit) => html`<li>${limit}</li>\n`)}</ul>`;
}

/**
 * The draft so far: a tap on a hero takes it off, one on an empty slot leads to the heroes to choose from. The reader's own pick is what
 * the page is asked for.
 */
function slots(context: PageContext, board: Board): Html {
  const { draft: words } = context.messages.pairs;
  return html`<section id="board" class="board" aria-label="${words.soFar}">${board.repeats && html`<p class="note">${words.repeated}</p>`}${DRAFT_SIDES.map(
    (entry) => html`<div class="side"><span class="head">${words.sides[entry.side].head}</span>
<ul>${board[entry.side].map((id) => filledSlot(context, board, id))}${emptySlots(context, board, entry)}${
      entry.side === "allies" && html`<li><a class="slot own" href="#picks">${words.you}</a></li>`
    }</ul></div>
`,
  )}</section>`;
}

function filledSlot(context: PageContext, board: Board, id: number): Html {
  const address = draftAddress(context, valuesWithout(board, id), "board");
  const label = context.messages.pairs.draft.remove({ hero: calledIn(id, context) });
  return html`<li><a class="slot" href="${address}" title="${label}">${portrait(id, context)}<span class="name">${heroName(id, context)}</span></a></li>`;
}

/** The empty slots of a side; one is enough for bans, which may be any number. All lead to the same place, and one of them is told. */
function emptySlots(context: PageContext, board: Board, { side, most }: (typeof DRAFT_SIDES)[number]): Html[] {
  const { choose } = context.messages.pairs.draft.sides[side];
  const left = most - board[side].length;
  const address = draftAddress(context, { ...valuesOf(board), side }, "heroes");
  return Array.from({ length: side === "bans" ? Math.min(left, 1) : left }, (_, index) => {
    const isNext = index === 0 && side === board.next;
    const told = index === 0 ? html` aria-label="${choose}"` : html` tabindex="-1" aria-hidden="true"`;
    return html`<li><a class="slot empty${isNext && " next"}" href="${address}"${told}>+</a></li>`;
  });
}
