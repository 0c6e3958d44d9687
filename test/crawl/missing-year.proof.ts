import { expect, test } from "vitest";
import { createRandom, SEED } from "../helpers/random.ts";
import { startSampleNights } from "../helpers/sample-nights.ts";
import { ENDPOINTS, KINDS, MODES, type Mode } from "./missing-year/kinds.ts";
import { live, type Memory, WORDS } from "./missing-year/live.ts";
import { nameNight, planYear } from "./missing-year/plan.ts";

const NIGHTS = 100;

test(`a year of an upstream to which all kinds of things happen loses those nights only that the rule refuses (SEED=${SEED})`, async () => {
  await using nights = await startSampleNights(ENDPOINTS, { heroes: 8, words: WORDS });
  const memory: Memory = { days: new Map(), empty: new Set() };
  const year = planYear(NIGHTS, createRandom("year"));
  const [wrong, lost]: [string[], string[]] = [[], []];
  const codes: Record<string, number> = {};
  let [checked, skipped] = [0, 0];
  for (const night of year) {
    const lived = await live(nights, night, memory);
    wrong.push(...lived.wrong.map((what) => `${nameNight(night)}: ${what}`));
    if (lived.lost !== undefined) lost.push(lived.lost);
    codes[String(lived.code)] = (codes[String(lived.code)] ?? 0) + 1;
    checked += lived.checked;
    skipped += lived.skipped;
  }
  expect(wrong).toEqual([]);
  const causes = [...Map.groupBy(lost, (cause) => cause)].map(([cause, { length }]) => `${length} ${cause}`);
  const ends = Object.entries(codes).map(([code, count]) => `${count} with ${code}`);
  process.stdout.write(
    `${NIGHTS} nights (${ends.join(", ")}), ${lost.length} lost (${causes.join(", ")}), ${checked} slices compared, ${skipped} of them not asked\n`,
  );
  const happened = new Set(year.flatMap(({ events }) => events.map(({ name }) => name)));
  expect(happened.size).toBeGreaterThanOrEqual(40);
  expect(happened.size).toBeLessThanOrEqual(KINDS.length);
  expect(new Set(year.map(({ mode }) => mode))).toEqual(new Set(Object.keys(MODES) as Mode[]));
  expect(checked).toBeGreaterThan(10_000);
  expect(skipped).toBeLessThan(checked / 100);
});
