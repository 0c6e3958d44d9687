import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { startSample } from "../../src/sample/service/server.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { FAULTS, type FaultName, type FaultRule, mixOf } from "../helpers/faulty-upstream/faults.ts";
import { type Ended, runCommand, runProcess, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startFaultyUpstream } from "../helpers/upstream/faulty-upstream.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const EPOCH = { SOURCE_DATE_EPOCH: "1790000000" };
const FAST = ["--rate", "5000", "--concurrency", "8"];
/** Where languages, ranks and windows do not matter; two of each, for what is told by comparing them. */
const FEW_TABLES = ["--ranks", "epic,glory", "--days", "1,7"];
const SUBSET = ["--languages", "en,ja", ...FEW_TABLES];
const PARTIAL = [...SUBSET, "--allow-partial"];
/** Where most endpoints do not matter either. */
const NUMBERS = [...PARTIAL, "--endpoints", "rank,stats,trends,relations,counters,compatibility"];

/** A change of the data itself. */
const NOT_RECOVERABLE: FaultName[] = ["extra-field"];
const KNOBS: Partial<Record<FaultName, FaultRule["with"]>> = {
  "rate-limited": { retryAfter: 0 },
  "rate-limited-date": { retryAfter: 0 },
  oversized: { megabytes: 33 },
};
const NAMES = (Object.keys(FAULTS) as FaultName[]).filter((fault) => !NOT_RECOVERABLE.includes(fault));
/** What stays when it is asked for once more is taken: an oddity, and a wrong side where only other answers tell it. */
const isTakenAtLast = (fault: FaultName) =>
  fault === "wrong-side" ||
  ["odd", "empty"].some((reason) => (FAULTS[fault].reasons as readonly string[]).includes(reason));
/**
 * No hero is played on every lane: twenty second looks at such slices that find nothing are enough, and a lie that comes later is
 * believed. That is not recovered from.
 */
const WITHOUT_LANE = /^(?!.*[?&]lane=)/;
const RECOVERABLE: FaultRule[] = [
  ...NAMES.map(
    (fault): FaultRule => ({
      fault,
      ...(KNOBS[fault] && { with: KNOBS[fault] }),
      ...(isTakenAtLast(fault) && { oncePerPath: true }),
      ...(fault === "empty-answer" && { match: WITHOUT_LANE }),
    }),
  ),
  { fault: "reset", with: { at: "headers" } },
];

async function startWorld(heroes: number, options: Parameters<typeof startFaultyUpstream>[1] = {}) {
  const sample = await startSample({ heroes });
  const faulty = await startFaultyUpstream(sample.url, options);
  return {
    sample,
    faulty,
    url: faulty.url,
    async [Symbol.asyncDispose]() {
      await faulty.close();
      await sample.close();
    },
  };
}

const crawl = (upstream: string, data: string, ...more: string[]) =>
  runCommand("crawl", ["--upstream", upstream, "--data", data, ...FAST, ...more], EPOCH);

const openLatest = (data: string) => new SQLite(fileOf(data), { readonly: true });
const eventsOf = (ended: Ended, name: string) => ended.events.filter(({ event }) => event === name);

const draw = createDraw("faults");

describe(`a crawl through faults (${drawn})`, () => {
  test("of every recoverable kind, at a tenth of all requests and more, gives the same bytes as one without", async () => {
    using calm = temporaryFolder();
    using rough = temporaryFolder();
    const kinds = draw.some(RECOVERABLE, 7);
    // Enough requests for each fault to come several times; all languages, because it is their lists that can repeat a record.
    await using world = await startWorld(draw.many(16, 2));
    const part = FULL ? [] : [...FEW_TABLES, "--allow-partial"];
    expect((await crawl(world.url, calm.path, ...part)).code).toBe(0);
    world.faulty.reset();
    world.faulty.rules = mixOf(kinds, draw.many(0.1, 0.2));
    const ended = await crawl(world.url, rough.path, "--timeout", "1", ...part);
    expect(ended.stderr).toBe("");
    expect(ended.code).toBe(0);
    expect(pointerOf(rough.path)).toEqual(pointerOf(calm.path));
    const injected = world.faulty.counts();
    for (const { fault } of kinds) expect(injected[fault], fault).toBeGreaterThan(0);
    // Each fault that is not borne is a failed attempt. Two may become one (a wrong total asks for a second page, which then
    // fails), and some are found out later, by not fitting the others.
    const [report] = eventsOf(ended, "crawl") as unknown as {
      failed_attempts: number;
      faults: Record<string, number>;
    }[];
    const unborne = NAMES.filter((fault) => FAULTS[fault].reasons.length > 0 && fault !== "empty-answer");
    const sum = unborne.reduce((total, fault) => total + (injected[fault] ?? 0), 0);
    // An honest empty answer whose second look failed is one more, which nobody injected.
    const failed = (report?.failed_attempts ?? 0) - (report?.faults.empty ?? 0);
    expect(failed).toBeLessThanOrEqual(sum);
    expect(failed).toBeGreaterThan(sum * 0.9);
    for (const { fault } of kinds) {
      const [reason, ...others]: readonly string[] = FAULTS[fault].reasons;
      // A wrong side is found out at once only where an endpoint has one of the two.
      const certain = reason !== undefined && others.length === 0 && fault !== "wrong-side";
      if (certain && (injected[fault] ?? 0) >= 3) expect(report?.faults, fault).toHaveProperty(reason);
    }
  });

  test("is killed again and again at random moments and still gives the same bytes", async () => {
    using whole = temporaryFolder();
    using killed = temporaryFolder();
    let running: ReturnType<typeof startCommand> | undefined;
    let next = 0;
    const part = FULL ? [] : PARTIAL;
    await using world = await startWorld(draw.many(10, 2), {
      onRequest: (n) => {
        if (running && n === next) running.child.kill("SIGKILL");
      },
    });
    const countRepeats = () => {
      const asked = world.faulty.log.map(({ path }) => path).filter((path) => path.startsWith("/api/"));
      return asked.length - new Set(asked).size;
    };
    expect((await crawl(world.url, whole.path, ...part)).code).toBe(0);
    // Second looks at empty answers.
    const looks = countRepeats();
    world.faulty.reset();
    const kills = draw.many(12, 3);
    for (let kill = 1; kill <= kills; kill += 1) {
      next = world.faulty.log.length + 1 + draw.below(Math.floor(draw.many(2000, 100) / kills));
      running = startCommand("crawl", ["--upstream", world.url, "--data", killed.path, ...FAST, ...part], EPOCH);
      expect((await running.ended).signal, `kill ${kill}`).toBe("SIGKILL");
      expect(existsSync(join(killed.path, "latest.json"))).toBe(false);
    }
    running = undefined;
    expect((await crawl(world.url, killed.path, ...part)).code).toBe(0);
    expect(pointerOf(killed.path)).toEqual(pointerOf(whole.path));
    expect(countRepeats()).toBeLessThanOrEqual(looks + kills * 8);
  });
});

describe("what asking again does not heal", () => {
  const cases: [name: string, rules: FaultRule[], code: number, reason: RegExp][] = [
    [
      "an endpoint that fails",
      [{ fault: "server-error", match: "/stats" }],
      3,
      /^\d+ of \d+ slices are missing; nothing was published/,
    ],
    ["an endpoint that answers with pages", [{ fault: "html-200", match: "/trends" }], 3, /slices are missing/],
    ["a hero list that is refused", [{ fault: "not-found", match: "/api/heroes?" }], 3, /gave no hero list \(refused/],
    ["a list whose total is a lie", [{ fault: "total-large", match: "/rank" }], 3, /slices are missing/],
    ["a hero list that is a page", [{ fault: "html-200" }], 4, /gave no hero list \(wrong-type/],
    ["the wrong hero", [{ fault: "wrong-hero", match: "/1/counters" }], 3, /slices are missing/],
    ["an upstream in maintenance", [{ fault: "maintenance" }], 4, /gave no hero list \(unavailable: status 503/],
    ["an upstream that redirects elsewhere", [{ fault: "redirect" }], 4, /gave no hero list \(redirected: status 307/],
    ["an upstream that hangs", [{ fault: "hang" }], 4, /gave no hero list \(timeout/],
    ["an upstream that drips", [{ fault: "slow-drip", with: { delay: 5 } }], 4, /gave no hero list \(timeout/],
    [
      "a required field that is gone",
      [{ fault: "missing-field", match: "/rank", with: { path: "data.main_heroid", all: true } }],
      6,
      /shape has changed: rank .*main_heroid/,
    ],
    [
      "a required field of another type",
      [{ fault: "retyped-field", match: "/rank?", with: { path: "data.main_hero_win_rate", all: true } }],
      6,
      /shape has changed: rank .*main_hero_win_rate/,
    ],
    [
      "a hero list of another shape",
      [{ fault: "missing-field", with: { path: "data.hero_id", all: true } }],
      6,
      /gave no hero list \(wrong-shape/,
    ],
  ];

  test("ends with the documented code and one line, publishes nothing and leaves the pointer alone", async () => {
    using folder = temporaryFolder();
    await using world = await startWorld(3);
    const part = [...SUBSET, "--endpoints", "rank,stats,trends,relations,counters"];
    expect((await crawl(world.url, folder.path, "--allow-partial", ...part)).code).toBe(0);
    const before = [pointerOf(folder.path), readdirSync(join(folder.path, "snapshots")).sort()];
    world.sample.set({ day: 1 });
    for (const [name, rules, code, reason] of cases) {
      world.faulty.rules = rules;
      const ended = await crawl(world.url, folder.path, "--fresh", "--attempts", "2", "--timeout", "0.5", ...part);
      expect(ended.code, `${name}: ${ended.stderr}`).toBe(code);
      expect(ended.stderr, name).toMatch(reason);
      expect(ended.stderr.trimEnd().split("\n"), name).toHaveLength(1);
      expect([pointerOf(folder.path), readdirSync(join(folder.path, "snapshots")).sort()], name).toEqual(before);
    }
  });

  test("but with --allow-partial the rest is published, and the holes are errors", async () => {
    using folder = temporaryFolder();
    await using world = await startWorld(3, {
      rules: [{ fault: "server-error", match: "/api/heroes/2/stats?rank=epic" }],
    });
    const part = [...PARTIAL, "--endpoints", "rank,stats"];
    expect((await crawl(world.url, folder.path, "--attempts", "1", ...part)).code).toBe(0);
    const get = async (path: string) =>
      JSON.parse((await runCommand("serve", ["--data", folder.path, "--get", path])).stdout) as object;
    expect(await get("/api/heroes/2/stats?rank=epic")).toMatchObject({ error: { code: "SLICE_NOT_CAPTURED" } });
    expect(await get("/api/heroes/2/stats?rank=glory")).toMatchObject({ code: 0 });
    const verify = await runCommand("verify", ["--data", folder.path]);
    expect(verify.code).toBe(3);
    expect(verify.stdout).toMatch(/stats .* hero=2&rank=epic&lang=en .* server-error/);
    world.faulty.rules = [];
    world.faulty.reset();
    expect((await crawl(world.url, folder.path, "--retry-failed", ...part)).code).toBe(0);
    expect(
      world.faulty.log.filter(({ path }) => path.includes("/api/heroes/2/stats") && path.includes("lang=en")),
    ).toHaveLength(1);
    expect((await runCommand("verify", ["--data", folder.path])).code).toBe(0);
  });

  test("unknown fields are no fault: they are kept and reported", async () => {
    using folder = temporaryFolder();
    await using world = await startWorld(2);
    const part = [...PARTIAL, "--endpoints", "rank,counters"];
    const first = await crawl(world.url, folder.path, ...part);
    expect(first.code).toBe(0);
    expect(eventsOf(first, "drift"), "the first night has nothing to drift from").toMatchObject([{ drift: [] }]);
    world.faulty.rules = [{ fault: "extra-field", match: /api\/heroes\/.*counters/ }];
    const ended = await crawl(world.url, folder.path, ...part);
    expect(ended.code).toBe(0);
    const [{ drift } = { drift: [] }] = eventsOf(ended, "drift") as unknown as {
      drift: { dataset: string; before: string; count: number }[];
    }[];
    expect(drift.length).toBeGreaterThan(0);
    for (const change of drift) {
      expect(change).toMatchObject({ dataset: "counters", before: "absent", needed: false });
      expect(change.count).toBeGreaterThan(0);
    }
  });
});

describe("the ceiling, as the upstream sees it", () => {
  test("holds for rate and concurrency, in calm and while recovering", async () => {
    using folder = temporaryFolder();
    await using world = await startWorld(1);
    world.faulty.rules = [
      { fault: "rate-limited", times: 3, with: { retryAfter: 1 } },
      { fault: "blocked", times: 5, match: "/stats" },
      { fault: "limited", times: 3, match: "/trends" },
    ];
    const part = [
      "--endpoints",
      "heroes,rank,hero,stats,trends,counters,compatibility,skill-combos",
      "--languages",
      "en,ja",
      "--allow-partial",
    ];
    const options = ["--upstream", world.url, "--data", folder.path, "--rate", "60", "--concurrency", "3", ...part];
    expect((await runCommand("crawl", options)).code).toBe(0);
    expect(world.faulty.log.length).toBeGreaterThan(130);
    expect(world.faulty.maxInFlight()).toBeLessThanOrEqual(3);
    expect(world.faulty.maxPerSecond()).toBeLessThanOrEqual(60);
  });
});

describe("one moment in time", () => {
  const stampsByTable = (db: SQLite.Database) =>
    db
      .prepare<[], { dataset: string; rank: string; days: number | null; stamps: number }>(
        `SELECT coverage.dataset, rank, days, count(DISTINCT json ->> '$._updatedAt') AS stamps
         FROM coverage JOIN record USING (dataset, slice)
         WHERE dataset IN ('counters', 'compatibility', 'stats') GROUP BY 1, 2, 3`,
      )
      .all();

  test("a day that rolls over in mid-crawl leaves no table with two batches", async () => {
    using folder = temporaryFolder();
    using later = temporaryFolder();
    let roll = () => {};
    const part = FULL ? [] : PARTIAL;
    await using world = await startWorld(draw.many(5, 3), {
      onRequest: (n) => n === draw.many(450, 42) && roll(),
    });
    roll = () => world.sample.set({ day: 1 });
    const ended = await crawl(world.url, folder.path, ...part);
    expect(ended.code).toBe(0);
    expect(eventsOf(ended, "asking-again").length).toBeGreaterThan(0);
    const db = openLatest(folder.path);
    expect(stampsByTable(db).filter(({ stamps }) => stamps !== 1)).toEqual([]);
    expect(stampsByTable(db)).toHaveLength(FULL ? 66 : 10);
    const rates = db.prepare(
      `SELECT count(*) FROM record AS r, record AS c
       WHERE r.dataset = 'rank' AND c.dataset = 'counters'
         AND c.slice = 'hero=' || (r.json ->> '$.data.main_heroid') || '&' || r.slice
         AND r.json ->> '$.data.main_hero_win_rate' <> c.json ->> '$.data.main_hero_win_rate'`,
    );
    expect(rates.pluck().get()).toBe(0);
    db.close();
    roll = () => {};
    expect((await crawl(world.url, later.path, ...part)).code).toBe(0);
    expect(pointerOf(folder.path)).toEqual(pointerOf(later.path));
  });

  test("an upstream that never settles ends with 3 and says which table", async () => {
    using folder = temporaryFolder();
    let day = 0;
    let roll = () => {};
    await using world = await startWorld(4, { onRequest: (n) => n % 10 === 0 && roll() });
    roll = () => {
      day += 1;
      world.sample.set({ day });
    };
    const { code, stderr } = await crawl(world.url, folder.path, ...NUMBERS);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^the upstream does not settle: \w[\w-]* rank=\w+.*: stamps .*; nothing was published; run the same command again/,
    );
    expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
  });

  test("series that never end on one day are reported, and hide nothing else that is older", async () => {
    using folder = temporaryFolder();
    let stale = true;
    await using upstream = await startUpstream(3, undefined, (path, body) => {
      if (path.startsWith("/api/heroes/2/trends")) return body.replace(/("win_rate":\[)\{[^}]*\},/, "$1");
      if (!stale || !path.startsWith("/api/heroes/rank?rank=glory&days=3&")) return body;
      stale = false;
      return body.replaceAll(/"main_hero_win_rate":[\d.]+/g, '"main_hero_win_rate":0.111');
    });
    const ended = await crawl(upstream.url, folder.path, ...NUMBERS, "--days", "3,7,15");
    expect(ended.code).toBe(0);
    // Two ranks in two windows.
    expect(eventsOf(ended, "never-agrees")).toHaveLength(2 * 2);
    const db = openLatest(folder.path);
    expect(db.prepare("SELECT count(*) FROM hero_rate WHERE win_rate = 0.111").pluck().get()).toBe(0);
    db.close();
  });

  test("a hero who comes in mid-crawl is crawled too", async () => {
    using folder = temporaryFolder();
    using whole = temporaryFolder();
    let grow = () => {};
    await using world = await startWorld(2, { onRequest: (n) => n === 30 && grow() });
    grow = () => world.sample.set({ heroes: 3 });
    const ended = await crawl(world.url, folder.path, ...PARTIAL);
    expect(ended.code).toBe(0);
    expect(eventsOf(ended, "roster-changed")).toMatchObject([{ from: 2, to: 3 }]);
    grow = () => {};
    expect((await crawl(world.url, whole.path, ...PARTIAL)).code).toBe(0);
    const covered = (data: string) => {
      const db = openLatest(data);
      const rows = db.prepare("SELECT dataset, slice, status FROM coverage").all();
      const lists = db.prepare("SELECT dataset, slice, sha256 FROM coverage WHERE hero_id IS NULL").all();
      db.close();
      return { rows, lists };
    };
    expect(covered(folder.path)).toEqual(covered(whole.path));
  });

  test("heroes who are lost in mid-crawl end it", async () => {
    using folder = temporaryFolder();
    let shrink = () => {};
    await using world = await startWorld(4, { onRequest: (n) => n === 45 && shrink() });
    shrink = () => world.sample.set({ heroes: 3 });
    const { code, stderr } = await crawl(world.url, folder.path, "--attempts", "3", ...NUMBERS);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/has lost the heroes 4 in the middle|slices are missing/),
    ]);
  });
});

describe("hosts", () => {
  test.for([
    [
      "is limited and names an alternative",
      (backup: string): FaultRule => ({ fault: "limited", with: { alternative: backup } }),
      "unavailable",
    ],
    [
      "redirects to the backup",
      (backup: string): FaultRule => ({ fault: "redirect", with: { location: backup } }),
      "redirected",
    ],
    ["is in maintenance", (): FaultRule => ({ fault: "maintenance" }), "unavailable"],
    ["breaks every connection", (): FaultRule => ({ fault: "reset" }), "unreachable"],
  ] as const)("a host that %s is left for the configured backup", async ([, ruleFor, why]) => {
    using folder = temporaryFolder();
    await using backup = await startWorld(2);
    await using first = await startFaultyUpstream(backup.sample.url);
    const rule = ruleFor(backup.url);
    let armed = false;
    await using gate = await startFaultyUpstream(first.url, {
      onRequest: (n) => {
        if (n === 20 && !armed) {
          armed = true;
          gate.rules = [rule];
        }
      },
    });
    const ended = await crawl(gate.url, folder.path, "--upstream", backup.url, ...NUMBERS);
    expect(ended.code).toBe(0);
    expect(eventsOf(ended, "failover")).toMatchObject([{ from: gate.url, to: backup.url, why }]);
    const [report] = eventsOf(ended, "crawl") as unknown as { hosts: Record<string, number> }[];
    expect(Object.keys(report?.hosts ?? {}).sort()).toEqual([gate.url, backup.url].sort());
  });

  test("a redirect to a host that is not configured is never followed", async () => {
    using folder = temporaryFolder();
    await using elsewhere = await startWorld(2);
    await using world = await startWorld(2, { rules: [{ fault: "redirect", with: { location: elsewhere.url } }] });
    expect((await crawl(world.url, folder.path, "--attempts", "2")).code).toBe(4);
    expect(elsewhere.faulty.log).toEqual([]);
  });

  test("a backup with the numbers of another day is not mixed in", async () => {
    using folder = temporaryFolder();
    await using backup = await startWorld(3);
    backup.sample.set({ day: 5 });
    await using first = await startWorld(3, { onRequest: (n) => n === 40 && arm() });
    const arm = () => {
      first.faulty.rules = [{ fault: "limited", with: { alternative: backup.url } }];
    };
    expect((await crawl(first.url, folder.path, "--upstream", backup.url, ...NUMBERS)).code).toBe(0);
    const db = openLatest(folder.path);
    const stamps = db.prepare(
      `SELECT max(stamps) FROM (SELECT count(DISTINCT json ->> '$._updatedAt') AS stamps FROM coverage JOIN record USING (dataset, slice)
       WHERE dataset IN ('counters', 'compatibility', 'stats') GROUP BY dataset, rank, days)`,
    );
    expect(stamps.pluck().get()).toBe(1);
    db.close();
  });
});

describe("one folder", () => {
  test("has one crawl at a time; the second names the first", async () => {
    using folder = temporaryFolder();
    let release = () => {};
    const arrived = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using world = await startWorld(2, {
      rules: [{ fault: "hang", match: "/stats" }],
      onRequest: (n) => n === 10 && release(),
    });
    const first = startCommand("crawl", ["--upstream", world.url, "--data", folder.path, ...FAST, ...NUMBERS]);
    await arrived;
    const second = await crawl(world.url, folder.path, ...NUMBERS);
    expect(second.code).toBe(64);
    expect(second.stderr).toBe(
      `${folder.path}: process ${first.child.pid} is working in this folder; wait until it has ended, or name another folder with --data\n`,
    );
    first.child.kill("SIGKILL");
    await first.ended;
    world.faulty.rules = [];
    expect((await crawl(world.url, folder.path, ...NUMBERS)).code).toBe(0);
  });

  test("that is full ends the crawl with 3 and one line, and loses nothing", async () => {
    using folder = temporaryFolder();
    await using world = await startWorld(2);
    const options = ["--upstream", world.url, "--data", folder.path, ...FAST, ...SUBSET];
    const full = await runProcess("crawl", options, {}, 400);
    expect(full.code).toBe(3);
    expect(full.stderr).toMatch(/^[^\n]*cannot be written: .*; free space, then run the same command again\n$/);
    expect((await runCommand("crawl", options)).code).toBe(0);
  });

  test.for(["/dev/null", "/dev/null/x"])("that cannot be written (%s) is refused", async (data) => {
    const { code, stderr } = await runCommand("crawl", ["--upstream", "http://127.0.0.1:9", "--data", data]);
    expect(code).toBe(64);
    expect(stderr).toMatch(/cannot be used: .*; name another file or folder, or make this one accessible\n$/);
  });
});
