import { calledIn, heroName, portrait } from "../hero-link.ts";
import { linkedValues } from "../heroes/chips.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { type Board, DRAFT_SIDES, draftAddress, movedAddress, sideChoice } from "./board.ts";

/**
 * The draft so far: a tap on a hero takes it off, one on an empty slot leads to the heroes to choose from. The reader's own pick is what
 * the page is asked for.
 */
export function slots(context: PageContext, board: Board): Html {
  const { draft: words } = context.messages.pairs;
  return html`<section id="board" class="board" aria-label="${words.soFar}">${DRAFT_SIDES.map(
    (entry) => html`<div class="side"><span class="head">${words.sides[entry.side].head}</span>
<ul>${board[entry.side].map((id) => html`<li>${removal(context, board, id, "slot", "board")}</li>`)}${emptySlots(context, board, entry)}${
      entry.side === "allies" && html`<li><a class="slot own" href="#picks">${words.you}</a></li>`
    }</ul></div>
`,
  )}</section>`;
}

/** The empty slots of a side; one is enough for bans, which may be any number. All lead to the same place, and one of them is told. */
function emptySlots(context: PageContext, board: Board, { side, most }: (typeof DRAFT_SIDES)[number]): Html[] {
  const { choose } = context.messages.pairs.draft.sides[side];
  const left = most - board[side].length;
  const address = draftAddress(context, { side }, "heroes");
  return Array.from({ length: side === "bans" ? Math.min(left, 1) : left }, (_, index) => {
    const isNext = index === 0 && side === board.next;
    const told = index === 0 ? html` aria-label="${choose}"` : html` tabindex="-1" aria-hidden="true"`;
    return html`<li><a class="slot empty${isNext && " next"}" href="${address}"${told}>+</a></li>`;
  });
}

/** All heroes, to be put on the board and taken off it: each link leads back to its own place, so that nothing moves. */
export function picker(context: PageContext, board: Board, best: string | undefined): Html {
  const { draft: words } = context.messages.pairs;
  const withRoom = DRAFT_SIDES.filter(({ side, most }) => board[side].length < most);
  const options = withRoom.map(({ side, most }) => {
    return { value: side, label: `${words.sides[side].head} ${board[side].length}/${most}` };
  });
  const sides = { ...sideChoice(context.facts), options };
  return html`<section class="picker"><div class="now"><h2 id="heroes">${board.next ? words.nowChoosing : words.allFilled}</h2>
${board.next && linkedValues(sides, { side: board.next }, (changed) => draftAddress(context, changed, "heroes"))}
<p><a href="#picks">${best ?? words.seePicks}</a></p></div>
<ul class="heroes">${[...context.facts.roster.keys()].map((id) => html`<li id="h${id}">${cell(context, board, id)}</li>\n`)}</ul></section>`;
}

function cell(context: PageContext, board: Board, id: number): Html {
  const place = `h${id}`;
  const taken = DRAFT_SIDES.find(({ side }) => board[side].includes(id));
  if (taken) {
    const mark = html`<b>${context.messages.pairs.draft.sides[taken.side].mark}</b>`;
    return removal(context, board, id, "taken", place, mark);
  }
  if (!board.next) return html`<span>${face(context, id)}</span>`;
  return html`<a href="${movedAddress(context, board, id, board.next, place)}">${face(context, id)}</a>`;
}

const face = (context: PageContext, id: number): Html =>
  html`${portrait(id, context)}<span class="name">${heroName(id, context)}</span>`;

/** A hero as a link that takes it off the board. */
function removal(context: PageContext, board: Board, id: number, kind: string, place: string, mark?: Html): Html {
  const address = movedAddress(context, board, id, undefined, place);
  const title = context.messages.pairs.draft.remove({ hero: calledIn(id, context) });
  return html`<a class="${kind}" href="${address}" title="${title}">${face(context, id)}${mark}</a>`;
}
