import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { pullTime } from "../../scripts/cli/options/pull.ts";
import { type FollowEvent, followSource } from "../../src/extra/nights/pull/follow.ts";
import { type PullOptions, pull } from "../../src/extra/nights/pull/pull.ts";
import { type SourceEvent, trackSource } from "../../src/extra/nights/pull/track-source.ts";
import { isFrozen, type SourceState } from "../../src/network/source-state.ts";
import { followPointer, openLatest } from "../../src/server/reload/reload.ts";
import type { Pointer } from "../../src/snapshot/published/pointer.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { fewNights, plainCopyOfFirst } from "../helpers/few-nights.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { type Fault, type FileSource, startSource } from "../helpers/upstream/source.ts";

const { versions } = fewNights;
const nights = plainCopyOfFirst(3);
afterAll(() => nights[Symbol.dispose]());

const QUICK: PullOptions = {
  limits: { timeoutMs: 20_000, minBytesPerSecond: 500, maxAttempts: 3 },
};
const pullFrom = (source: FileSource, data: string, options: PullOptions = {}) =>
  pull(new URL(source.url), data, { ...QUICK, ...options });
const isFile = (path: string) => path.endsWith(".sqlite");

describe("a download", () => {
  test("that does not get further than it ever was has failed", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.path);
    let asked = 0;
    source.fault = ({ path, file, res }) => {
      // Whoever asks for ever is let through in the end.
      if (!isFile(path) || asked > 30) return false;
      asked += 1;
      res.writeHead(200, { etag: `"${asked}"` });
      return Boolean(res.end(readFileSync(file).subarray(0, asked % 2 ? 20_000 : 40_000)));
    };
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 4,
      message: expect.stringMatching(/ends after \d+ of \d+ bytes/),
    });
    expect(asked).toBe(5);
  });

  test("that always gets further succeeds, however often it breaks off", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.path);
    const { size } = pointerOf(nights.path);
    const piece = Math.ceil(size / 5);
    source.fault = ({ path, file, req, res }) => {
      if (!isFile(path)) return false;
      const from = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? "")?.[1] ?? 0);
      res.writeHead(from ? 206 : 200, {
        etag: '"1"',
        ...(from && { "content-range": `bytes ${from}-${size - 1}/${size}` }),
      });
      return Boolean(res.end(readFileSync(file).subarray(from, from + piece)));
    };
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
  });

  test("ends when its time is over, keeps what came, and the next one goes on with it", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.path);
    const { version, size } = pointerOf(nights.path);
    const slowly: Fault = ({ path, file, res }) => {
      if (!isFile(path)) return false;
      res.writeHead(200, { etag: `"${version}.sqlite"`, "content-length": size });
      const bytes = readFileSync(file);
      let at = 0;
      const write = () => {
        res.write(bytes.subarray(at, at + 1000));
        at += 1000;
      };
      write();
      const timer = setInterval(write, 50);
      res.once("close", () => clearInterval(timer));
      return true;
    };
    source.fault = slowly;
    const args = [source.url, "--data", folder.path];
    const part = join(folder.path, "snapshots", `.pull-${version}.sqlite.part`);
    const cut = (time: string) => runCommand("pull", [...args, "--pull-time", time]);
    const soon = await cut("2s");
    // On a busy machine nothing may have come by then.
    const { code, stderr } = existsSync(part) ? soon : await cut("15s");
    expect([code, stderr]).toEqual([
      4,
      `${source.url}/snapshots/${version}.sqlite did not arrive in the time for a pull; run the same command again to resume\n`,
    ]);
    const came = statSync(part).size;
    expect(came).toBeGreaterThan(0);
    source.fault = () => false;
    expect((await runCommand("pull", [...args, "--pull-time", "none"])).code).toBe(0);
    expect(source.asked.at(-1)).toMatchObject({ range: `bytes=${came}-`, status: 206 });
  });

  test.for(["0s", "501h", "10", "-1h", "forever", ""])("takes no time of %j", (time) => {
    expect(() => pullTime().parseArg?.(time, undefined)).toThrow(
      /a number with s, m or h, as in 10m, and at most 500h/,
    );
  });
});

describe("a pointer or a manifest is refused that", () => {
  const DAY = 86_400_000;
  /** The pointer of a version that began so many milliseconds from now, named as a build does. */
  const beginning = (pointer: Pointer, ahead: number) => {
    const started_at = new Date(Date.now() + ahead).toISOString();
    return { started_at, version: `${started_at.replaceAll(/[-:]|\.\d+/g, "")}-${pointer.content_hash.slice(0, 8)}` };
  };
  type Case = [what: string, change: (pointer: Pointer) => object, message: RegExp];
  const cases: Case[] = [
    [
      "is of the day after tomorrow",
      (pointer) => beginning(pointer, DAY + 60_000),
      /more than a day ahead of the clock here/,
    ],
    [
      "is of the year 9999",
      ({ content_hash }) => ({
        started_at: "9999-12-31T00:00:00.000Z",
        version: `99991231T000000Z-${content_hash.slice(0, 8)}`,
      }),
      /has a started_at, 9999-12-31T00:00:00.000Z, more than a day ahead/,
    ],
    [
      "has a version that began later than it says",
      () => ({ version: `99991231T000000Z-${"0".repeat(8)}` }),
      /does not fit its started_at and content_hash/,
    ],
    [
      "has a version of another content",
      ({ version }) => ({ version: version.replace(/.{8}$/, "00000000") }),
      /does not fit its started_at/,
    ],
    ["has a start that is no time", () => ({ started_at: "now" }), /is not a pointer of metasnap \(started_at:/],
  ];
  test.for(cases)("%s", async ([, change, message]) => {
    using folder = temporaryFolder();
    using other = plainCopyOfFirst(3);
    const pointer = pointerOf(other.path);
    writeFileSync(join(other.path, "latest.json"), JSON.stringify({ ...pointer, ...change(pointer) }));
    await using source = await startSource(other.path);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(message),
    });
    expect(source.asked.filter(({ path }) => path.includes(versions[2] ?? "") || isFile(path))).toEqual([]);
  });

  test("is not refused where the clocks differ by less", async () => {
    using folder = temporaryFolder();
    using other = plainCopyOfFirst(3);
    const pointer = pointerOf(other.path);
    writeFileSync(join(other.path, "latest.json"), JSON.stringify({ ...pointer, ...beginning(pointer, DAY - 60_000) }));
    await using source = await startSource(other.path);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 4,
      message: expect.stringMatching(/\.json is not there/),
    });
  });

  const manifests: [what: string, more: string, message: RegExp][] = [
    ["is of 8 MB", JSON.stringify("x".repeat(8 * 2 ** 20)), /is larger than 1048576 bytes/],
    ["has a million levels", `${"[".repeat(1e6)}${"]".repeat(1e6)}`, /is larger than 1048576 bytes/],
    [
      "has as many levels as fit",
      `${'[{"a":'.repeat(100_000)}0${"}]".repeat(100_000)}`,
      /is not a manifest of metasnap/,
    ],
    ["does not close what it opens", "[".repeat(100), /is not a manifest of metasnap/],
  ];
  /** Gives the manifest of the latest one more entry. */
  function writeMore(data: string, more: string) {
    const manifest = join("snapshots", `${versions[2]}.json`);
    const text = readFileSync(join(nights.path, manifest), "utf8");
    writeFileSync(join(data, manifest), `${text.trimEnd().slice(0, -1)},"more":${more}}`);
  }

  test.for(manifests)("%s", async ([, more, message]) => {
    using folder = temporaryFolder();
    using other = plainCopyOfFirst(3);
    await using source = await startSource(other.path);
    writeMore(other.path, more);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(message),
    });
  });

  test("nests too deeply, and not one that nests a little or has brackets and quotes in a text", async () => {
    using folder = temporaryFolder();
    using other = plainCopyOfFirst(3);
    await using source = await startSource(other.path);
    writeMore(
      other.path,
      `{"a":${"[".repeat(65) + "]".repeat(65)},"b":${JSON.stringify(`\\"${"[".repeat(1000)}\\\\"`)}}`,
    );
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
  });
});

/** Follows until the test is over; tells what happened. */
function startFollow(source: FileSource, data: string, frozenAfterMs: number, intervalMs = 50) {
  const events: FollowEvent[] = [];
  const states: SourceState[] = [];
  const stop = new AbortController();
  const following = followSource(new URL(source.url), data, {
    ...QUICK,
    intervalMs,
    frozenAfterMs,
    signal: stop.signal,
    lock: () => ({ [Symbol.dispose]() {} }),
    onEvent: (event) => void events.push(event),
    onState: (state) => void states.push(state),
  });
  return {
    events,
    states,
    of: (name: FollowEvent["event"]) => events.filter(({ event }) => event === name),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}

describe("a follower", () => {
  const NEVER = Number.POSITIVE_INFINITY;

  test("says each time that its source is older than what is in hand, until it is not", async () => {
    using folder = plainCopyOfFirst(2);
    using other = plainCopyOfFirst(1);
    await using source = await startSource(other.path);
    await using following = startFollow(source, folder.path, NEVER);
    await expect.poll(() => following.states.length).toBeGreaterThan(4);
    const older = { event: "older", version: versions[0], inHand: versions[1] };
    expect(following.events.slice(0, 4)).toEqual([older, older, older, older]);
    expect(following.states.at(-1)).toMatchObject({ version: versions[0], older_than: versions[1] });
    source.data = nights.path;
    await expect.poll(() => following.of("pulled")).toEqual([{ event: "pulled", version: versions[2] }]);
    await expect.poll(() => following.states.at(-1)).toMatchObject({ version: versions[2], older_than: null });
  });

  test("says once that its source is frozen, and again when it freezes again", async () => {
    using folder = plainCopyOfFirst(1);
    using other = plainCopyOfFirst(1);
    await using source = await startSource(other.path);
    await using following = startFollow(source, folder.path, 3000);
    await expect.poll(() => following.states.length).toBeGreaterThan(4);
    const since = pointerOf(other.path).started_at;
    expect(following.events).toEqual([{ event: "frozen", version: versions[0], since: new Date(since).toISOString() }]);
    source.data = nights.path;
    await expect.poll(() => following.of("pulled").length).toBe(1);
    await expect.poll(() => following.of("frozen").length).toBe(2);
    expect(following.of("frozen").at(-1)).toMatchObject({ version: versions[2] });
  });

  test("takes a source that cannot be reached for one that does not move", async () => {
    using folder = plainCopyOfFirst(1);
    await using source = await startSource(nights.path);
    source.fault = ({ res }) => Boolean(res.writeHead(503).end());
    await using following = startFollow(source, folder.path, 500);
    await expect.poll(() => following.of("frozen").length).toBe(1);
    expect(following.of("frozen")).toMatchObject([{ version: null }]);
  });

  test("sees no movement in one that goes back and forth", () => {
    const events: SourceEvent[] = [];
    const watch = trackSource(86_400_000, (event) => void events.push(event));
    const see = (night: number, ago: number) =>
      watch.recordPoll(
        { version: versions[night], started_at: new Date(Date.now() - ago).toISOString() } as Pointer,
        undefined,
      );
    see(1, 90_000_000);
    for (const night of [0, 1, 0, 1]) {
      see(night, 0);
      expect(isFrozen(watch.state)).toBe(true);
      watch.checkFrozen();
    }
    see(2, 90_000_000);
    expect(isFrozen(watch.state)).toBe(false);
    watch.checkFrozen();
    expect(events).toMatchObject([{ event: "frozen", version: versions[0] }]);
  });
});

describe("a server that follows", () => {
  test("goes over to what the pointer came to name before it looked", async () => {
    using folder = plainCopyOfFirst(2);
    rollback(folder.path, versions[0]);
    const active = openLatest(folder.path);
    rollback(folder.path, versions[1]);
    const follower = followPointer({ data: folder.path, active, intervalMs: 3_600_000 });
    await follower.poll();
    expect(active.snapshot.head.version).toBe(versions[1]);
    await follower.stop();
    active.close();
  });
});
