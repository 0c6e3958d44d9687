import { createReadStream, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashSlice } from "../../src/api/body/canonical.ts";
import { isAsked, parseSlice } from "../../src/api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../src/api/endpoints.ts";
import { isFault } from "../../src/api/faults.ts";
import { type ClosedPart, describePart, partId } from "../../src/api/parts.ts";
import { PAGE_SIZE } from "../../src/crawl/ask/page-size.ts";
import { slicePath } from "../../src/crawl/plan.ts";
import { diffSnapshots } from "../../src/nights/diff/diff.ts";
import { HISTORY_TABLES } from "../../src/nights/history/tables.ts";
import { type Sample, startSample } from "../../src/sample/service/server.ts";
import type { OnRequest } from "../../src/sample/service/service.ts";
import type { Trouble } from "../../src/sample/troubles/troubles.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { beginDay, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { createRandom, type Random, SEED } from "../helpers/random.ts";
import { crawlOptions, type Ended, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { clockOf, dayOf, ofDatasets } from "../helpers/sample-nights.ts";
import { startServer } from "../helpers/server.ts";
import { queryFile } from "../helpers/sqlite.ts";

/** The nights in the middle of which the addresses of pictures change their form. */
const [FLIP, FLIP_BACK] = [9, 12];
const OUTAGE = 25;
const NEW_HERO = 15;

/** More than half of the 26 endpoints that are open then. */
const MOST = ofDatasets(
  ...["rank", "positions", "hero", "stats", "skill-combos", "trends", "relations", "counters", "compatibility"],
  ...["versions", "catalog", "roles", "equipment", "equipment-expanded", "spells", "ranks"],
);

const TROUBLES: readonly Trouble[] = [
  { of: ofDatasets("ratings", "rating"), form: "code", from: 5, until: 22 },
  { of: ofDatasets("teammates"), form: "detail", from: 18 },
  { of: ofDatasets("emblems"), form: "html-404", from: 19 },
  { of: { lang: "km" }, form: "status 422", from: 20 },
  { of: MOST, form: "status 403", from: OUTAGE, until: OUTAGE + 1 },
  { of: { rank: "glory" }, form: "status 422", from: 27 },
  { of: {}, form: "wsrv", from: FLIP, until: FLIP + 1, after: 100 },
  { of: {}, form: "wsrv", from: FLIP + 1, until: FLIP_BACK },
  { of: {}, form: "wsrv", from: FLIP_BACK, until: FLIP_BACK + 1, upTo: 100 },
];

type Mode = "plain" | "reuse" | "budget";

const WORDS: Record<Mode, string[]> = { plain: [], reuse: ["--reuse"], budget: ["--budget", "280"] };

/** Nights in which something happens, most with one behind each. */
const NIGHTS: [mode: Mode, nights: number[]][] = [
  ["plain", [1, 18, 19, 20, 21, 22, 25, 26, 27]],
  ["reuse", [1, 5, 6, 9, 12, 13, 15, 16]],
  ["budget", [1, 2, 5, 6, 9, 10, 12, 13, 15, 16, 18, 19, 20, 21, 22, 23, 25, 26, 27, 28]],
];

/** The exit codes of the nights that do not end with 0. */
function codeOf(night: number): number {
  if (night === OUTAGE) return 3;
  return [5, NEW_HERO, 18, 19, 20, 27].includes(night) ? 7 : 0;
}

const FEW = ["--languages", "en,ja,km", "--ranks", "all,glory", "--days", "1,7", "--allow-partial", "--attempts", "3"];

/** Requests of a night for a part that the snapshot in hand knows as closed. */
const MOST_FOR_A_PART = 10;
/** Those that were under way when a crawl was killed are asked again. */
const AT_ONCE = 4;

/** The file that a folder's pointer names; undefined before the first night. */
const latestOf = (data: string) =>
  existsSync(join(data, "latest.json")) ? fileOf(data, pointerOf(data).version) : undefined;

const partsIn = (file: string | undefined) => (file ? queryFile<ClosedPart>(file, "SELECT * FROM closed_part") : []);

/** A folder in which the sample is crawled night after night, in one mode. */
async function startAutumn(mode: Mode, random: Random) {
  const folder = temporaryFolder();
  const data = join(folder.path, "data");
  let onRequest: OnRequest = () => {};
  const sample = await startSample({ heroes: 8, troubles: TROUBLES, onRequest: (...asked) => onRequest(...asked) });

  const options = (night: number) => [...crawlOptions(sample.url, data), ...FEW, ...(night === 1 ? [] : WORDS[mode])];
  const env = (night: number) => {
    beginDay(data, clockOf(night));
    return { SOURCE_DATE_EPOCH: clockOf(night) };
  };

  async function crawlAndKill(night: number) {
    const { child, ended } = startCommand("crawl", options(night), env(night));
    const moment = 1 + random.below(200);
    onRequest = (count) => count === moment && child.kill("SIGKILL");
    await ended;
    onRequest = () => {};
  }

  return {
    data,
    followed: join(folder.path, "followed"),
    /** Crawls a night; says how it ended, and everything that was wrong with it. */
    async pass(night: number, isKilled: boolean) {
      const before = latestOf(data);
      sample.set({ day: night, heroes: night < NEW_HERO ? 8 : 9, unresolved: night === NEW_HERO ? 1 : 0 });
      const flips = night === FLIP || night === FLIP_BACK;
      if (isKilled) await crawlAndKill(night);
      const ended = await runCommand("crawl", options(night), env(night));
      const after = latestOf(data);
      const faults = [
        ...judgeRequests(sample, partsIn(before), partsIn(after), MOST_FOR_A_PART + (isKilled ? AT_ONCE : 0)),
        // The list of heroes is looked at once more at the end, when its pictures have flipped.
        ...(after ? findUntrue(sample, after, mode) : []).filter(
          (fault) => !flips || !fault.startsWith("heroes lang=en"),
        ),
        ...(flips && before && after ? judgeFlip(before, after, ended) : []),
      ];
      return { ...ended, faults };
    },
    async [Symbol.asyncDispose]() {
      await sample.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A part that is still closed has cost a few requests. */
function judgeRequests(
  sample: Sample,
  before: readonly ClosedPart[],
  after: readonly ClosedPart[],
  most: number,
): string[] {
  const still = new Set(after.map(partId));
  return before.flatMap((part) => {
    const { dataset, dimension, value } = part;
    const of = { ...(dataset !== "" && ofDatasets(dataset)), ...(dimension !== "" && { [dimension]: value }) };
    const count = sample.asked(of).length;
    return still.has(partId(part)) && count > most ? [`${describePart(part)} has cost ${count} requests`] : [];
  });
}

/** The slices of a file that are not what the upstream last answered, until the day that they say they are of. */
function findUntrue(sample: Sample, file: string, mode: Mode): string[] {
  const rows = queryFile<Coverage>(file, "SELECT * FROM coverage");
  return rows.flatMap(({ dataset, slice, sha256, asked_at, reason }) => {
    const path = slicePath(endpointOf(dataset), parseSlice(dataset, slice), 1, PAGE_SIZE);
    if (asked_at === null) {
      const isHeld = isFault(reason) && !slice.startsWith("lang=") && sample.lastAnswer(path) !== undefined;
      return isHeld ? [`${dataset} ${slice} was answered before, and is lost`] : [];
    }
    // If each night asks for all of it, what is refused now is the last that was answered at all.
    const until = isFault(reason) && mode === "plain" ? undefined : dayOf(asked_at);
    const answered = sample.lastAnswer(path, until);
    return answered && hashSlice(answered.records) === sha256 ? [] : [`${dataset} ${slice} of ${asked_at}`];
  });
}

/** Pictures that have another address have not changed. */
function judgeFlip(before: string, after: string, { events }: Ended): string[] {
  const { changes } = diffSnapshots(before, after);
  const alike = (changes?.lists ?? []).filter((list) => list.before.join() === list.after.join());
  const told = [...(changes?.texts ?? []), ...alike].map(({ table, label }) => `${table}: ${label}`);
  const pictures = (changes?.tables ?? []).flatMap(({ table, changed }) =>
    changed.flatMap(({ label, columns }) =>
      Object.keys(columns).flatMap((column) => (column.endsWith("_url") ? [`${table}.${column} of ${label}`] : [])),
    ),
  );
  const doubts = events.filter(({ event }) => ["widened", "unlisted", "changed-text", "changed-lists"].includes(event));
  return [...told, ...pictures, ...doubts.map((doubt) => JSON.stringify(doubt))];
}

const startSource = (data: string) =>
  startServer((request, response) => {
    const file = join(data, request.url ?? "");
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });

const findGaps = (history: string) =>
  HISTORY_TABLES.flatMap(({ versionTable }) =>
    queryFile<{ gaps: number }>(history, `SELECT count(*) AS gaps FROM ${versionTable} WHERE gap = 1`).filter(
      ({ gaps }) => gaps > 0,
    ),
  );

test.for(NIGHTS)(
  "an autumn of an upstream that closes, flips and grows costs no night that it need not (%s)",
  async ([mode, nights]) => {
    const random = createRandom(`autumn ${mode}`);
    await using autumn = await startAutumn(mode, random);
    await using source = await startSource(autumn.data);
    const killed = random.shuffle(nights.slice(2)).slice(0, nights.length / 4);
    const faults: string[] = [];
    for (const night of nights) {
      const passed = await autumn.pass(night, killed.includes(night));
      faults.push(...passed.faults.map((fault) => `night ${night}: ${fault}`));
      if (passed.code !== codeOf(night)) faults.push(`night ${night} ended with ${passed.code}: ${passed.stderr}`);
      const isPublished = [0, 7].includes(passed.code ?? -1);
      const pulled = await runCommand("pull", [source.url, "--data", autumn.followed]);
      if (pulled.code !== (isPublished ? 0 : 2))
        faults.push(`pull of ${night} ended with ${pulled.code}: ${pulled.stderr}`);
      if (pulled.stdout.includes("newly closed") !== (passed.code === 7))
        faults.push(`pull of ${night} says ${pulled.stdout}`);
    }
    expect(faults, `SEED=${SEED}, killed in ${killed}`).toEqual([]);
    expect((await runCommand("history", ["--data", autumn.data])).code).toBe(0);
    expect(findGaps(join(autumn.data, "history.sqlite"))).toEqual([]);
  },
);

/** Events of a crawl that does not take answers as they come. */
const DOUBTS = ["fault", "asking-again", "unlisted", "widened", "never-agrees"];

test("the first night of an autumn holds all that the upstream says, and doubts nothing", async () => {
  await using autumn = await startAutumn("plain", createRandom("first night"));
  const { code, stderr, events, faults } = await autumn.pass(1, false);
  expect([code, stderr, faults]).toEqual([0, "", []]);
  expect(events.filter(({ event }) => DOUBTS.includes(event))).toEqual([]);
  const file = fileOf(autumn.data, pointerOf(autumn.data).version);
  const captured = queryFile<Coverage>(file, "SELECT DISTINCT dataset FROM coverage WHERE status = 'captured'");
  const wanted = ENDPOINTS.filter(isAsked).map(({ dataset }) => dataset);
  expect(captured.map(({ dataset }) => dataset).sort()).toEqual(wanted.sort());
  expect(queryFile(file, "SELECT * FROM misfit")).toEqual([]);
  expect(queryFile(file, "SELECT DISTINCT difference FROM language_proof")).toEqual([{ difference: null }]);
  const verified = await runCommand("verify", ["--snapshot", file]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
});
