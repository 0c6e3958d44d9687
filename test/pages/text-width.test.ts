/** How wide a text in a drawing is, before a browser has drawn it. */
import { expect, test } from "vitest";
import { fitText, widthOfText } from "../../src/extra/pages/charts/text-width.ts";

test("marks take no room, and are not parted from their letters", () => {
  for (const [marked, plain] of [
    ["กี่", "ก"],
    ["ស្ត្រី", "ស"],
    ["e\u0302\u0301", "ế"],
    ["مُحَمَّد", "محمد"],
  ] as const)
    expect(widthOfText(marked), marked).toBe(widthOfText(plain));
  expect(widthOfText("漢字かなカナ한글")).toBe(8 * 12);
  expect(fitText("กี่กี่กี่กี่", widthOfText("กก…"))).toBe("กี่กี่…");
});
