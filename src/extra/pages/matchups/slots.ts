import { calledIn, heroName, type NamedHero, portrait } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { type Board, DRAFT_SIDES, draftAddress, valuesOf, valuesWithout } from "./board.ts";

/**
 * The draft so far: a tap on a hero takes it off, one on an empty slot leads to the heroes to choose from. The reader's own pick is what
 * the page is asked for.
 */
export function slots(context: PageContext, board: Board): Html {
  const { draft: words } = context.messages.pairs;
  return html`<section id="board" class="board" aria-label="${words.soFar}">${board.repeats && html`<p class="note">${words.repeated}</p>`}${DRAFT_SIDES.map(
    (entry) => html`<div class="side"><span class="head">${words.sides[entry.side].head}</span>
<ul>${board[entry.side].map((hero) => filledSlot(context, board, hero))}${emptySlots(context, board, entry)}${
      entry.side === "allies" && html`<li><a class="slot own" href="#picks">${words.you}</a></li>`
    }</ul></div>
`,
  )}</section>`;
}

function filledSlot(context: PageContext, board: Board, hero: NamedHero): Html {
  const address = draftAddress(context, valuesWithout(board, hero.hero_id), "board");
  const label = context.messages.pairs.draft.remove({ hero: calledIn(hero) });
  return html`<li><a class="slot" href="${address}" title="${label}">${portrait(hero, context.pictures)}<span class="name">${heroName(hero, context.lang)}</span></a></li>`;
}

/** What is left of a side; of bans there may be any number, so that one slot is enough. All lead to the same place, and one of them is told. */
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
