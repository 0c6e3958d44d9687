import { LANE_CODES } from "../../../api/enumerations.ts";
import { laneChoice } from "../facts.ts";
import { heroName } from "../hero-link.ts";
import { type Html, html, joinPieces } from "../html.ts";
import type { PageContext } from "../page.ts";
import { labelOf } from "../query.ts";
import { draftAddress, draftLane, OPEN_LANES as OPEN } from "./board.ts";

/** A lane, as the allies leave it. */
interface LaneState {
  lane: string;
  title: Html;
  /** Allies that are listed for it. */
  players: readonly number[];
  /** The allies can play without it. */
  open: boolean;
}

export interface Lanes {
  /** The lanes that the upstream lists for each hero. */
  of: ReadonlyMap<number, readonly string[]>;
  /** Those that nobody is listed for first, then other open ones. */
  states: readonly LaneState[];
}

const ALL = "all";

const LANES_OF_HEROES = "SELECT hero_id, lane FROM hero_lane ORDER BY hero_id, position";

export function readLanes({ snapshot, facts }: PageContext, allies: readonly number[]): Lanes {
  const of = new Map<number, string[]>();
  for (const { hero_id, lane } of snapshot.select<{ hero_id: number; lane: string }>(LANES_OF_HEROES))
    of.set(hero_id, [...(of.get(hero_id) ?? []), lane]);
  const titleOf = (lane: string) => html`${labelOf(laneChoice(facts), { lane })}`;
  const listed = allies.map((id) => of.get(id) ?? []);
  const all = mostSeated(listed, LANE_CODES);
  const states = LANE_CODES.map((lane): LaneState => {
    const players = allies.filter((id) => of.get(id)?.includes(lane));
    const others = LANE_CODES.filter((other) => other !== lane);
    return { lane, title: titleOf(lane), players, open: mostSeated(listed, others) === all };
  });
  const placeOf = ({ open, players }: LaneState) => (open ? Number(players.length > 0) : 2);
  return { of, states: states.sort((a, b) => placeOf(a) - placeOf(b)) };
}

/** Counts the heroes that can play at once, each on another one of these lanes, of which every hero is listed for some. */
function mostSeated([first, ...others]: readonly (readonly string[])[], lanes: readonly string[]): number {
  if (!first) return 0;
  const left = lanes.filter((lane) => first.includes(lane));
  const seated = left.map(
    (taken) =>
      1 +
      mostSeated(
        others,
        lanes.filter((lane) => lane !== taken),
      ),
  );
  return Math.max(mostSeated(others, lanes), ...seated);
}

/** The lanes that are asked for; undefined for all. */
export function wantedLanes({ states }: Lanes, lane: string | undefined): readonly string[] | undefined {
  if (lane === OPEN) return states.filter(({ open }) => open).map((state) => state.lane);
  return lane === undefined || lane === ALL ? undefined : [lane];
}

/** The lanes as links that show the heroes of one; how the allies leave them is told if there are allies. */
export function laneChips(context: PageContext, { of, states }: Lanes): Html | undefined {
  if (of.size === 0) return undefined;
  const told = states.some(({ players }) => players.length > 0);
  const all = told || context.values.lane === OPEN ? [ALL, OPEN] : [ALL];
  return html`<nav class="lanes" aria-label="${context.messages.pairs.draft.lanes}"><ul class="chips">${all.map(
    (lane) => chip(context, lane, html`${labelOf(draftLane(context.facts), { lane })}`),
  )}${states.map((state) => chip(context, state.lane, state.title, told && describe(context, state)))}</ul></nav>`;
}

const chip = (context: PageContext, lane: string, title: Html, state: Html | false = false): Html =>
  html`<li><a href="${draftAddress(context, { lane }, "board")}"${lane === context.values.lane && html` aria-current="true"`}><span>${title}</span>${state && html` <small>${state}</small>`}</a></li>`;

/** Describes a lane: `open`, `open or Miya` or `Miya`. */
function describe(context: PageContext, { players, open }: LaneState): Html {
  const { frame, pairs } = context.messages;
  if (players.length === 0) return html`${pairs.draft.open}`;
  const names = joinPieces(
    players.map((id) => heroName(id, context)),
    frame.comma,
  );
  return open ? pairs.draft.openOr({ heroes: names }) : names;
}
