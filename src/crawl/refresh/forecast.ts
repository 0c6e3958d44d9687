import { type Slice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { heldOf, type RefreshOptions, wasEmpty } from "./base.ts";
import { refreshKindOf } from "./kinds.ts";
import { auditsOf, TEXT_SHARE } from "./texts.ts";
import { chooseTurns, DAY_MS, type Turn } from "./turns.ts";

/** The forecast for a budget, from a simulation of many nights in which no data changes. Ages are in days. */
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
  /** Requests of all its turns. */
  requests: number;
  /** The target age of what most people look at, and of the rest. */
  core_target_age: number;
  target_age: number;
  /** The oldest slice group once all have had their turns. */
  oldest_age: number;
  /** The oldest slice group if each third night is missed. */
  bound: number;
}

export interface TextForecast {
  slices: number;
  /** Days from a new version of the game to its texts in all languages, if all of them change. */
  bound_after_a_version: number;
  /** Days until each has been looked at without a sign of change. */
  bound: number;
}

/** Nights that are simulated once all have had their turns, or those of three turns if they take longer; and at most. */
const YEAR = 365;
const MAX_NIGHTS = 3000;
/** Bounds are computed as if one night in so many was missed. */
const MISSED = 3;
/** Everything then takes so many times as long. */
const LATE = MISSED / (MISSED - 1);

export function forecastTurns(
  turns: readonly Turn[],
  requestsPerDay: number,
): Pick<Forecast, "nights_until_complete" | "datasets"> {
  const { complete, oldest } = passNights(turns, requestsPerDay, () => false);
  const late = passNights(turns, requestsPerDay, (night) => night % MISSED === MISSED - 1);
  const datasets = [...Map.groupBy(turns, ({ dataset }) => dataset)].map(([dataset, members]): DatasetForecast => {
    const targets = members.map(({ targetMs }) => targetMs / DAY_MS);
    const oldestAge = oldest.get(dataset) ?? 1;
    return {
      dataset,
      tables: members.length,
      requests: members.reduce((sum, { slices }) => sum + slices.length, 0),
      core_target_age: round(Math.min(...targets)),
      target_age: round(Math.max(...targets)),
      oldest_age: round(oldestAge),
      bound: Math.ceil(Math.max(oldestAge, late.oldest.get(dataset) ?? 1)),
    };
  });
  return { nights_until_complete: complete, datasets };
}

/**
 * Simulates nights: returns the number until each group was asked, and how old the oldest of each endpoint becomes from then on, in days.
 */
function passNights(turns: readonly Turn[], requestsPerDay: number, isMissed: (night: number) => boolean) {
  const tail = Math.max(YEAR, 3 * Math.max(...turns.map(({ targetMs }) => targetMs / DAY_MS)));
  const start = Math.max(0, ...turns.map(({ oldestMs = 0 }) => oldestMs));
  const oldest = new Map(turns.map(({ dataset }) => [dataset, 1]));
  let complete: number | undefined;
  let current = turns;
  for (let night = 0; night < Math.min(MAX_NIGHTS, (complete ?? MAX_NIGHTS) + tail); night += 1) {
    const now = start + night * DAY_MS;
    if (!current.some(({ isUrgent }) => isUrgent)) complete ??= night;
    if (complete !== undefined)
      for (const { dataset, oldestMs = now } of current)
        oldest.set(dataset, Math.max((now - oldestMs) / DAY_MS, oldest.get(dataset) ?? 0));
    if (isMissed(night)) continue;
    const chosen = new Set(chooseTurns(current, requestsPerDay, now));
    current = current.map((turn) => (chosen.has(turn) ? { ...turn, oldestMs: now, isUrgent: false } : turn));
  }
  return { complete: complete ?? MAX_NIGHTS, oldest };
}

const round = (days: number) => Number(days.toFixed(1));

export function forecastTexts(wanted: readonly Slice[], requestsPerDay: number, perNight: number): TextForecast {
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "text").length;
  const audits = auditsOf(requestsPerDay);
  // English first, so that a night may end before the other languages begin.
  const renewal = Math.ceil(slices / Math.max(1, perNight * TEXT_SHARE - audits)) + 1;
  return {
    slices,
    bound_after_a_version: Math.ceil(renewal * LATE),
    bound: Math.ceil((slices / audits) * LATE),
  };
}

/** Counts the slices that a night skips, by the rule that allows it. */
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
