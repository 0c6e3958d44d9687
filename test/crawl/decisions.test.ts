import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashSlice } from "../../src/api/body/canonical.ts";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import type { Selection } from "../../src/api/selection.ts";
import { UNKNOWN_TIME } from "../../src/api/slice-facts.ts";
import { planSlices } from "../../src/crawl/plan.ts";
import { asOf, type CrawlBase, type HeldSlice } from "../../src/crawl/refresh/base.ts";
import { decide } from "../../src/crawl/refresh/decide.ts";
import type { Decision, Night } from "../../src/crawl/refresh/decision.ts";
import { refreshKindOf } from "../../src/crawl/refresh/kinds.ts";
import type { Journal, StoredSlice } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open.ts";

describe("a night of two heroes is a list of decisions", () => {
  const newVersion = { versions: "2.2.17", "hero 1": "a new story", "hero 1 ja": "a new story" };

  test("after a new version, with room for one group of numbers", async () => {
    expect(await playNight({ policy: "budget", requestsPerDay: 20 }, newVersion)).toEqual([
      { step: "lists", suspect: ["heroes ja", "hero 1", "hero 2", "hero 1 ja", "hero 2 ja", "counters 2"] },
      { step: "audits", suspect: ["heroes ja", "hero 1", "hero 2", "hero 1 ja", "hero 2 ja", "counters 2"] },
      {
        step: "originals",
        ask: ["hero 1", "hero 2"],
        suspect: ["heroes ja", "hero 1", "hero 2", "hero 1 ja", "hero 2 ja", "counters 2"],
      },
      {
        step: "translations",
        ask: ["heroes ja", "hero 1 ja"],
        suspect: ["heroes ja", "hero 1", "hero 1 ja", "counters 2"],
      },
      { step: "numbers", ask: ["stats 1", "stats 2"], suspect: ["counters 2"] },
      { step: "filled", suspect: ["counters 2"] },
      { step: "end", suspect: ["counters 2"] },
    ]);
  });

  test("as the page about quotas shows it", async () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "scripts", "quota.md"), "utf8");
    const table = toTable(await playNight({ policy: "budget", requestsPerDay: 20 }, newVersion));
    expect(page).toContain(`<!-- night -->\n${table}<!-- /night -->`);
  });

  test("without a sign of change, if an audit finds a change, an answer fails and an empty slice has records", async () => {
    const words = { "hero 2 ja": "a better translation", "stats 2": FAILS, "counters 2": "now countered" };
    expect(await playNight({ policy: "budget", requestsPerDay: 30 }, words)).toEqual([
      { step: "lists" },
      { step: "audits", ask: ["hero 2 ja", "hero 1"] },
      { step: "originals", suspect: ["hero 1 ja", "hero 2 ja"] },
      { step: "translations", ask: ["hero 1 ja"], suspect: ["hero 1 ja", "hero 2 ja"] },
      { step: "numbers", ask: ["stats 1", "stats 2", "counters 1", "counters 2"] },
      { step: "filled", ask: ["counters 2"] },
      { step: "end", giveBack: ["stats 1"] },
    ]);
  });

  test("with nothing in hand", async () => {
    expect(await playNight({ policy: "budget", base: undefined, requestsPerDay: 20 }, {})).toEqual([
      { step: "lists", ask: ["heroes ja"] },
      { step: "audits" },
      { step: "originals", ask: ["hero 1", "hero 2"] },
      { step: "translations", ask: ["hero 1 ja", "hero 2 ja"] },
      { step: "numbers" },
      { step: "filled" },
      { step: "end" },
    ]);
  });
});

/** What an upstream says of slices; of the others it says what it said the evening before. */
type Words = Readonly<Record<string, string>>;

const FAILS = "fails";

const SELECTION: Selection = {
  languages: ["en", "ja"],
  ranks: ["all"],
  days: ["7"],
  heroes: null,
  endpoints: ["versions", "hero", "stats", "counters"],
};

const WANTED = planSlices(SELECTION, { heroes: [1, 2], subjects: new Map() });
const [EVENING, NEXT_EVENING] = ["2026-09-21T20:00:00.000Z", "2026-09-22T20:00:00.000Z"];

/** Short names, which leave out English, all ranks and the window of a week. */
const nameOf = ({ dataset, hero, lang }: Slice) =>
  [dataset, hero, lang === "en" ? undefined : lang].filter((word) => word !== undefined).join(" ");

const recordsOf = (words: string | undefined) => (words === undefined ? [] : [{ words }]);

/** `counters` had nothing for hero 2. */
const recordsBefore = (slice: Slice) => recordsOf(nameOf(slice) === "counters 2" ? undefined : "as before");

const toRow = (slice: Slice): [string, HeldSlice] => {
  const records = recordsBefore(slice);
  const status = records.length > 0 ? "captured" : "empty";
  return [
    sliceId(slice),
    {
      status,
      sha256: hashSlice(records),
      asked_at: EVENING,
      tried_at: null,
      suspect: 0,
      reason: null,
      part_id: null,
      batch: null,
      stale: 0,
    },
  ];
};

const BASE: CrawlBase = {
  id: { version: "1", sha256: "" },
  startedAt: EVENING,
  heroes: [1, 2],
  closed: [],
  endpoints: [],
  rows: new Map(WANTED.map(toRow)),
  proof: [],
  doubts: new Map(),
  records: recordsBefore,
};

/** Asks for what is decided, until the end of the night. The lists in English come first. */
async function playNight(options: Partial<Pick<Night, "policy" | "base" | "requestsPerDay">>, words: Words) {
  const header = {
    upstreams: ["http://upstream.example"],
    selection: SELECTION,
    finished_at: null,
    policy: "budget" as const,
  };
  const journal = openJournal(":memory:", { ...header, started_at: NEXT_EVENING, began_at: NEXT_EVENING });
  await ask(
    journal,
    WANTED.filter((slice) => refreshKindOf(slice) === "list"),
    words,
  );
  const { requestsPerDay: limit } = options;
  const budgetNow = () => (limit === undefined ? undefined : { limit, left: limit - journal.slices().length });
  const night: Omit<Night, "budget"> = {
    policy: "budget",
    base: BASE,
    ...options,
    journal,
    wanted: WANTED,
    startedAt: new Date(NEXT_EVENING),
    texts: { before: journal.slices().length, limit: 8 },
    unsettled: [],
    isClosed: () => false,
    pause: async () => {},
  };
  const decisions: Decision[] = [];
  for (let last: Decision | undefined; last?.step !== "end"; decisions.push(last)) {
    last = await decide({ ...night, budget: budgetNow() }, last);
    await ask(journal, last.ask, words);
  }
  journal.close();
  return decisions.map(print);
}

async function ask(journal: Journal, slices: readonly Slice[], words: Words) {
  journal.addSlices(slices, "answer");
  for (const stored of journal.slices()) if (stored.state === "pending") await answer(journal, stored, words);
}

async function answer(journal: Journal, { id, slice }: StoredSlice, words: Words) {
  const said = words[nameOf(slice)];
  if (said === FAILS) return journal.markFailed(id, "server-error");
  const records = said === undefined ? recordsBefore(slice) : recordsOf(said);
  const body = Buffer.from(JSON.stringify({ code: 0, data: { records, total: records.length } }));
  await journal.saveAnswer(
    id,
    1,
    { host: "http://upstream.example", at: Date.parse(NEXT_EVENING), body },
    { records: records.length },
  );
}

interface Printed extends Partial<Record<"ask" | "suspect" | "keep" | "giveBack", string[]>> {
  step: string;
}

/** Without what is empty. */
function print({ step, ask: asked, suspect, keep, giveBack }: Decision): Printed {
  const names = new Map(WANTED.map((slice) => [sliceId(slice), nameOf(slice)]));
  const toNames = (ids: Iterable<string>) => [...ids].map((id) => names.get(id) ?? id);
  const lists = {
    ask: asked.map(nameOf),
    keep: keep.map(({ slice }) => nameOf(slice)),
    giveBack: giveBack.map(({ slice }) => nameOf(slice)),
    suspect: toNames(suspect),
  };
  return { step, ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) };
}

function toTable(night: readonly Printed[]): string {
  const rows = night.map(({ step, ask: asked = [], suspect = [] }) => [
    step,
    ...[asked, suspect].map((list) => list.join(", ") || "–"),
  ]);
  const head = [["step", "asks for", "may have changed"], Array(3).fill("---")];
  return [...head, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

test("in the base of a night, a time after its beginning counts as unknown", () => {
  const [before, later] = ["2026-09-20T03:00:00.000Z", "2027-09-20T03:00:00.000Z"];
  const read = (asked_at: string | null, tried_at: string | null) => {
    const rows = new Map([["hero?hero=1&lang=en", { asked_at, tried_at, suspect: 0 } as HeldSlice]]);
    const row = asOf({ rows } as unknown as CrawlBase, "2026-09-21T03:00:00.000Z").rows.get("hero?hero=1&lang=en");
    return [row?.asked_at, row?.tried_at, row?.suspect];
  };
  expect(read(before, null)).toEqual([before, null, 0]);
  expect(read(before, before)).toEqual([before, before, 0]);
  expect(read(later, null)).toEqual([UNKNOWN_TIME, null, 1]);
  expect(read(before, later)).toEqual([before, UNKNOWN_TIME, 1]);
  expect(read(null, later)).toEqual([null, UNKNOWN_TIME, 1]);
});
