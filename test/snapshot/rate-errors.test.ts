/** What `win_rate_error` says of rates whose chance is known: trends with noise that is drawn here. */
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { DAY_WINDOWS } from "../../src/api/enumerations.ts";
import { createDeriver, createTables } from "../../src/snapshot/derive/deriver.ts";
import { errorOfMean, readRateErrors } from "../../src/snapshot/derive/rate-errors.ts";
import { DAYS_OF_TREND } from "../../src/snapshot/schema/tables/rate-error.ts";
import { createRandom } from "../helpers/random.ts";

const random = createRandom("rate-errors");
const STEPS = 2 ** 31;
const unit = () => (random.below(STEPS) + 0.5) / STEPS;
const normal = () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());

/** Of a day, in shares of 1. */
const NOISE = 0.005;
const HEROES = 4000;
const DAYS = Array.from({ length: DAYS_OF_TREND }, (_, day) => day);

/** The chance of each day, and what really happened to the hero. */
interface Shape {
  chance: () => number[];
  truth?: () => (day: number) => number;
}

const drawDays = (days: number) => Array.from({ length: days }, () => NOISE * normal());
const white = () => drawDays(DAYS_OF_TREND);

/** Each day of the trend is the mean of so many: windows that overlap. */
function smoothed(days: number) {
  const drawn = drawDays(DAYS_OF_TREND + days - 1);
  return DAYS.map((day) => drawn.slice(day, day + days).reduce((sum, one) => sum + one, 0) / days);
}

function wandering() {
  const steps = DAYS.map(() => 0.3 * NOISE * normal());
  const walk = steps.map((_, day) => steps.slice(0, day + 1).reduce((sum, step) => sum + step, 0));
  return (day: number) => walk[day] ?? 0;
}

const rms = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
const meanOfLast = (values: readonly number[], days: number) =>
  values.slice(-days).reduce((sum, value) => sum + value, 0) / days;

/** The error that is said, in terms of what chance alone does to the mean of the last days. */
function measure({ chance, truth = () => () => 0 }: Shape, days: number): number {
  const heroes = Array.from({ length: HEROES }, () => {
    const [drawn, happened] = [chance(), truth()];
    const rates = drawn.map((one, day) => 0.5 + one + happened(day));
    return { said: errorOfMean(rates, days), moved: meanOfLast(drawn, days) };
  });
  return rms(heroes.map(({ said }) => said)) / rms(heroes.map(({ moved }) => moved));
}

describe("the error of a win rate", () => {
  const EXACT: Record<string, Shape> = {
    "days by themselves": { chance: white },
    "a steady rise": { chance: white, truth: () => (day) => 0.2 * NOISE * day },
    "a steep fall": { chance: white, truth: () => (day) => -2 * NOISE * day },
    "a rate that differs over the week": {
      chance: white,
      truth: () => (day) => 0.3 * NOISE * Math.sin((2 * Math.PI * day) / 7),
    },
  };
  test.for(
    Object.entries(EXACT).flatMap(([name, shape]) => DAY_WINDOWS.map((days) => [name, Number(days), shape] as const)),
  )("is the scatter of the rate within a tenth: %s, %i days", ([, days, shape]) => {
    const ratio = measure(shape, days);
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.1);
  });

  const MOVED: Record<string, Shape> = {
    "a patch halfway": { chance: white, truth: () => (day) => (day < DAYS_OF_TREND / 2 ? 0 : 2 * NOISE) },
    "a rate that wanders": { chance: white, truth: wandering },
  };
  test.for(
    Object.entries(MOVED).flatMap(([name, shape]) => DAY_WINDOWS.map((days) => [name, Number(days), shape] as const)),
  )("is too large, by a half or so, if the hero itself moved: %s, %i days", ([, days, shape]) => {
    const ratio = measure(shape, days);
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(1.6);
  });

  test.for([2, 3, 7].flatMap((mean) => DAY_WINDOWS.map((days) => [mean, Number(days)] as const)))(
    "is too small, by a third at most, if a day of the trend is the mean of %i: %i days",
    ([mean, days]) => {
      const ratio = measure({ chance: () => smoothed(mean) }, days);
      expect(ratio).toBeGreaterThan(2 / 3);
      expect(ratio).toBeLessThan(1);
    },
  );

  test("is there for whole trends only, one day behind the other, and never without a number", () => {
    const db = new SQLite(":memory:");
    createTables(db);
    createDeriver(db);
    db.pragma("foreign_keys = OFF");
    const insert = db.prepare(
      "INSERT INTO hero_trend (hero_id, rank, date, win_rate, ban_rate, appearance_rate, slice_id) VALUES (?, ?, ?, ?, 0, 0, 1)",
    );
    const dayOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
    const add = (hero: number, days: readonly number[], rate: (day: number) => number, name = dayOf) => {
      for (const day of days) insert.run(hero, "all", name(day), rate(day));
    };
    add(1, DAYS, (day) => 0.5 + 0.001 * (day % 2));
    add(2, DAYS.slice(1), () => 0.5);
    add(
      3,
      DAYS,
      () => 0.5,
      (day) => dayOf(day < 15 ? day : day + 1),
    );
    add(4, DAYS, (day) => (day === 3 ? Number.POSITIVE_INFINITY : 0.5));
    add(
      5,
      DAYS,
      () => 0.5,
      (day) => `day ${day}`,
    );
    add(6, DAYS, () => 0.5);
    add(
      7,
      DAYS,
      () => 0.5,
      (day) => `${dayOf(day)} 00:00:00`,
    );
    // A week of a later night: the last of all days count.
    const rolling = DAYS.map((day) => day + 3);
    add(8, [0, 1, 2, ...rolling], (day) => 0.5 + 0.001 * (day % 2) + (day < 3 ? 0.1 : 0));
    add(9, [...DAYS, ...rolling.slice(-2)], () => 0.5);
    const errors = readRateErrors(db);
    expect([...new Set(errors.map(({ hero_id }) => hero_id))]).toEqual([1, 6, 8]);
    expect(errors.filter(({ hero_id }) => hero_id === 6).map(({ win_rate_error }) => win_rate_error)).toEqual([
      0, 0, 0, 0, 0,
    ]);
    expect(errors[0]).toEqual({ rank: "all", days: 1, hero_id: 1, win_rate_error: 0.000517 });
    expect(errors.find(({ hero_id }) => hero_id === 8)).toEqual({ ...errors[0], hero_id: 8 });
    db.exec("DELETE FROM day_window WHERE days > 3");
    expect(readRateErrors(db).filter(({ hero_id }) => hero_id === 1)).toEqual(errors.slice(0, 2));
    db.close();
  });
});
