import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashSlice } from "../../../src/api/body/canonical.ts";
import { parseSlice } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { groupId, isRefused, type RefusedGroup } from "../../../src/api/refusals.ts";
import { slicePath } from "../../../src/crawl/plan.ts";
import { diffSnapshots } from "../../../src/nights/diff/diff.ts";
import type { Coverage } from "../../../src/snapshot/schema/row-types.ts";
import { beginDay, fileOf, pointerOf } from "../data-folder.ts";
import type { Draw } from "../draw.ts";
import { crawlOptions, type Ended, runCommand, startCommand } from "../run.ts";
import { queryFile } from "../sqlite.ts";
import { clockOf, dayOf, type Slice } from "./game.ts";
import { FLIP, FLIP_BACK, knobsOf, type Mode } from "./plan.ts";
import type { Autumn } from "./upstream.ts";

const FEW = ["--languages", "en,ja,km", "--ranks", "all,glory", "--days", "1,7", "--allow-partial", "--attempts", "3"];
const WORDS: Record<Mode, string[]> = { plain: [], reuse: ["--reuse"], budget: ["--budget", "280"] };

/** Requests of a night for a group that the snapshot in hand knows as refused. */
const MOST_FOR_A_GROUP = 10;
/** Those that were under way when a crawl was killed are asked again. */
const AT_ONCE = 4;

/** The file that a folder's pointer names; undefined before the first night. */
const latestOf = (data: string) =>
  existsSync(join(data, "latest.json")) ? fileOf(data, pointerOf(data).version) : undefined;

const groupsOf = (file: string | undefined) => (file ? queryFile<RefusedGroup>(file, "SELECT * FROM refusal") : []);

/** A folder in which an upstream is crawled night after night, in one mode. */
export function createDrill(autumn: Autumn, data: string, mode: Mode, draw: Draw) {
  const options = (night: number) => [...crawlOptions(autumn.url, data), ...FEW, ...(night === 1 ? [] : WORDS[mode])];
  const env = (night: number) => {
    beginDay(data, clockOf(night));
    return { SOURCE_DATE_EPOCH: clockOf(night) };
  };

  async function crawlAndKill(night: number) {
    const { child, ended } = startCommand("crawl", options(night), env(night));
    const moment = 1 + draw.below(200);
    const { onRequest } = autumn.knobs;
    autumn.knobs.onRequest = (count) => void (count === moment && child.kill("SIGKILL"));
    await ended;
    autumn.knobs.onRequest = onRequest;
  }

  return {
    /** What a night ended with, and everything that was wrong with it. */
    async pass(night: number, isKilled: boolean) {
      const before = latestOf(data);
      Object.assign(autumn.knobs, knobsOf(night));
      autumn.begin(night);
      const flips = night === FLIP || night === FLIP_BACK;
      autumn.knobs.onRequest = (count) => {
        if (flips && count === 100) autumn.knobs.pictures = night === FLIP ? "wsrv" : "plain";
      };
      if (isKilled) await crawlAndKill(night);
      const ended = await runCommand("crawl", options(night), env(night));
      const after = latestOf(data);
      const faults = [
        ...judgeRequests(autumn, groupsOf(before), groupsOf(after), MOST_FOR_A_GROUP + (isKilled ? AT_ONCE : 0)),
        // The list of heroes is looked at once more at the end, when its pictures have flipped.
        ...(after
          ? findUntrue(autumn, after, mode).filter((fault) => !flips || !fault.startsWith("heroes lang=en"))
          : []),
        ...(flips && before && after ? judgeFlip(before, after, ended) : []),
      ];
      return { ...ended, faults, requests: autumn.requests().length };
    },
  };
}

/** A group that is still refused has cost a few requests. */
function judgeRequests(
  autumn: Autumn,
  before: readonly RefusedGroup[],
  after: readonly RefusedGroup[],
  most: number,
): string[] {
  const still = new Set(after.map(groupId));
  return [...Map.groupBy(before, groupId)].flatMap(([id, parts]) => {
    const [{ dimension, value } = { dimension: "endpoint", value: "" }] = parts;
    const datasets = parts.map(({ dataset }) => dataset);
    const of = (slice: Slice) =>
      datasets.includes(slice.dataset) &&
      (dimension === "endpoint" || String(slice[dimension as keyof Slice]) === value);
    const count = autumn.count(of);
    return still.has(id) && count > most ? [`${id} has cost ${count} requests`] : [];
  });
}

/** The slices of a file that are not what the upstream last answered, until the day that they say they are of. */
function findUntrue(autumn: Autumn, file: string, mode: Mode): string[] {
  const rows = queryFile<Coverage>(file, "SELECT * FROM coverage");
  return rows.flatMap(({ dataset, slice, sha256, asked_at, reason }) => {
    const path = slicePath(endpointOf(dataset), parseSlice(dataset, slice), 1);
    if (asked_at === null) {
      const isHeld = isRefused(reason) && !slice.startsWith("lang=") && autumn.lastAnswer(path) !== undefined;
      return isHeld ? [`${dataset} ${slice} was answered before, and is lost`] : [];
    }
    // Where each night asks for all of it, what is refused now is the last that was answered at all.
    const until = isRefused(reason) && mode === "plain" ? undefined : dayOf(asked_at);
    const answered = autumn.lastAnswer(path, until);
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
