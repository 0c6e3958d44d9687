import { type Slice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { heldOf, type RefreshOptions, wasEmpty } from "./base.ts";
import { refreshKindOf } from "./kinds.ts";
import { auditsOf, TEXT_SHARE } from "./texts.ts";
import { chooseTurns, DAY_MS, NEVER_ASKED_RATIO, type Turn } from "./turns.ts";

/** What a budget comes to, told by taking the turns of many nights in which nothing changes. Ages are in days. */
export interface Forecast {
  /** Requests in one UTC day. */
  budget: number;
  /** Nights until each slice was asked at least once. */
  nights_until_complete: number;
  datasets: DatasetForecast[];
  texts: TextForecast;
}

interface DatasetForecast {
  dataset: string;
  /** Slice groups. */
  tables: number;
  /** Of all its turns. */
  requests: number;
  /** Of what most people look at, and of the rest. */
  core_target_age: number;
  target_age: number;
  /** The oldest slice group once all have had their turns. */
  oldest_age: number;
  /** Whatever happens: nights that are missed, answers that fail, versions of the game, new heroes. */
  bound: number;
}

export interface TextForecast {
  slices: number;
  /** Days from a new version of the game to its texts in all languages, if all of them change. */
  bound_after_a_version: number;
  /** Days until each has been looked at, without one. */
  bound: number;
}

/** Nights that are looked at, at most. */
const MAX_NIGHTS = 3000;
/** A bound leaves room for nights that are missed, answers that fail and new texts. */
const BOUND = { factor: 1.5, nights: 3 };

export function forecastTurns(
  turns: readonly Turn[],
  requestsPerDay: number,
): Pick<Forecast, "nights_until_complete" | "datasets"> {
  let night = 0;
  let complete = turns.every(({ isWhole }) => isWhole) ? 0 : undefined;
  let current = turns.map((turn) => ({ ...turn, oldestMs: turn.oldestMs ?? 0 }));
  const start = Math.max(0, ...current.map(({ oldestMs }) => oldestMs));
  const oldest = new Map<string, number>();
  const longest = Math.max(1, ...turns.map(({ targetMs }) => targetMs / DAY_MS));
  // Once all have been asked, until the slowest has had two turns more.
  const tail = Math.ceil(3 * longest);
  for (let end = complete === 0 ? tail : MAX_NIGHTS; night < end; night += 1) {
    const now = start + night * DAY_MS;
    const chosen = new Set(chooseTurns(current, requestsPerDay, now).map(({ group }) => group));
    if (complete !== undefined)
      for (const { dataset, oldestMs } of current) raise(oldest, dataset, (now - oldestMs) / DAY_MS);
    current = current.map((turn) => (chosen.has(turn.group) ? { ...turn, oldestMs: now, isWhole: true } : turn));
    if (complete !== undefined || !current.every(({ isWhole }) => isWhole)) continue;
    complete = night + 1;
    end = Math.min(MAX_NIGHTS, night + tail);
  }
  const all = turns.reduce((sum, { slices }) => sum + slices.length, 0);
  // A new hero makes every group due, and its texts use half of each night; a group that is late enough is not delayed by that.
  const pass = 2 * Math.ceil(all / Math.max(1, requestsPerDay));
  const datasets = [...Map.groupBy(turns, ({ dataset }) => dataset)].map(([dataset, members]): DatasetForecast => {
    const oldestAge = Math.max(1, oldest.get(dataset) ?? 0);
    const targets = members.map(({ targetMs }) => targetMs / DAY_MS);
    const passed = Math.min(pass, NEVER_ASKED_RATIO * Math.max(...targets));
    return {
      dataset,
      tables: members.length,
      requests: members.reduce((sum, { slices }) => sum + slices.length, 0),
      core_target_age: round(Math.min(...targets)),
      target_age: round(Math.max(...targets)),
      oldest_age: round(oldestAge),
      bound: Math.ceil(Math.max(oldestAge * BOUND.factor, passed) + BOUND.nights),
    };
  });
  return { nights_until_complete: complete ?? MAX_NIGHTS, datasets };
}

const round = (days: number) => Number(days.toFixed(1));
const raise = (ages: Map<string, number>, dataset: string, age: number) =>
  ages.set(dataset, Math.max(age, ages.get(dataset) ?? 0));

export function forecastTexts(wanted: readonly Slice[], requestsPerDay: number, perNight: number): TextForecast {
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "text").length;
  const audits = auditsOf(requestsPerDay);
  // English first, so that a night may end before the other languages begin.
  const renewal = Math.ceil(slices / Math.max(1, perNight * TEXT_SHARE - audits)) + 1;
  return {
    slices,
    bound_after_a_version: Math.ceil(renewal * BOUND.factor + BOUND.nights),
    bound: Math.ceil((slices / audits) * BOUND.factor + BOUND.nights),
  };
}

/** Slices that a night leaves out, by the rule that allows it. */
export function countSaved(
  wanted: readonly Slice[],
  asked: readonly Slice[],
  { base }: RefreshOptions,
): Record<string, number> {
  const ids = new Set(asked.map(sliceId));
  const left = wanted.filter((slice) => !ids.has(sliceId(slice)) && heldOf(base, slice));
  const texts = left.filter((slice) => refreshKindOf(slice) === "text");
  return {
    empty: left.filter((slice) => !texts.includes(slice) && wasEmpty(base, slice)).length,
    texts_in_english: texts.filter(({ lang }) => lang === BASE_LANG).length,
    texts_in_other_languages: texts.filter(({ lang }) => lang !== BASE_LANG).length,
  };
}
