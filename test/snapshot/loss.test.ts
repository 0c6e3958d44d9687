import { describe, expect, test } from "vitest";
import { checkShrink } from "../../src/snapshot/published/shrink-guard.ts";

describe("a loss", () => {
  const whole = { heroes: 133, languages: 17, records: 200_000 };

  test("names a few of many endpoints that are lost", () => {
    const lost = ["a", "b", "c", "d", "e", "f".repeat(99), "g"];
    expect(() => checkShrink(whole, { ...whole, heroes: 100 }, 5, lost)).toThrow(
      /heroes from 133 to 100, all records of a, b, c, d, e and 2 more; .*$/,
    );
    expect(() => checkShrink(whole, whole, 100, lost)).not.toThrow();
  });

  test.for([
    [{ heroes: 113 }, 5, /: heroes from 133 to 113; .*/],
    [{ languages: 16 }, 5, /: languages from 17 to 16; .*/],
    [{ records: 189_999 }, 5, /: records from 200000 to 189999; .*/],
    [{ heroes: 132 }, 0, /more than 0 %: heroes from 133 to 132/],
    [{ heroes: 0, languages: 0, records: 0 }, 99.9, /heroes from 133 to 0, languages from 17 to 0, records from/],
  ] as const)("refuses %j at %d %%", ([change, maxLoss, message]) => {
    expect(() => checkShrink(whole, { ...whole, ...change }, maxLoss)).toThrow(
      expect.objectContaining({ exit: 5, message: expect.stringMatching(message) }),
    );
  });

  test.for([
    [{}, 0],
    [{ heroes: 134, records: 300_000 }, 0],
    [{ heroes: 127 }, 5],
    [{ records: 190_000 }, 5],
    [{ heroes: 0, languages: 0, records: 0 }, 100],
  ] as const)("passes %j at %d %%", ([change, maxLoss]) => {
    expect(() => checkShrink(whole, { ...whole, ...change }, maxLoss)).not.toThrow();
  });
});
