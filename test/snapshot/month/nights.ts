import { copyFileSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { findOwnNights } from "../../../src/extra/nights/history/find-nights.ts";
import { updateHistory } from "../../../src/extra/nights/history/history.ts";
import { openJournal } from "../../../src/journal/open.ts";
import { buildSnapshot } from "../../../src/snapshot/build/build.ts";
import { buildAndPublish } from "../../../src/snapshot/pipeline.ts";
import { readNights } from "../../../src/snapshot/published/sequence.ts";
import { crawlSmall } from "../../helpers/crawl-small.ts";
import { fileOf, manifestFileOf, manifestOf, pointerOf, withdrawnOf } from "../../helpers/data-folder.ts";
import { type FoldedNight, judgeHistory } from "../../helpers/judge-history.ts";
import type { Random } from "../../helpers/random.ts";
import { runCommand, temporaryFolder } from "../../helpers/run.ts";
import { queryFile } from "../../helpers/sqlite.ts";
import { judgeDiff } from "./diff.ts";
import { change, FIRST, type Kind } from "./plan.ts";
import { FRAGILE, LANGUAGES, startGame } from "./upstream.ts";

const START = Date.UTC(2025, 7, 1, 3) / 1000;
const DAY = 86_400;

/** A publication as it ought to be known: by what was done, not by what the folder says. */
export interface MonthNight {
  version: string;
  sequence: number;
  /** A copy of the file as it was published. */
  file: string;
  /** The version that was the latest before; null before the first. Subsets follow nothing. */
  follows: string | null;
  subset: boolean;
  /** Answers that it lacks, and the same night with nothing failing. */
  failed: number;
  whole?: string;
}

/** Folds a data folder as its command does; how many nights changed, and were left out. */
export function fold(data: string) {
  const done = updateHistory(join(data, "history.sqlite"), findOwnNights(data).nights);
  return { changed: done.ingested + done.marked, left: done.damaged + readNights(data).damaged.length };
}

/** An upstream, and a folder of its nights, which come in every way that nights may come. */
export async function startMonth(random: Random, endpoints?: string[]) {
  const folder = temporaryFolder();
  const [data, copies] = ["data", "copies"].map((name) => join(folder.path, name)) as [string, string];
  mkdirSync(join(copies, "snapshots"), { recursive: true });
  const upstream = await startGame(FIRST);
  let game = FIRST;
  let clock = START;
  const published: MonthNight[] = [];
  let latest = "";
  /** Manifests of nights that are damaged on the disk. */
  const damaged = new Map<string, Buffer>();

  const find = (version: string | null) => published.find((night) => night.version === version);
  const nights = () => published.filter(({ subset }) => !subset);
  const others = () => nights().filter(({ version }) => version !== latest);

  /** The pointer's night, the one that it followed, and so on to the first. */
  function standing(): MonthNight[] {
    const way: MonthNight[] = [];
    for (let at = find(latest); at; at = find(at.follows)) way.unshift(at);
    return way;
  }
  const isWithdrawn = ({ version }: MonthNight) => !standing().some((night) => night.version === version);

  /** One crawl of the game as it is; the version that it published, if it did. */
  async function crawl({ failing = [] as RegExp[], languages = LANGUAGES, asLatest = true } = {}) {
    upstream.set(game, failing);
    const publishing = { latest: asLatest, maxLoss: 100, keep: 1000 };
    const { version, changed } = await buildAndPublish(await crawlJournal(data, languages), data, publishing);
    return changed ? version : undefined;
  }

  const crawlJournal = (into: string, languages = LANGUAGES) => {
    const at = { upstream: upstream.url, data: into, startedAt: new Date(clock * 1000) };
    return crawlSmall({ ...at, languages, ...(endpoints && { endpoints }) });
  };

  /** The file of the game as it is, of which nothing is published. */
  async function buildWhole(): Promise<string> {
    const apart = join(folder.path, `whole-${clock}`);
    upstream.set(game);
    const journal = openJournal(await crawlJournal(apart));
    const file = join(apart, "whole.sqlite");
    await buildSnapshot(journal, file);
    journal.close();
    return file;
  }

  /** A night must lack just what was made to fail: else what follows would be compared with the wrong books. */
  function book(version: string | undefined, more: { subset?: boolean; failed?: number; whole?: string } = {}) {
    if (!version) throw new Error(`nothing was published of ${JSON.stringify(game)}`);
    const file = fileOf(copies, version);
    copyFileSync(fileOf(data, version), file);
    const { subset = false, failed = 0, ...whole } = more;
    const holes = queryFile(file, "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'");
    expect(holes, JSON.stringify(holes)).toHaveLength(failed);
    const follows = subset || latest === "" ? null : latest;
    published.push({ version, file, sequence: published.length + 1, follows, subset, failed, ...whole });
    if (!subset) latest = version;
  }

  const publish = async () => book(await crawl());

  function pass(days: number) {
    clock += days * DAY;
    game = { ...change(random, game), day: game.day + days };
  }

  async function rollBack(to?: string) {
    const { code, stderr } = await runCommand("rollback", ["--data", data, ...(to ? ["--to", to] : [])]);
    expect([code, stderr]).toEqual([0, ""]);
    const { version } = pointerOf(data);
    expect(version).toBe(to ?? find(latest)?.follows);
    latest = version;
  }

  /** A reader that has the file open goes on with what was there. */
  function damage(version: string) {
    const [snapshot, manifest] = [fileOf(data, version), manifestFileOf(data, version)];
    damaged.set(version, readFileSync(manifest));
    const file = random.pick([snapshot, manifest]);
    const draft = join(data, "damaged");
    copyFileSync(file, draft);
    if (file === manifest) writeFileSync(draft, "{");
    else truncateSync(draft, 4096 * (1 + random.below(40)));
    renameSync(draft, file);
  }

  function mend(version: string) {
    copyFileSync(fileOf(copies, version), fileOf(data, version));
    writeFileSync(manifestFileOf(data, version), damaged.get(version) ?? "");
    damaged.delete(version);
  }

  const acts: Record<Kind, () => Promise<void>> = {
    async plain() {
      pass(1);
      await publish();
    },
    async unchanged() {
      await acts.plain();
      clock += DAY;
      expect(await crawl()).toBeUndefined();
    },
    async skipped() {
      pass(2 + random.below(4));
      await publish();
    },
    async two() {
      await acts.plain();
      await check();
      clock += 7200;
      game = change(random, game);
      await publish();
    },
    async "older clock"() {
      const right = clock;
      pass(1);
      clock = right - (1 + random.below(9)) * DAY - 600 * (1 + random.below(20));
      await publish();
      clock = right + DAY;
    },
    async "newer clock"() {
      pass(1);
      clock += 20 * DAY + 60;
      await publish();
      clock -= 20 * DAY + 60;
    },
    async "rolled back"() {
      if (find(latest)?.follows === null) await acts.plain();
      await rollBack();
    },
    async "rolled back to"() {
      await rollBack(random.pick(others()).version);
      await check();
      await acts.plain();
    },
    async "rolled back and forward"() {
      const before = latest;
      await rollBack(random.pick(others()).version);
      await check();
      await rollBack(random.pick([before, random.pick(others()).version]));
    },
    async partial() {
      // If something else were gone since the last night that is folded, it could be of what failed: nobody can tell.
      clock += DAY;
      game = { ...game, day: game.day + 1, story: (game.story + 1) % 3 };
      const version = await crawl({ failing: random.shuffle(FRAGILE).slice(0, 1 + random.below(3)) });
      const failed = upstream.refused.size;
      expect(failed).toBeGreaterThan(0);
      book(version, { failed, whole: await buildWhole() });
    },
    async subset() {
      await acts.plain();
      clock += 3600;
      book(await crawl({ languages: ["en"], asLatest: false }), { subset: true });
    },
    async damaged() {
      const [first, second] = random.pick([
        ["plain", "plain"],
        ["partial", "plain"],
        ["partial", "partial"],
      ] as const);
      await acts[first]();
      const version = latest;
      damage(version);
      await check();
      await acts[second]();
      await check();
      mend(version);
    },
  };

  let folded: string[] = [];
  let marks = "";

  /** Folds, and compares manifests, figures and the last difference with what was done. */
  async function check() {
    checkManifests();
    await checkDiff();
    const state = foldable();
    const marked = state.map(({ version, withdrawn }) => `${version} ${withdrawn}`).join();
    const { changed, left } = fold(data);
    expect([changed > 0, left]).toEqual([marked !== marks, nights().length - state.length]);
    folded = state.map(({ version }) => version);
    marks = marked;
  }

  /** The nights that a history has: those that it had already, and those that are whole. */
  const foldable = () =>
    nights()
      .filter(({ version }) => folded.includes(version) || !damaged.has(version))
      .map((night): FoldedNight => ({ ...night, withdrawn: isWithdrawn(night) }));

  function checkManifests() {
    const withdrawn = withdrawnOf(data);
    for (const night of published.filter(({ version }) => !damaged.has(version))) {
      const { version, sequence, subset } = night;
      const { follows, ...told } = manifestOf(data, version);
      expect([told.sequence, told.latest, follows], version).toEqual([
        sequence,
        !subset,
        subset ? undefined : night.follows,
      ]);
      if (!subset) expect(withdrawn.includes(version), version).toBe(isWithdrawn(night));
    }
  }

  async function checkDiff() {
    const [before, after] = standing().slice(-2);
    if (!before || !after || damaged.has(before.version) || damaged.has(after.version)) return;
    const { code, stdout, stderr } = await runCommand("diff", ["--data", data, "--json"]);
    expect([0, 2], stderr).toContain(code);
    const diff = JSON.parse(stdout);
    expect([diff.before.version, diff.after.version]).toEqual([before.version, after.version]);
    // A hole says nothing of what changed, and its slices are not compared.
    if (before.failed + after.failed === 0) expect(judgeDiff(diff, before.file, after.file)).toEqual([]);
  }

  await acts.plain();
  return {
    data,
    nights,
    acts,
    check,
    /** Tells what the history says otherwise than the files do. */
    judge: () => judgeHistory(join(data, "history.sqlite"), foldable()),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
