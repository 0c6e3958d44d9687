import { describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { type FollowEvent, followSource } from "../../src/extra/nights/pull/follow.ts";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { ONE_HOUR, startNights } from "../helpers/own-nights.ts";
import { pretendLoss, QUICK } from "../helpers/pulling.ts";
import { RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startSource } from "../helpers/upstream/source.ts";

const { data: nights, versions } = fewNights;

test("a follower fetches what it refuses once, looks on, and takes the next", async () => {
  using until = copyOfFirst(2);
  await using source = await startSource(until.path);
  using folder = copyOfFirst(1);
  const makeGood = pretendLoss(folder.path);
  const events: FollowEvent[] = [];
  const stop = new AbortController();
  const following = followSource(new URL(source.url), folder.path, {
    ...QUICK,
    intervalMs: 100,
    frozenAfterMs: Number.POSITIVE_INFINITY,
    signal: stop.signal,
    lock: () => ({ [Symbol.dispose]() {} }),
    onEvent: (event) => void events.push(event),
  });
  const looks = () => source.asked.filter(({ path }) => path === "/latest.json").length;
  const fetched = () => source.asked.filter(({ path }) => /\.sqlite/.test(path)).map(({ path }) => path);
  await expect.poll(looks).toBeGreaterThan(5);
  expect(fetched()).toEqual([`/snapshots/${versions[1]}.sqlite.zst`]);
  expect(events).toEqual([
    { event: "failed", message: expect.stringContaining("heroes"), retryMs: expect.any(Number) },
  ]);
  makeGood();
  source.data = nights;
  await expect.poll(() => events.at(-1)).toEqual({ event: "pulled", version: versions[2] });
  expect(pointerOf(folder.path).version).toBe(versions[2]);
  stop.abort();
  await following;
});

test("the data in hand under another name is fetched once", async () => {
  await using upstream = await startNights(2, ["--languages", "en", "--ranks", "all", "--days", "7", ...RATES]);
  using other = temporaryFolder();
  expect((await upstream.crawl(0)).code).toBe(0);
  expect((await upstream.crawl(ONE_HOUR, ["--data", other.path])).code).toBe(0);
  await using source = await startSource(other.path);
  const refused = new Set<string>();
  expect(await pull(new URL(source.url), upstream.data, { ...QUICK, refused })).toMatchObject({ changed: false });
  await expect(pull(new URL(source.url), upstream.data, { ...QUICK, refused })).rejects.toMatchObject({ exit: 2 });
  expect(source.asked.filter(({ path }) => /\.sqlite/.test(path))).toHaveLength(1);
});

describe("serve --follow", () => {
  test("fetches the first snapshot, serves it, and pulls the next by itself", async () => {
    using folder = temporaryFolder();
    using until = copyOfFirst(2);
    await using source = await startSource(until.path);
    await using served = await startServe(["--data", folder.path, "--follow", source.url, "--every", "1s"]);
    const version = async () => (await fetch(`${served.url}/api/heroes`)).headers.get("x-snapshot-version");
    expect(await version()).toBe(versions[1]);
    source.data = nights;
    await expect.poll(version).toBe(versions[2]);
    expect(await hashFile(fileOf(folder.path))).toBe(pointerOf(nights).sha256);
    // A mirror that follows is a source like any other.
    using next = temporaryFolder();
    expect(await pull(new URL(served.url), next.path, QUICK)).toMatchObject({
      version: versions[2],
      changed: true,
    });
    expect(await hashFile(fileOf(next.path))).toBe(pointerOf(nights).sha256);
    const { code, stdout } = await served.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^now serving ${versions[1]}$`, "m"));
  });

  test("does not start without a source when there is nothing to serve", async () => {
    using folder = temporaryFolder();
    const ended = await runCommand("serve", ["--data", folder.path, "--follow", "http://127.0.0.1:9", "--port", "0"]);
    expect(ended).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/\S+ does not answer: [^\n]+\n$/),
    });
  });
});
