/** What `noise.ts` and data/NIGHTS.md promise of news, tried on nights of nothing but chance, and of chance and one change. */
import { describe, expect, test } from "vitest";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import {
  LEAST_CHANGE,
  LEAST_MATCHUP_CHANGE,
  RATE_NAMES,
  relativeErrors,
  winErrors,
} from "../../src/extra/nights/diff/statistics/error-models.ts";
import { findNews, type MeasuredChange } from "../../src/extra/nights/diff/statistics/noise.ts";
import { createRandom, SEED } from "../helpers/random.ts";

const random = createRandom("noise");
const STEPS = 2 ** 31;
const unit = () => (random.below(STEPS) + 0.5) / STEPS;
const normal = () => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit());
const rounded = (share: number) => Math.round(share * 1e6) / 1e6;

/** Of picks: the hero that is played most is played fifty times as much as the one that is played least. */
const drawShares = (heroes: number) => Array.from({ length: heroes }, () => 0.0006 * 50 ** unit());

/** Won matches of so many, as a share. Normal from a few dozen on. */
function winShare(matches: number, chance: number): number {
  if (matches > 40) return chance + Math.sqrt((chance * (1 - chance)) / matches) * normal();
  return Array.from({ length: matches }, () => unit()).filter((at) => at < chance).length / matches;
}

/** How many matches there are where so many are expected. */
const drawMatches = (expected: number) => Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()));

interface Group {
  least: number;
  changes: MeasuredChange[];
}

type Shape = (heroes: number) => Group[];

/** Every rate in every rank and window; `chanceOf` gives the changes of a hero in the windows of a rank. */
const ratesOf =
  (chanceOf: (rate: (typeof RATE_NAMES)[number], share: number) => number[]): Shape =>
  (heroes) =>
    RANK_CODES.flatMap(() => {
      const shares = drawShares(heroes);
      return RATE_NAMES.flatMap((rate) => {
        const drawn = shares.map((share) => chanceOf(rate, share));
        return DAY_WINDOWS.map((_, window) => ({
          least: LEAST_CHANGE[rate],
          changes: shares.map((share, hero) => ({
            change: rounded(drawn[hero]?.[window] ?? 0),
            relativeErrors: relativeErrors(rate, share, share, share),
          })),
        }));
      });
    });

/** Every pair of opponents in every rank. */
const pairsOf =
  (chanceOf: (...shares: [number, number]) => number | undefined): Shape =>
  (heroes) =>
    RANK_CODES.map(() => {
      const shares = drawShares(heroes);
      const changes = shares.flatMap((share, hero) =>
        shares.slice(hero + 1).flatMap((other) => {
          const change = chanceOf(share, other);
          return change === undefined ? [] : [{ change: rounded(change), relativeErrors: winErrors(share, other) }];
        }),
      );
      return { least: LEAST_MATCHUP_CHANGE, changes };
    });

/** A share goes as far as its own size lets it. */
const dailyOf = (rate: (typeof RATE_NAMES)[number], share: number) =>
  rate === "win_rate" ? 0.01 : Math.sqrt(share) / 10;
const inWindows = (draw: (days: number) => number) => DAY_WINDOWS.map((days) => draw(Number(days)));

/** Of a day that enters a window and of one that leaves it; all windows have the same new day. */
function overlapping(size: number): number[] {
  const entered = normal();
  return inWindows((days) => (size * (entered - normal())) / days);
}

function pairsCounted(matches: number) {
  return (share: number, other: number) => {
    const chance = 0.5 + 0.03 * Math.tanh(normal());
    const [before, after] = [drawMatches(matches * share * other), drawMatches(matches * share * other)];
    return before < 10 || after < 10 ? undefined : winShare(after, chance) - winShare(before, chance);
  };
}

const SHAPES: Record<string, Shape> = {
  "rates, each day and window by itself": ratesOf((rate, share) => inWindows(() => dailyOf(rate, share) * normal())),
  "rates, windows that overlap": ratesOf((rate, share) => overlapping(2 * dailyOf(rate, share))),
  "rates, matches counted": ratesOf((rate, share) => {
    const matches = drawMatches(2e5 * share);
    return rate === "win_rate"
      ? inWindows((days) => winShare(matches * days, 0.5) - winShare(matches * days, 0.5))
      : overlapping(Math.sqrt(share / 2e3));
  }),
  "rates, popularity that drifts": ratesOf((rate, share) => overlapping(rate === "win_rate" ? 0.01 : 0.3 * share)),
  "matchups, each pair alike": pairsOf(() => 0.01 * normal()),
  "matchups, many matches counted": pairsOf(pairsCounted(4e7)),
  "matchups, few matches counted": pairsOf(pairsCounted(2e6)),
};

/** Smaller rosters have smaller nights, of which more are tried. */
const ROSTERS = [
  [5, 1000],
  [8, 1000],
  [9, 1000],
  [12, 500],
  [20, 300],
  [50, 60],
  [133, 20],
] as const;

const STEP = 1e-6;

const countFalse = (groups: readonly Group[]) =>
  groups.reduce((sum, { changes, least }) => sum + findNews(changes, least, STEP).news.length, 0);

describe("of nothing but chance", () => {
  test.each(Object.entries(SHAPES))("less than one item in twenty nights is news: %s", (_, shape) => {
    for (const [heroes, nights] of ROSTERS) {
      let found = 0;
      for (let night = 0; night < nights; night += 1) found += countFalse(shape(heroes));
      expect(found, `SEED=${SEED}, ${nights} nights of ${heroes} heroes`).toBeLessThan(Math.max(2, nights / 20));
    }
  });

  test("a list of the best five would be news: who stays in it has moved little", () => {
    let found = 0;
    for (let night = 0; night < 20; night += 1) {
      const before = Array.from({ length: 133 }, () => Array.from({ length: 132 }, () => 0.03 * normal()));
      const after = before.map((pairs) => pairs.map((value) => value + 0.0141 * normal()));
      const edgeOf = (values: readonly number[]) => values.toSorted((a, b) => b - a)[4] ?? 0;
      const changes = before.flatMap((pairs, hero) => {
        const now = after[hero] ?? [];
        const [was, is] = [edgeOf(pairs), edgeOf(now)];
        return pairs.flatMap((value, other) => {
          const here = now[other] ?? 0;
          return value < was || here < is ? [] : [{ change: here - value, relativeErrors: [1] }];
        });
      });
      const { deviation } = findNews(changes, 0, STEP).spread;
      expect(deviation).toBeLessThan(0.0141);
      found += before.flatMap((pairs, hero) =>
        pairs.filter((value, other) => Math.abs((after[hero]?.[other] ?? 0) - value) > 4 * deviation),
      ).length;
    }
    expect(found / 20).toBeGreaterThan(5);
  });
});

describe("a change of one hero or pair", () => {
  /** In deviations of its own chance, or of that of a hero in the middle if that is more: it may hold for all. */
  const SIZES = [
    [8, 0.9],
    [12, 1],
  ] as const;

  test.each(SIZES)("of %i deviations is news in %d of the nights", (size, share) => {
    const nights = 200;
    const tries: Record<string, () => boolean> = {
      "a rate among 133 heroes": () => {
        const shares = drawShares(133);
        const deviations = shares.map((own) => 0.001 / Math.sqrt(own));
        return isFound(
          shares.map((own) => winErrors(own)),
          deviations,
          size,
        );
      },
      "a matchup among 40 heroes": () => {
        const shares = drawShares(40);
        const pairs = shares.flatMap((own, hero) => shares.slice(hero + 1).map((other) => [own, other] as const));
        return isFound(
          pairs.map((both) => winErrors(...both)),
          pairs.map(([own, other]) => 0.0001 / Math.sqrt(own * other)),
          size,
        );
      },
    };
    for (const [what, isNews] of Object.entries(tries)) {
      const found = Array.from({ length: nights }, isNews).filter(Boolean).length;
      expect(found / nights, `SEED=${SEED}, ${what}`).toBeGreaterThanOrEqual(share);
    }
  });

  function isFound(errors: readonly number[][], deviations: readonly number[], size: number): boolean {
    const planted = random.below(errors.length);
    const middle = deviations.toSorted((a, b) => a - b)[deviations.length >> 1] ?? 0;
    const changes = errors.map((own, at) => {
      const deviation = deviations[at] ?? 0;
      const change = deviation * normal() + (at === planted ? size * Math.max(deviation, middle) : 0);
      return { at, change, relativeErrors: own };
    });
    return findNews(changes, LEAST_CHANGE.win_rate, STEP).news.some(({ at }) => at === planted);
  }
});
