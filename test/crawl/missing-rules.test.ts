import { describe, expect, test } from "vitest";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import { createPageSizes, type PageSizes } from "../../src/crawl/ask/page-size.ts";
import { drawDifferent } from "../../src/crawl/ask/queue.ts";
import { findRefusal, type NightFacts } from "../../src/crawl/missing/gates.ts";
import { openPlanned, planNightOf, selectWhere, type Where } from "../helpers/planned-night.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `endpoint${n + 1}`);

/** A night of a thousand slices in ten endpoints in which nothing is missing. */
const WELL: NightFacts = {
  hasRoster: true,
  due: 1000,
  newlyMissing: 0,
  singles: 0,
  examples: [],
  newlyClosed: [],
  open: names(10),
  newParts: [],
  hasBudget: false,
  maxMissing: 1,
};

describe("a night is published", () => {
  test.for<Partial<NightFacts>>([
    {},
    { newlyClosed: names(4) },
    { newlyClosed: ["endpoint1"], open: names(3) },
    // Endpoints that the base has closed, left out or never heard of are none of those that were open.
    { newlyClosed: [...names(4), "another", "and another"] },
    { newlyClosed: ["another"], open: ["endpoint1"] },
    { newlyMissing: 333, newParts: ["rank glory"] },
    { singles: 10 },
    { singles: 3, due: 20 },
    { singles: 200, maxMissing: 20 },
    { maxMissing: 0 },
    { newlyMissing: 900, singles: 900, hasBudget: true },
    { singles: 900, hasBudget: true, maxMissing: 0 },
    { newlyClosed: names(10), newlyMissing: 1000, singles: 500, maxMissing: 100 },
  ])("%j", (facts) => {
    expect(findRefusal({ ...WELL, ...facts })).toBeUndefined();
  });
});

describe("a night is refused, and the line names the option that opens the gate", () => {
  test.for<[facts: Partial<NightFacts>, says: string, option: string]>([
    [{ newlyClosed: names(5) }, "5 of 10 endpoints gave nothing", "--max-missing 100"],
    [{ newlyClosed: names(5), hasBudget: true }, "5 of 10 endpoints gave nothing", "--max-missing 100"],
    [{ newlyClosed: names(1), open: names(2) }, "1 of 2 endpoints gave nothing", "--max-missing 100"],
    [{ newlyClosed: names(1), open: names(1) }, "1 of 1 endpoints gave nothing", "--max-missing 100"],
    [{ newlyClosed: names(2), open: names(3) }, "2 of 3 endpoints gave nothing", "--max-missing 100"],
    [{ newlyMissing: 334 }, "334 of 1000 slices are newly missing", "--max-missing 100"],
    [{ singles: 11 }, "11 of 1000 slices are missing, and at most 10 may be", "--max-missing 2"],
    [{ singles: 4, due: 20 }, "4 of 20 slices are missing, and at most 3 may be", "--max-missing 20"],
    [{ singles: 250, maxMissing: 20 }, "250 of 1000 slices are missing", "--max-missing 25"],
    [{ singles: 1, maxMissing: 0 }, "1 of 1000 slices are missing, and at most 0 may be", "--max-missing 1"],
    [{ newParts: ["rank glory"], maxMissing: 0 }, "closed since this night: rank glory", "--max-missing 1"],
    [{ newlyClosed: ["another"], maxMissing: 0 }, "closed since this night: another", "--max-missing 1"],
  ])("%j", ([facts, says, option]) => {
    const refusal = findRefusal({ ...WELL, ...facts });
    expect([refusal?.exit, refusal?.message, refusal?.hint]).toEqual([
      3,
      expect.stringContaining(says),
      expect.stringMatching(new RegExp(`run the same command again .* with ${option}$`)),
    ]);
    const [, percent] = option.split(" ");
    expect(findRefusal({ ...WELL, ...facts, maxMissing: Number(percent) })).toBeUndefined();
  });

  test("but for the list of heroes, which no option makes up for", () => {
    for (const more of [{}, { hasBudget: true }, { maxMissing: 100 }])
      expect(findRefusal({ ...WELL, ...more, hasRoster: false })).toMatchObject({
        exit: 3,
        message: "the list of heroes was not answered; nothing was published",
      });
  });
});

describe("slices are drawn that differ as much as can be", () => {
  const { slices } = planNightOf("heroes,relations,stats,counters", 4);

  test.for<[of: Where[], others: Where[], drawn: string[]]>([
    [["counters"], [], ["1 all 1", "2 glory 7", "3 all 1"]],
    [["counters hero=2"], [], ["2 all 1", "2 glory 7", "2 all 7"]],
    [["counters"], ["counters hero=1 rank=all days=1"], ["2 glory 7", "3 all 1", "4 all 1"]],
    [["relations"], ["relations hero=1,2"], ["3", "4", "1"]],
    [["heroes"], [], ["en", "ja", "km"]],
    [["relations hero=1"], [], ["1"]],
  ])("of %j beside %j", ([of, others, drawn]) => {
    const chosen = drawDifferent(
      selectWhere(slices, of).map((slice) => ({ slice })),
      3,
      selectWhere(slices, others),
    );
    expect(new Set(chosen.map(({ slice }) => sliceId(slice))).size).toBe(chosen.length);
    expect(chosen.map(({ slice }) => inWords(slice))).toEqual(drawn);
  });

  const inWords = ({ hero, rank, days, lang }: Slice) =>
    [hero, rank, days].filter((word) => word !== undefined).join(" ") || lang;
});

describe("the size of pages is learned", () => {
  type Step = [answer: "held" | number, dataset: string, size: number, next: number | undefined];

  test.for<[current: number, steps: Step[]]>([
    [200, [["held", "rank", 200, 200]]],
    // Half as large until one is answered, which all others then are.
    [
      50,
      [
        [422, "rank", 200, 100],
        [400, "rank", 100, 50],
        ["held", "rank", 50, 50],
      ],
    ],
    [
      20,
      [
        [413, "rank", 200, 100],
        [413, "rank", 100, 50],
        [413, "rank", 50, 25],
        [413, "rank", 25, 20],
        ["held", "rank", 20, 20],
      ],
    ],
    // It is not about the size: another status, an endpoint that answers pages of that size, one that refuses the least size too.
    [
      200,
      [
        [404, "rank", 200, undefined],
        [500, "rank", 200, undefined],
      ],
    ],
    [
      200,
      [
        ["held", "rank", 200, 200],
        [422, "rank", 200, undefined],
        [422, "heroes", 200, 100],
      ],
    ],
    [
      200,
      [
        [422, "rank", 20, undefined],
        [422, "rank", 200, undefined],
      ],
    ],
  ])("%d after %j", ([current, steps]) => {
    const journal = openPlanned(planNightOf("heroes", 1));
    const sizes = createPageSizes(journal);
    for (const [answer, dataset, size, next] of steps) {
      if (answer === "held") sizes.held(dataset, size);
      expect(answer === "held" ? sizes.current() : sizes.smaller(dataset, size, answer)).toBe(next);
    }
    const seen: PageSizes[] = [sizes, createPageSizes(journal)];
    expect(seen.map((one) => one.current())).toEqual([current, current]);
    journal.close();
  });
});
