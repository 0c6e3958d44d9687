import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { findOwnNights } from "../../../src/nights/history/find-nights.ts";
import { updateHistory } from "../../../src/nights/history/history.ts";
import { buildAndPublish } from "../../../src/snapshot/pipeline.ts";
import { readNights } from "../../../src/snapshot/published/sequence.ts";
import { withdrawnOf } from "../data-folder.ts";
import type { Draw } from "../draw.ts";
import { runCommand, temporaryFolder } from "../run.ts";
import { queryFile } from "../sqlite.ts";
import { crawlSmall } from "./crawl.ts";
import { createDamage } from "./damage.ts";
import { judgeDiff } from "./diff.ts";
import { createFollowerBooks } from "./follower.ts";
import { type FoldedNight, judgeHistory } from "./history.ts";
import { createLedger, type Entry } from "./ledger.ts";
import { startMirrors } from "./mirrors.ts";
import { change, FIRST } from "./plan.ts";
import { FRAGILE, type Game, LANGUAGES, startGame } from "./upstream.ts";

const START = Date.UTC(2025, 7, 1, 3) / 1000;
const DAY = 86_400;

/** Folds a data folder as its command does; how many nights changed, and were left out. */
function fold(data: string) {
  const done = updateHistory(join(data, "history.sqlite"), findOwnNights(data).nights);
  return { ...done, left: done.damaged + readNights(data).damaged.length };
}

/** An upstream, a folder with a mirror that serves it, and another mirror that follows that one. */
export async function startWorld(draw: Draw) {
  const folder = temporaryFolder();
  const [data, copies, followed] = ["data", "copies", "followed"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(copies);
  const ledger = createLedger();
  const follower = createFollowerBooks(ledger);
  const damage = createDamage(draw, data);
  let folded: string[] = [];
  let marks = "";
  let game: Game = FIRST;
  let clock = START;
  const upstream = await startGame(game);
  const fileOf = (version: string, of = data) => join(of, "snapshots", `${version}.sqlite`);

  /** One crawl of the game as it is; the version that it published, if it did. */
  async function crawl(into: string, { failing = [] as RegExp[], languages = LANGUAGES, latest = true } = {}) {
    upstream.set(game, failing);
    const journal = await crawlSmall({
      upstream: upstream.url,
      data: into,
      languages,
      startedAt: new Date(clock * 1000),
    });
    const publishing = { latest, allowPartial: latest, maxLoss: 100, keep: 1000 };
    const { version, changed } = await buildAndPublish(journal, into, publishing);
    return changed ? version : undefined;
  }

  /** The night must lack just what was made to fail: else what follows would be compared with the wrong books. */
  function book(version: string, more: Pick<Entry, "subset" | "failed"> & Partial<Entry>) {
    const file = fileOf(version, copies);
    mkdirSync(join(copies, "snapshots"), { recursive: true });
    copyFileSync(fileOf(version), file);
    const holes = queryFile(file, "SELECT dataset, slice, reason FROM coverage WHERE status = 'failed'");
    expect(holes.length, JSON.stringify(holes)).toBe(more.failed);
    ledger.add({ version, file, ...more });
    if (!more.subset) follower.add(version);
  }

  /** A night that has something new. */
  async function publish() {
    const version = await crawl(data);
    if (!version) throw new Error(`nothing was published of ${JSON.stringify(game)}`);
    book(version, { subset: false, failed: 0 });
  }

  const pass = (days: number) => {
    clock += days * DAY;
    game = { ...change(draw, game), day: game.day + Math.max(1, days) };
  };

  async function rollBack(to?: string) {
    const { code, stderr } = await runCommand("rollback", ["--data", data, ...(to ? ["--to", to] : [])]);
    expect([code, stderr]).toEqual([0, ""]);
    const { version } = JSON.parse(readFileSync(join(data, "latest.json"), "utf8"));
    expect(version).toBe(to ?? ledger.find(ledger.latest)?.follows);
    ledger.moveTo(version);
  }

  const others = () => ledger.nights().filter(({ version }) => version !== ledger.latest);

  const acts = {
    async plain() {
      pass(1);
      await publish();
    },
    async unchanged() {
      await acts.plain();
      clock += DAY;
      expect(await crawl(data)).toBeUndefined();
    },
    async skipped() {
      pass(2 + draw.below(4));
      await publish();
    },
    async two() {
      await acts.plain();
      await check();
      clock += 7200;
      game = change(draw, game);
      await publish();
    },
    async "older clock"() {
      const right = clock;
      pass(1);
      clock = right - (1 + draw.below(9)) * DAY - 600 * (1 + draw.below(20));
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
      if (ledger.find(ledger.latest)?.follows === null) await acts.plain();
      await rollBack();
    },
    async "rolled back to"() {
      await rollBack(draw.pick(others()).version);
      await check();
      await acts.plain();
    },
    async "rolled back and forward"() {
      const { latest } = ledger;
      await rollBack(draw.pick(others()).version);
      await check();
      await rollBack(draw.pick([latest, draw.pick(others()).version]));
    },
    async partial() {
      // Where something else is gone since the last night that is folded, it could be of what failed: nobody can tell.
      clock += DAY;
      game = { ...game, day: game.day + 1, story: (game.story + 1) % 3 };
      const failing = draw.shuffle(FRAGILE).slice(0, 1 + draw.below(3));
      const version = await crawl(data, { failing });
      const failed = upstream.refused.size;
      expect(failed).toBeGreaterThan(0);
      const apart = join(folder.path, `whole-${clock}`);
      const whole = fileOf((await crawl(apart)) ?? "", apart);
      book(version ?? "", { subset: false, failed, whole });
    },
    async subset() {
      await acts.plain();
      clock += 3600;
      book((await crawl(data, { languages: ["en"], latest: false })) ?? "", { subset: true, failed: 0 });
    },
    async damaged() {
      const [first, second] = draw.pick([
        ["plain", "plain"],
        ["partial", "plain"],
        ["partial", "partial"],
      ] as const);
      await acts[first]();
      const version = ledger.latest;
      await settled();
      damage.do(version);
      await check();
      await acts[second]();
      await check();
      damage.undo(version, ledger.find(version)?.file ?? "");
    },
  };

  await acts.plain();
  const mirrors = await startMirrors(data, followed, damage.explains);
  const settled = () => mirrors.settled(ledger.latest, ledger.nights().at(-1)?.version ?? "", !damage.any());

  /** Everything that is known of the nights is compared with what was done. */
  async function check() {
    judgeManifests();
    const differs = await diffLast();
    await settled();
    foldFollower();
    expect([...foldMain(), ...differs]).toEqual([]);
  }

  function judgeManifests() {
    const withdrawn = withdrawnOf(data);
    const said = ledger.all().flatMap(({ version }) => {
      if (damage.has(version)) return [];
      const { sequence, follows, latest } = JSON.parse(
        readFileSync(fileOf(version).replace(/sqlite$/, "json"), "utf8"),
      );
      return [{ version, sequence, follows, withdrawn: withdrawn.includes(version), latest }];
    });
    const right = ledger.all().flatMap(({ version, sequence, follows, subset }) => {
      if (damage.has(version)) return [];
      const night = { version, sequence, follows, withdrawn: ledger.isWithdrawn(version), latest: true };
      return [subset ? { ...night, follows: undefined, withdrawn: false, latest: false } : night];
    });
    expect(said).toEqual(right);
  }

  function foldMain(): string[] {
    const done = fold(data);
    const nights = ledger.nights().filter(({ version }) => folded.includes(version) || !damage.has(version));
    const state = nights.map((night): FoldedNight => ({ ...night, withdrawn: ledger.isWithdrawn(night.version) }));
    const marked = state.map(({ version, withdrawn }) => `${version} ${withdrawn}`).join();
    expect(done.left).toBe(ledger.nights().length - nights.length);
    expect(done.ingested + done.marked > 0).toBe(marked !== marks);
    folded = nights.map(({ version }) => version);
    marks = marked;
    return judgeHistory(join(data, "history.sqlite"), state);
  }

  /** The follower no longer has the files of all that it folded. */
  function foldFollower() {
    expect(fold(followed).left).toBe(0);
    expect(judgeHistory(join(followed, "history.sqlite"), follower.nights())).toEqual([]);
  }

  async function diffLast(): Promise<string[]> {
    const [before, after] = ledger.standing().slice(-2);
    if (!before || !after || damage.has(before.version) || damage.has(after.version)) return [];
    const { code, stdout, stderr } = await runCommand("diff", ["--data", data, "--json"]);
    expect([0, 2], stderr).toContain(code);
    const diff = JSON.parse(stdout);
    expect([diff.before.version, diff.after.version]).toEqual([before.version, after.version]);
    return judgeDiff(diff, before.file, after.file);
  }

  return {
    ledger,
    acts,
    check,
    /** What the mirrors answered all the while, and what was wrong with it. */
    async end() {
      const files = new Map(ledger.nights().map(({ version, file }) => [version, file]));
      return await mirrors.end(files);
    },
    async [Symbol.asyncDispose]() {
      await mirrors[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
