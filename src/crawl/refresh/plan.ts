import { type Slice, sliceId } from "../../api/endpoint.ts";
import { NOTICES } from "../notices.ts";
import { planSlices, type Targets, widen } from "../plan.ts";
import type { CrawlOptions, Run } from "../run.ts";
import { knownSuspects, type RefreshOptions } from "./base.ts";
import { countSaved, type Forecast, forecastTexts, forecastTurns } from "./forecast.ts";
import { isUnstamped, refreshKindOf } from "./kinds.ts";
import { auditsOf, drawAudits } from "./texts.ts";
import { chooseTurns, groupTurns, setTargets, type Turn } from "./turns.ts";

/** More requests than any night takes. */
export const UNLIMITED = 1e9;
/** The share of a night's requests that is kept back for proofs, and to ask again for slices that failed, moved or differ. */
const RESERVE = { share: 0.05, least: 12 };

/**
 * Returns all slices of a complete file. A crawl that asks for less than everything also has those that the base has in other languages
 * because the numbers of an endpoint differ by language there, or do so now (`differing`).
 */
export function planWanted(
  { selection, base, policy }: Pick<CrawlOptions, "selection" | "base" | "policy">,
  targets: Targets,
  differing: readonly string[] = [],
): Slice[] {
  const slices = planSlices(selection, targets);
  if (policy === "all") return slices;
  const differingInBase = (base?.proof ?? [])
    .filter(({ difference }) => difference !== null)
    .map(({ dataset }) => dataset);
  const widened = slices.filter(({ dataset }) => differing.includes(dataset) || differingInBase.includes(dataset));
  const translations = widen(widened, selection.languages);
  return [...new Map([...slices, ...translations].map((slice) => [sliceId(slice), slice])).values()];
}

/** Returns all slice groups of a file, with their target ages. `seed` draws among the empty slices. */
export function planTurns(
  options: RefreshOptions,
  seed: string,
  wanted: readonly Slice[],
  suspects: ReadonlySet<string> = knownSuspects(options.base),
): Turn[] {
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "turn");
  const turns = groupTurns(slices, options, suspects, seed);
  return setTargets(turns, turnsPerDay(wanted, options.requestsPerDay));
}

/** Returns the number of requests that a day has for slice groups, if no text has changed. */
export function turnsPerDay(wanted: readonly Slice[], requestsPerDay = UNLIMITED): number {
  const lists = wanted.filter((slice) => refreshKindOf(slice) === "list").length;
  return Math.max(1, requestsPerDay - reserveOf(requestsPerDay) - auditsOf(requestsPerDay) - lists - NOTICES);
}

export const reserveOf = (requestsPerDay: number) => Math.max(RESERVE.least, Math.ceil(requestsPerDay * RESERVE.share));

/** Tells what the next night would ask, if no list has changed, with a forecast of many nights. */
export function planRefresh({ journal, options }: Run, wanted: readonly Slice[]) {
  const { base, requestsPerDay, startedAt } = options;
  const seed = journal.header().began_at;
  const lists = wanted.filter((slice) => refreshKindOf(slice) === "list");
  const turns = planTurns(options, seed, wanted);
  const perNight = turnsPerDay(wanted, requestsPerDay);
  const audits = drawAudits(wanted, base, requestsPerDay, seed);
  const chosen = requestsPerDay === undefined ? turns : chooseTurns(turns, perNight, startedAt.getTime());
  const canaries = chosen.flatMap(({ slices: [first, second] }) =>
    first && second && isUnstamped(first) ? [first] : [],
  );
  const slices = [...lists, ...audits, ...chosen.flatMap((turn) => turn.slices), ...canaries];
  if (requestsPerDay === undefined) return { slices, saved: countSaved(wanted, slices, options) };
  const forecast: Forecast = {
    budget: requestsPerDay,
    ...forecastTurns(turns, perNight),
    texts: forecastTexts(wanted, requestsPerDay, perNight),
  };
  return { slices, forecast };
}
