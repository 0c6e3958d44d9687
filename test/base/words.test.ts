import { expect, test } from "vitest";
import { describeDuration, truncate } from "../../src/base/words.ts";

test.for([
  [0, "0 s"],
  [59.2, "60 s"],
  [60, "1 min"],
  [3569, "59 min"],
  [3570, "1 h"],
  [3600, "1 h"],
  [3720, "1 h 2 min"],
  [47 * 3600, "47 h"],
  [48 * 3600, "2 d"],
  [76 * 3600, "3 d 4 h"],
] as const)("%d seconds are %s", ([seconds, words]) => {
  expect(describeDuration(seconds)).toBe(words);
});

test("a text from outside is cut after 300 characters", () => {
  expect(truncate("x".repeat(300))).toBe("x".repeat(300));
  expect(truncate("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
});
