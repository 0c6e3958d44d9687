import { expect, test } from "vitest";
import { FULL_SELECTION } from "../../src/api/selection.ts";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { type Selected, startNights } from "../helpers/quota/nights.ts";
import { type Event, planEvents } from "../helpers/quota/plan.ts";
import { queryFile } from "../helpers/sqlite.ts";

const draw = createDraw("quota");
const NIGHTS = draw.many(18, 5);
/** One more comes. */
const HEROES = draw.many(9, 4);
const KILLED: Event[] = ["killed", "abandoned"];
const EVENTS: Event[] = FULL
  ? ["patch", "patch", "hero", "off", "twice", ...KILLED, ...KILLED, ...KILLED]
  : ["patch", "hero", draw.pick(KILLED)];
const SELECTED: Selected = FULL
  ? {
      selection: { ...FULL_SELECTION, languages: ["en", "ar", "de", "ja"], ranks: ["all", "epic", "glory"] },
      words: ["--languages", "en,ar,de,ja", "--ranks", "all,epic,glory"],
    }
  : {
      selection: { ...FULL_SELECTION, languages: ["en", "de"], ranks: ["all", "glory"], days: ["7"] },
      words: ["--languages", "en,de", "--ranks", "all,glory", "--days", "7"],
    };
/** A tenth of a full night; of a small one so much that a table fits. */
const budgetOf = (full: number) => (FULL ? Math.ceil(full / 10) : Math.ceil(full / 2));

test(`${NIGHTS} nights within a quota hold what the upstream said when it was asked (${drawn})`, {
  timeout: FULL ? 1_800_000 : 600_000,
}, async () => {
  const events = planEvents(draw, NIGHTS, EVENTS);
  await using nights = await startNights(draw, { day: 0, heroes: HEROES, patch: 0 }, SELECTED, budgetOf);
  const { full, budget, forecast, ages } = nights;
  const tell = (line: string) => void process.stdout.write(`${line}\n`);
  tell(`a full night has ${full} requests, a day ${budget}: ${JSON.stringify(forecast)}`);
  let today = "";
  const faults: string[] = [];
  for (let night = 0; night < NIGHTS; night += 1) {
    const begun = performance.now();
    const event = events.get(night);
    const passed = await nights.pass(event);
    today = passed.day;
    const { asked, killed, holes, suspects } = passed;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const what = [event, killed && `at ${killed}`].filter(Boolean).join(" ");
    tell(`night ${night + 1} ${what}: ${asked} requests, ${holes} holes, ${suspects} suspect, ${seconds} s`);
    for (const fault of passed.faults.slice(0, 10)) tell(`   ${fault}`);
    faults.push(...passed.faults);
  }
  tell(`days (half, 95 of 100, oldest): ${JSON.stringify(ages.spread(today))}`);
  expect(faults).toEqual([]);
  const [end, fresh] = [await nights.crawlAll(nights.data), await nights.crawlAll(nights.apart)];
  expect(contentOf(end)).toEqual(contentOf(fresh));
});

const contentOf = (file: string) => [
  queryFile(file, "SELECT content_hash, rolling FROM snapshot"),
  queryFile(file, "SELECT dataset, slice, position, json FROM record ORDER BY 1, 2, 3"),
];
