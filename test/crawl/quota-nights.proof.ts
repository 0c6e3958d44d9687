/**
 * Eighteen nights within a tenth of a full night's requests: numbers roll over each day, versions of the game change texts, a hero
 * comes, the upstream fails now and then, and crawls are killed. Each night must hold what the upstream said when it was asked.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { request } from "undici";
import { expect, test } from "vitest";
import { hashSlice } from "../../src/api/body/canonical.ts";
import { unwrap } from "../../src/api/body/wrapping.ts";
import { parseSliceId, type Slice, sliceId } from "../../src/api/endpoint.ts";
import { endpointOf } from "../../src/api/endpoints.ts";
import { FULL_SELECTION, type Selection } from "../../src/api/selection.ts";
import { PAGE_SIZE } from "../../src/crawl/ask/page-size.ts";
import { planSlices, slicePath } from "../../src/crawl/plan.ts";
import type { Forecast } from "../../src/crawl/refresh/forecast.ts";
import { refreshKindOf } from "../../src/crawl/refresh/kinds.ts";
import { sliceGroup } from "../../src/journal/stale.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { beginDay } from "../helpers/data-folder.ts";
import { mixOf } from "../helpers/misbehaviours/rules.ts";
import type { MisbehaviourName } from "../helpers/misbehaviours/table.ts";
import { startMisbehaving } from "../helpers/misbehaviours/upstream.ts";
import { createRandom, type Random, SEED } from "../helpers/random.ts";
import { type Ended, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const NIGHTS = 18;
const START = Date.UTC(2026, 7, 1, 3) / 1000;
const SELECTION: Selection = {
  ...FULL_SELECTION,
  languages: ["en", "ar", "de", "ja"],
  ranks: ["all", "epic", "glory"],
};
const WORDS = ["--languages", SELECTION.languages.join(), "--ranks", SELECTION.ranks.join()];

test(`${NIGHTS} nights within a quota hold what the upstream said when it was asked`, async () => {
  const random = createRandom("quota");
  const events = planEvents(random);
  await using nights = await startNights(random);
  for (let night = 0; night < NIGHTS; night += 1) {
    const event = events.get(night);
    expect(await nights.pass(event), `SEED=${SEED}, night ${night + 1}, ${event}`).toEqual([]);
  }
  const [end, fresh] = [await nights.crawlAll(nights.data), await nights.crawlAll(nights.apart)];
  expect(contentOf(end)).toEqual(contentOf(fresh));
});

const contentOf = (file: string) => [
  queryFile(file, "SELECT content_hash, rolling FROM snapshot"),
  queryFile(file, "SELECT dataset, slice, position, json FROM record ORDER BY 1, 2, 3"),
];

/** Events of a night, besides that numbers roll over. */
type Event =
  /** A new version of the game: texts change. */
  | "patch"
  | "hero"
  /** Nobody crawls. */
  | "off"
  /** Killed, and run again on the same day. */
  | "killed"
  /** Killed; the next night goes on with it. */
  | "abandoned"
  /** Run a second time when it is over. */
  | "twice";

const KILLED: readonly Event[] = ["killed", "abandoned"];
const EVENTS: readonly Event[] = ["patch", "patch", "hero", "off", "twice", ...KILLED, ...KILLED, ...KILLED];

/**
 * By night. The first and the last are ordinary ones, and versions of the game come early enough that what follows from them
 * is seen.
 */
function planEvents(random: Random): Map<number, Event> {
  const planned = new Map<number, Event>();
  for (const event of EVENTS) {
    const last = event === "patch" ? Math.ceil(NIGHTS * 0.7) : NIGHTS - 1;
    const free = Array.from({ length: last - 1 }, (_, night) => night + 1).filter((night) => !planned.has(night));
    planned.set(random.pick(free), event);
  }
  return planned;
}

/** The state of the game on a day. */
interface Game {
  day: number;
  heroes: number;
  /** Versions of the game that have come since the first day. */
  patch: number;
}

const FIRST: Game = { day: 0, heroes: 9, patch: 0 };
/** A hero of whom nobody knows how he does on a lane before the first new version. */
const [NEWCOMER, NEW_LANE] = [2, "roam"];

/** An answer of the sample as the game is. A version changes a quarter of the heroes, others each time. */
function rewrite({ patch }: Game, path: string, body: string): string {
  if (patch === 0 && path.startsWith(`/api/academy/heroes/${NEWCOMER}/`) && path.includes(`lane=${NEW_LANE}&`))
    return edit(body, () => []);
  const [, academy, hero, route] = /^\/api\/(academy\/)?heroes\/(\d+)(\/[\w/-]+)?/.exec(path) ?? [];
  if (path.startsWith("/api/academy/meta/version")) return edit(body, (records) => [...versions(patch), ...records]);
  if (path.startsWith("/api/academy/equipment/expanded")) return reword(body, "equiptips", patch);
  if (path.startsWith("/api/academy/spells") || route === "/builds") return reword(body, "skilldesc", patch);
  const patches = Array.from({ length: patch }, (_, at) => patch - at);
  const last = patches.find((one) => (Number(hero) + one) % 4 === 0) ?? 0;
  if (hero !== undefined && !academy && !route) return reword(body, "story", last);
  return route === "/skill-combos" ? reword(body, "desc", last) : body;
}

const reword = (body: string, key: string, patch: number) =>
  patch === 0 ? body : body.replaceAll(new RegExp(`"${key}":"(?!")`, "g"), `"${key}":"${patch}: `);

function edit(body: string, change: (records: object[]) => object[]): string {
  const { data, ...rest } = JSON.parse(body) as { data: { records: object[]; total: number } };
  const records = change(data.records);
  return JSON.stringify({
    ...rest,
    data: { ...data, records, total: data.total + records.length - data.records.length },
  });
}

const versions = (patch: number) =>
  Array.from({ length: patch }, (_, at) => {
    const number = patch - at;
    const id = createHash("sha256").update(`version ${number}`).digest().readUInt32BE();
    const createdAt = 1_790_000_000_000 + number;
    return { createdAt, data: { game_version: `2.3.${number}` }, form: { id: 1 }, id, uin: "", updatedAt: createdAt };
  });

/** The sample upstream as the game is. */
async function startGame() {
  let game = FIRST;
  const upstream = await startUpstream(FIRST.heroes, undefined, (path, body) => rewrite(game, path, body));
  return {
    ...upstream,
    show(next: Game) {
      if (next === game) return;
      game = next;
      upstream.sample.set({ day: next.day, heroes: next.heroes });
    },
  };
}

/** Faults that are over at once, and that a crawl gets over. */
const FAULTS: readonly MisbehaviourName[] = [
  ...(["server-error", "bad-gateway", "html", "error-code", "not-found", "truncated", "truncated-json"] as const),
  ...(["reset", "missing-field", "wrong-hero", "repeated-record", "no-records", "total-small"] as const),
  "invalid-utf8",
];
const FAULT_SHARE = 0.02;

/** An upstream that counts what each day asks and fails now and then, and beside it what it said on each day without failing. */
async function startDays(random: Random) {
  const games = new Map<string, Game>();
  let today = "";
  let asked = 0;
  let onRequest = (_: number) => {};
  const [live, past] = [await startGame(), await startGame()];
  const faults = FAULTS.map((name) => ({ name }));
  const front = await startMisbehaving(live.url, {
    seed: random.below(2 ** 31),
    // Damage that comes twice running would be what the upstream says.
    maxConsecutive: 1,
    rules: mixOf(faults, FAULT_SHARE),
    onRequest() {
      asked += 1;
      onRequest(asked);
    },
  });

  return {
    url: front.url,
    begin(day: string, game: Game) {
      if (day !== today) asked = 0;
      today = day;
      games.set(day, game);
      live.show(game);
    },
    /** Calls with the number of each request of the day. */
    watch(callback: (count: number) => void) {
      onRequest = callback;
    },
    asked: () => asked,
    /** The records of a slice as they were on a day. */
    async recordsOf(slice: Slice, day: string): Promise<unknown[]> {
      const game = games.get(day);
      if (!game) throw new Error(`nothing was asked on ${day}`);
      past.show(game);
      const endpoint = endpointOf(slice.dataset);
      const { body } = await request(past.url + slicePath(endpoint, slice, 1, PAGE_SIZE));
      return unwrap(endpoint.wrapping, await body.json());
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      for (const game of [live, past]) await game[Symbol.asyncDispose]();
    },
  };
}

type Days = Awaited<ReturnType<typeof startDays>>;
type Held = Pick<Coverage, "status" | "reason" | "sha256" | "batch" | "stale" | "asked_at">;
type Rows = ReadonlyMap<string, Held>;

const dayOf = (at: string) => at.slice(0, 10);
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Keeps what each night held, and says what the next one says otherwise. */
function createBooks(days: Days) {
  let held: Rows = new Map();

  /** All that a file of these heroes has. */
  function plannedOf(heroes: number, file: string): Set<string> {
    const subjects = queryFile<{ subject: string }>(
      file,
      "SELECT DISTINCT subject FROM coverage WHERE subject IS NOT NULL",
    );
    const targets = {
      heroes: Array.from({ length: heroes }, (_, at) => at + 1),
      subjects: new Map([["rating", subjects.map(({ subject }) => subject)]]),
    };
    return new Set(planSlices(SELECTION, targets).map(sliceId));
  }

  /** A row that is new, or of another moment than the night before had it: it is what the upstream said then. */
  async function judgeAsked(id: string, { sha256, asked_at, status }: Held): Promise<string[]> {
    const records = await days.recordsOf(parseSliceId(id), dayOf(asked_at ?? ""));
    return [
      ...(hashSlice(records) === sha256 ? [] : [`${id} of ${asked_at}: is not what was said then`]),
      ...((status === "empty") === (records.length === 0) ? [] : [`${id}: is ${status}`]),
    ];
  }

  function judgeCarried(id: string, row: Held, before: Held | undefined): string[] {
    if (row.asked_at === null)
      return [
        ...(before?.asked_at ? [`${id}: was held, and is no more`] : []),
        // Nobody has asked for it, or its group did not become whole.
        ...(row.status === "failed" && row.reason !== null ? [] : [`${id}: ${row.status}, ${row.reason}`]),
      ];
    const same = before && row.sha256 === before.sha256 && row.status === before.status && row.batch === before.batch;
    return same ? [] : [`${id}: is said to be carried over, and is another`];
  }

  /** Each slice group is of one batch. */
  function judgeTables(rows: Rows): string[] {
    const stamped = [...rows]
      .map(([id, row]) => ({ slice: parseSliceId(id), row }))
      .filter(({ slice, row }) => row.status === "captured" && row.batch !== null && refreshKindOf(slice) === "turn");
    const mixed = [...Map.groupBy(stamped, sliceGroup)].filter(
      ([, group]) => new Set(group.map(({ row }) => row.batch)).size > 1 || group.some(({ row }) => row.stale),
    );
    return mixed.map(([group]) => `${group}: is of several batches`);
  }

  return {
    rows: () => held,
    /** Everything that is wrong with the file that a night published. */
    async judge(file: string, heroes: number): Promise<string[]> {
      const coverage = queryFile<Coverage>(file, "SELECT * FROM coverage");
      const rows: Rows = new Map(coverage.map((row) => [`${row.dataset}?${row.slice}`, row]));
      const faults = judgeTables(rows);
      expect(new Set(rows.keys())).toEqual(plannedOf(heroes, file));
      for (const [id, row] of rows) {
        const before = held.get(id);
        const isCarried = row.asked_at === null || row.asked_at === before?.asked_at;
        faults.push(...(isCarried ? judgeCarried(id, row, before) : await judgeAsked(id, row)));
      }
      held = rows;
      return faults;
    },
  };
}

/** Holds the ages of each night against what the plan has told of them before the first. */
function createAges(rows: () => Rows, days: Days, { datasets, texts, nights_until_complete }: Forecast) {
  const bounds = new Map(datasets.map(({ dataset, bound }) => [dataset, bound]));
  /** By slice that was never asked: how many nights could have asked it. */
  const missing = new Map<string, number>();
  const filledWithin = Math.ceil(nights_until_complete * 1.5 + 3);
  const patches: string[] = [];

  function judgeSlice(id: string, { asked_at, status }: Held, today: string): string[] {
    if (asked_at === null) {
      const nights = (missing.get(id) ?? 0) + 1;
      missing.set(id, nights);
      return nights <= filledWithin + 1 ? [] : [`${id}: was not asked in ${nights} nights`];
    }
    missing.delete(id);
    const slice = parseSliceId(id);
    // An empty answer has every third of the turns of its table.
    const turn = (bounds.get(slice.dataset) ?? 0) * (status === "empty" ? 3 : 1);
    const bound = { list: 0, text: texts.bound, turn }[refreshKindOf(slice)];
    const age = daysBetween(dayOf(asked_at), today);
    return age <= bound ? [] : [`${id}: is ${age} days old, and was to be ${bound} at most`];
  }

  /** Texts that are still those from before a version of the game. */
  async function findOutdated(patch: string): Promise<string[]> {
    const found: string[] = [];
    for (const [id, { sha256, asked_at }] of rows()) {
      const slice = parseSliceId(id);
      if (refreshKindOf(slice) !== "text" || asked_at === null || dayOf(asked_at) >= patch) continue;
      if (hashSlice(await days.recordsOf(slice, patch)) !== sha256) found.push(`${id}: is from before ${patch}`);
    }
    return found;
  }

  return {
    /** A version of the game has come. */
    notePatch: (day: string) => void patches.push(day),
    async judge(today: string): Promise<string[]> {
      const faults = [...rows()].flatMap(([id, row]) => judgeSlice(id, row, today));
      for (const patch of patches.filter((day) => daysBetween(day, today) >= texts.bound_after_a_version)) {
        patches.splice(patches.indexOf(patch), 1);
        faults.push(...(await findOutdated(patch)));
      }
      return faults;
    },
  };
}

/** A data folder in which one night after another crawls within a budget, and one apart for whole crawls. */
async function startNights(random: Random) {
  const folder = temporaryFolder();
  const [data, apart] = ["data", "apart"].map((name) => join(folder.path, name)) as [string, string];
  const days = await startDays(random);
  let game = FIRST;
  const at = (hour = 0) => START + (game.day * 24 + hour) * 3600;
  const today = () => new Date(at() * 1000).toISOString().slice(0, 10);
  const options = (into: string, more: readonly string[]) => {
    const pace = ["--rate", "5000", "--concurrency", "8"];
    return ["--upstream", days.url, "--data", into, "--json", ...pace, ...WORDS, ...more];
  };
  const clock = (hour: number) => {
    beginDay(data, at(hour));
    return { SOURCE_DATE_EPOCH: String(at(hour)) };
  };
  const crawl = (hour: number, more: readonly string[], into = data) =>
    runCommand("crawl", options(into, more), clock(hour));
  const plan = async (more: readonly string[]) =>
    JSON.parse(succeed(await crawl(0, ["--plan", ...more], apart)).stdout);

  days.begin(today(), game);
  const budget = Math.ceil((await plan([])).requests / 10);
  const limited = ["--budget", String(budget)];
  const books = createBooks(days);
  const ages = createAges(books.rows, days, (await plan(limited)).forecast);

  /** Killed at one of the day's requests, or where it builds or verifies what it has asked. */
  async function crawlAndKill() {
    const { child, ended } = startCommand("crawl", options(data, limited), clock(0));
    const kill = () => void child.kill("SIGKILL");
    const isLate = random.below(4) === 0;
    const [phase, request] = [random.pick(["building", "verifying"]), 1 + random.below(Math.floor(budget * 0.8))];
    if (isLate) child.stdout?.on("data", (lines) => String(lines).includes(`"${phase}"`) && kill());
    else days.watch((count) => count === request && kill());
    const { signal, stderr } = await ended;
    days.watch(() => {});
    expect(signal, `${isLate ? phase : request}: ${stderr}`).toBe("SIGKILL");
  }

  /** Tells what was wrong with a night and with what it published. */
  async function crawlNight(): Promise<string[]> {
    const file = fileOf(succeed(await crawl(1, limited)));
    return [...(await books.judge(file, game.heroes)), ...(await ages.judge(today()))];
  }

  return {
    data,
    apart,
    /** One day; what was wrong with it. */
    async pass(event: Event | undefined): Promise<string[]> {
      const { day, heroes, patch } = game;
      game = { day: day + 1, heroes: heroes + Number(event === "hero"), patch: patch + Number(event === "patch") };
      days.begin(today(), game);
      if (event === "patch") ages.notePatch(today());
      if (event === "killed" || event === "abandoned") await crawlAndKill();
      const faults = event === "off" || event === "abandoned" ? [] : await crawlNight();
      // A second run takes what is left of the day, and never more.
      if (event === "twice") await crawl(2, limited);
      return [...faults, ...(days.asked() > budget ? [`${days.asked()} requests on one day`] : [])];
    },
    /** All of it, without a budget; the file. */
    crawlAll: async (into: string) => fileOf(succeed(await crawl(3, ["--fresh"], into))),
    async [Symbol.asyncDispose]() {
      await days[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const fileOf = ({ events }: Ended) => String(events.find(({ event }) => event === "published")?.file);

function succeed(ended: Ended): Ended {
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  return ended;
}
