/** Figures as each language writes them. */
import { afterAll, describe, expect, test } from "vitest";
import type { Lang } from "../../src/api/enumerations.ts";
import { factsOf } from "../../src/extra/pages/facts.ts";
import { figuresIn } from "../../src/extra/pages/figures.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { TIER_LIST } from "../../src/extra/pages/rates/tier-list.ts";
import { attributeOf, type Element, elementsOf, parseHtml, rowsOf } from "../helpers/html.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { askApi } from "../helpers/people.ts";
import { percent } from "../helpers/rates.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

const WRITTEN = {
  en: {
    percents: ["57.5%", "0.14%", "53%", "0.25%"],
    points: ["+1.6", "−1.6", "±0.0", "−0.04"],
    counts: ["30,000", "−1200"],
    bytes: ["1.5 kB", "250.0 MB"],
    times: ["2026-11-25 07:17 UTC", "2026-11-25", "Nov 25", "14 days"],
  },
  de: {
    percents: ["57,5\u00a0%", "0,14\u00a0%", "53\u00a0%", "0,25\u00a0%"],
    points: ["+1,6", "−1,6", "±0,0", "−0,04"],
    counts: ["30.000", "−1200"],
    bytes: ["1,5 kB", "250,0 MB"],
    times: ["25.11.2026, 07:17 UTC", "25.11.2026", "25. Nov.", "14 Tage"],
  },
  fr: {
    percents: ["57,5\u00a0%", "0,14\u00a0%", "53\u00a0%", "0,25\u00a0%"],
    points: ["+1,6", "−1,6", "±0,0", "−0,04"],
    counts: ["30\u202f000", "−1200"],
    bytes: ["1,5\u202fko", "250,0\u202fMo"],
    times: ["25 nov. 2026, 07:17 UTC", "25 nov. 2026", "25 nov.", "14\u00a0jours"],
  },
  tr: {
    percents: ["%57,5", "%0,14", "%53", "%0,25"],
    points: ["+1,6", "−1,6", "±0,0", "−0,04"],
    counts: ["30.000", "−1200"],
    bytes: ["1,5 kB", "250,0 MB"],
    times: ["25 Kas 2026 07:17 UTC", "25 Kas 2026", "25 Kas", "14 gün"],
  },
  ja: {
    percents: ["57.5%", "0.14%", "53%", "0.25%"],
    points: ["+1.6", "−1.6", "±0.0", "−0.04"],
    counts: ["30,000", "−1200"],
    bytes: ["1.5 KB", "250.0 MB"],
    times: ["2026/11/25 7:17 UTC", "2026/11/25", "11月25日", "14 日"],
  },
  // A sign stands alone with its number in the direction of numbers.
  ar: {
    percents: ["57.5\u200e%\u200e", "0.14\u200e%\u200e", "53\u200e%\u200e", "0.25\u200e%\u200e"],
    points: ["\u2066+1.6\u2069", "\u2066−1.6\u2069", "\u2066±0.0\u2069", "\u2066−0.04\u2069"],
    counts: ["30,000", "\u2066−1200\u2069"],
    bytes: ["1.5 كيلوبايت", "250.0 م.ب"],
    times: [...["25\u200f/11\u200f/2026، 7:17 ص UTC", "25\u200f/11\u200f/2026"], ...["25 نوفمبر", "14 يومًا"]],
  },
} satisfies Partial<Record<Lang, Record<"percents" | "points" | "counts" | "bytes" | "times", string[]>>>;

describe("figures", () => {
  test.for(Object.entries(WRITTEN))("in %s are written as that language has them", ([lang, written]) => {
    const figures = figuresIn(lang as Lang);
    const textOf = (shown: { text: string }) => parseHtml(shown.text).text;
    const { writePercent, writePoints } = figures;
    const [iso, day] = ["2026-11-25T07:17:09Z", "2026-11-25"];
    expect({
      percents: [writePercent(0.575), writePercent(0.0014), writePercent(0.53, 0), figures.writeRoundPercent(0.0025)],
      points: [...[0.016, -0.016, -0.0001].map((one) => writePoints(one)), figures.writeChange(-0.0004)],
      counts: [textOf(figures.count(30_000)), figures.writeDifference(-1200)],
      bytes: [1500, 2.5e8].map((size) => textOf(figures.bytes(size))),
      times: [
        ...[textOf(figures.time(iso)), textOf(figures.day(day))],
        ...[figures.writeShortDay(new Date(day)), figures.writeUnits("day", 14)],
      ],
    }).toEqual(written);
    // What is no day stays as the data has it.
    expect(["2026-02-30", "soon"].map(figures.writeDay)).toEqual(["2026-02-30", "soon"]);
    expect(figures.time(iso).text).toContain(`datetime="${iso}"`);
    expect(textOf(figures.percent(null))).toBe("–");
  });

  test("in German, of the tier list, are those of the API", async () => {
    const { snapshot } = mirror.active;
    const facts = factsOf(snapshot, "de");
    const context = {
      ...{ snapshot, facts, path: "/tiers", lang: "de" as const, messages: facts.messages, figures: figuresIn("de") },
      values: { lang: "de", rank: "glory", days: "15", role: "all", lane: "all", least: "0", sort: "win_rate" },
      ...{ pictures: false, publicUrl: undefined, published: () => undefined, now: 0 },
      others: { list: () => [], readChanges: () => undefined },
    };
    const [listing] = elementsOf(parseHtml(TIER_LIST.render(context, 0).main.text), "table");
    const rates = rowsOf(listing as Element).map(([, , rate]) => rate && elementsOf(rate, "data")[0]);
    const told = await askApi(
      mirror,
      "/api/heroes/rank?rank=glory&days=15&size=200&lang=de&sort_field=win_rate&sort_order=desc",
    );
    expect(rates.map((rate) => Number(attributeOf(rate, "value")))).toEqual(told.map((one) => one.main_hero_win_rate));
    for (const rate of rates)
      expect(rate?.text).toBe(
        percent(Number(attributeOf(rate, "value")))
          .replace(".", ",")
          .replace("%", "\u00a0%"),
      );
  });
});
