import { keptFields } from "../choices/choice-form.ts";
import { carriedChoices } from "../facts.ts";
import { calledIn, heroName, portrait } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import {
  type Board,
  DRAFT_SIDES,
  type DraftSide,
  draftAddress,
  ownDraftChoices,
  valuesOf,
  valuesWith,
  valuesWithout,
} from "./board.ts";
import { describeBest, type Picks } from "./picks.ts";

/** All heroes, to be put on the board and taken off it: each link leads back to its own place, so that nothing moves. */
export function picker(context: PageContext, board: Board, picks: Picks): Html {
  const { draft: words } = context.messages.pairs;
  return html`<section class="picker"><div class="now"><h2 id="heroes">${board.next ? words.nowChoosing : words.allFilled}</h2>
<nav aria-label="${words.nowChoosing}"><ul class="chips">${DRAFT_SIDES.map((entry) => sideChip(context, board, entry))}</ul></nav>
<p><a href="#picks">${describeBest(picks, context) ?? words.seePicks}</a></p></div>
${byName(context, board)}
<ul class="heroes">${[...context.facts.roster.keys()].map((id) => cell(context, board, id))}</ul></section>`;
}

function sideChip(context: PageContext, board: Board, { side, most }: (typeof DRAFT_SIDES)[number]): Html {
  const chosen = board[side].length;
  const text = html`${context.messages.pairs.draft.sides[side].head} ${chosen}/${most}`;
  if (chosen >= most) return html`<li><span>${text}</span></li>`;
  const address = draftAddress(context, { ...valuesOf(board), side }, "heroes");
  return html`<li><a href="${address}"${side === board.next && html` aria-current="true"`}>${text}</a></li>`;
}

function cell(context: PageContext, board: Board, id: number): Html {
  const { draft: words } = context.messages.pairs;
  const place = `h${id}`;
  const side = board.sideOf.get(id);
  const shown = html`${portrait(id, context)}<span class="name">${heroName(id, context)}</span>`;
  if (side) {
    const address = draftAddress(context, valuesWithout(board, id), place);
    return html`<li id="${place}"><a class="taken" href="${address}" title="${words.remove({ hero: calledIn(id, context) })}">${shown}<b>${words.sides[side].mark}</b></a></li>
`;
  }
  if (!board.next)
    return html`<li id="${place}"><span>${shown}</span></li>
`;
  return html`<li id="${place}"><a href="${draftAddress(context, valuesWith(board, board.next, id), place)}">${shown}</a></li>
`;
}

/** The same with fields, for keyboards: what is chosen stays, and one hero more of each side may be named. */
function byName(context: PageContext, board: Board): Html | undefined {
  if (!board.next) return undefined;
  const { facts, values } = context;
  const { draft: words } = context.messages.pairs;
  const kept = [...carriedChoices(facts), ...ownDraftChoices(facts)];
  const free = [...facts.roster.keys()].filter((id) => !board.sideOf.has(id));
  const options = free.map((id) => html`<option value="${id}">${calledIn(id, context)}</option>`);
  return html`<details><summary>${words.chooseByName}</summary><form class="choices" method="get" action="/draft#heroes" autocomplete="off">
${keptFields(kept, { ...values, ...valuesOf(board) })}
${DRAFT_SIDES.filter(({ side, most }) => board[side].length < most).map(({ side }) => field(side, words.sides[side].choose, options))}
<button type="submit">${words.add}</button></form></details>`;
}

const field = (side: DraftSide, label: string, options: readonly Html[]): Html =>
  html`<span class="choice"><label for="add-${side}">${label}</label>
<select dir="auto" id="add-${side}" name="${side}" data-fallback=""><option value="">–</option>${options}</select></span>`;
