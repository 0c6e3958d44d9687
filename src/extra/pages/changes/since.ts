import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { addressOn } from "../facts.ts";
import { figure } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { RateName, RatesOfHero } from "../report.ts";
import { type Mover, type NightDiff, readDiff } from "./read.ts";

/** The rates of the served snapshot that moved further than chance explains since the night before. */
interface NightMoves {
  /** The start of the crawl of the night before. */
  since: string;
  movers: ReadonlyMap<string, Omit<Mover, "also_in">>;
}

interface ProvedMoves {
  sha256: string;
  moves: NightMoves | undefined;
}

const movesBySnapshot = new WeakMap<Snapshot, ProvedMoves>();

const keyOf = ({ hero_id, rank, days, rate }: Pick<Mover, "hero_id" | "rank" | "days" | "rate">) =>
  `${hero_id} ${rank} ${days} ${rate}`;

/** Reads the moves once for each open snapshot. */
function readMoves({ snapshot, published, others }: PageContext): NightMoves | undefined {
  const file = published();
  if (!file?.changes) return undefined;
  const { sha256, since } = file.changes;
  const kept = movesBySnapshot.get(snapshot);
  if (kept?.sha256 === sha256) return kept.moves;
  const diff = readDiff(others, file);
  const isOfBoth = diff?.after.version === file.version && diff.before.version === since;
  const moves = isOfBoth ? toMoves(diff) : undefined;
  movesBySnapshot.set(snapshot, { sha256, moves });
  return moves;
}

const toMoves = ({ before, changes }: NightDiff): NightMoves => ({
  since: before.started_at,
  movers: new Map(
    (changes?.rates.movers ?? []).flatMap(({ also_in, ...mover }) =>
      [mover, ...also_in.map((moved) => ({ ...mover, ...moved }))].map((one) => [keyOf(one), one] as const),
    ),
  ),
});

const RATES: readonly RateName[] = ["win_rate", "appearance_rate", "ban_rate"];

/** The words of a page about the changes of its rank and window. */
export interface ToldMoves {
  /** Returns the arrow of a rate; undefined if no change of it is known. */
  arrow(rates: RatesOfHero, name: RateName): Html | undefined;
  /** Explains the arrows; undefined if the page has none. */
  legend: Html | undefined;
}

const NOTHING: ToldMoves = { arrow: () => undefined, legend: undefined };

/** Tells the changes of the heroes that a page shows. */
export function movesOf(context: PageContext, heroes: readonly RatesOfHero[]): ToldMoves {
  const moves = readMoves(context);
  if (!moves) return NOTHING;
  const { rank = "", days } = context.values;
  const find = (rates: RatesOfHero, rate: RateName) => {
    const mover = moves.movers.get(keyOf({ hero_id: rates.hero_id, rank, days: Number(days), rate }));
    return mover?.after === rates[rate] ? mover : undefined;
  };
  return {
    arrow(rates, name) {
      const mover = find(rates, name);
      return mover && toArrow(mover.change, context);
    },
    legend: heroes.some((rates) => RATES.some((name) => find(rates, name)))
      ? describeArrows(context, moves.since)
      : undefined,
  };
}

const toArrow = (change: number, { figures }: PageContext): Html =>
  html` <small class="${change < 0 ? "down" : "up"}"><span aria-hidden="true">${change < 0 ? "▼" : "▲"}</span>${figure(change, figures.writeChange)}</small>`;

const describeArrows = (context: PageContext, since: string): Html =>
  html`<p class="none">${context.messages.heroes.moves.legend({ since: context.figures.day(since) })} <a href="${addressOn(context, "/changes")}">${context.messages.heroes.moves.all}</a></p>`;
