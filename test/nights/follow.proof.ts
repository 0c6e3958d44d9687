import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { type FollowEvent, followSource } from "../../src/extra/nights/pull/follow.ts";
import { copyUntil, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { QUICK } from "../helpers/pulling.ts";
import { RATES, temporaryFolder } from "../helpers/run.ts";
import { type FileSource, startSource } from "../helpers/upstream/source.ts";

const nights = temporaryFolder();
let versions: string[] = [];
beforeAll(async () => {
  versions = await publishDays(nights.path, [0, 1, 2], ...RATES, "--compress");
});
afterAll(() => nights[Symbol.dispose]());

describe("followers", () => {
  test("converge after a publication under load, and never hold a bad byte, whatever the source serves between", async () => {
    using until = copyUntil(nights.path, versions[1]);
    await using source = await startSource(until.path, "mirror");
    const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const events: FollowEvent[][] = folders.map(() => []);
    const stop = new AbortController();
    const intervalMs = 250;
    const watch = (index: number) =>
      events[index]?.flatMap((event) => (event.event === "pulled" ? [event.version] : [])) ?? [];
    const following = folders.map(({ path }, index) =>
      followSource(new URL(source.url), path, {
        ...QUICK,
        intervalMs,
        frozenAfterMs: Number.POSITIVE_INFINITY,
        signal: stop.signal,
        lock: () => ({ [Symbol.dispose]() {} }),
        onEvent: (event) => void events[index]?.push(event),
      }),
    );
    const all = (version: string | undefined) => folders.every((_, index) => watch(index).at(-1) === version);
    await expect.poll(() => all(versions[1])).toBe(true);

    // What each of them may answer, by version.
    await using truth = await startFollowing(nights.path);
    const question = "/api/heroes/rank?rank=all&days=7&size=100";
    const answers = new Map<string | null, string>();
    for (const version of versions.slice(1))
      answers.set(version, await (await fetch(`${truth.url}/snapshots/${version}${question}`)).text());
    expect(new Set(answers.values()).size).toBe(2);
    const mirrors = await Promise.all(folders.map(({ path }) => startFollowing(path)));

    // Readers hammer the source while it is published, and at first most of what it serves is wrong in some way.
    const load = hammer(source, stop.signal);
    const stale = readFileSync(join(until.path, "latest.json"));
    const pointers: ((res: ServerResponse) => void)[] = [
      (res) => res.end(stale),
      (res) => res.writeHead(503).end(),
      (res) => res.end("<html>"),
      (res) => res.destroy(),
    ];
    const files: ((res: ServerResponse, bytes: Buffer) => void)[] = [
      (res, bytes) => res.end(bytes.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 10)),
      (res, bytes) =>
        res.writeHead(200, { "content-length": bytes.length }).write(bytes.subarray(0, 1000), () => res.destroy()),
      (res, bytes) => res.end(Buffer.concat([bytes, bytes])),
      (res) => res.writeHead(302, { location: "https://elsewhere.example/" }).end(),
    ];
    source.fault = ({ path, file, req, res }) => {
      if (req.headers["user-agent"] === "load") return false;
      const wrong = path.endsWith("latest.json") ? pointers.shift() : path.endsWith(".zst") ? files.shift() : undefined;
      if (!wrong) return false;
      wrong(res, file ? readFileSync(file) : Buffer.alloc(0));
      return true;
    };
    source.data = nights.path;
    const served = new Map<string, string | null>();
    while (new Set(served.values()).size !== 1 || !served.values().every((version) => version === versions[2])) {
      for (const { path } of folders) {
        const { version, sha256 } = pointerOf(path);
        expect(await hashFile(fileOf(path, version))).toBe(sha256);
      }
      for (const { url } of mirrors) {
        const response = await fetch(url + question);
        const version = response.headers.get("x-snapshot-version");
        expect(await response.text()).toBe(answers.get(version));
        served.set(url, version);
      }
    }
    await expect.poll(() => all(versions[2])).toBe(true);
    stop.abort();
    await Promise.all([...following, load]);
    expect([pointers, files]).toEqual([[], []]);
    for (const [index, { path }] of folders.entries()) {
      expect(pointerOf(path)).toEqual(pointerOf(nights.path));
      expect(watch(index)).toEqual([versions[1], versions[2]]);
    }
    for (const mirror of mirrors) await mirror[Symbol.asyncDispose]();
    for (const folder of folders) folder[Symbol.dispose]();
  });
});

/** Asks for the same files as fast as two connections can. */
async function hammer({ url }: FileSource, signal: AbortSignal) {
  const paths = ["/snapshots/latest.json", `/snapshots/${versions[1]}.sqlite`];
  const ask = async () => {
    while (!signal.aborted)
      for (const path of paths)
        await fetch(url + path, { signal, headers: { "user-agent": "load" } })
          .then((response) => response.arrayBuffer())
          .catch(() => {});
  };
  await Promise.all(Array.from({ length: 2 }, ask));
}
