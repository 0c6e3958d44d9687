import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { lastFinished } from "../../src/journal/runs.ts";
import { buildAndPublish } from "../../src/snapshot/pipeline.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { publishDays, type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

const folder = temporaryFolder();
const data = join(folder.path, "data");
let versions: string[] = [];
let mirror: RunningMirror;

const changesFile = (version: string | undefined, at = data) => join(at, "snapshots", `${version}.changes.json`);
const readChanges = (version: string | undefined, at = data) => readFileSync(changesFile(version, at), "utf8");
const addressOf = (version: string | undefined) => `${mirror.url}/snapshots/${version}/changes.json`;

beforeAll(async () => {
  versions = await publishDays(data, [0, 1, 2], "--endpoints", "heroes,hero,rank,counters,stats");
  mirror = await startFollowing(data);
}, 60_000);
afterAll(async () => {
  await mirror[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe("what changed from night to night", () => {
  test("lies beside each night but the first, as diff tells it", async () => {
    const [first, second, third] = versions;
    expect(existsSync(changesFile(first))).toBe(false);
    expect(manifestOf(data, first).changes).toBeUndefined();
    for (const [since, version] of [
      [first, second],
      [second, third],
    ] as const) {
      const { stdout } = await runCommand("diff", ["--data", data, "--json", since ?? "", version ?? ""]);
      expect(readChanges(version)).toBe(stdout);
      const { changes } = manifestOf(data, version);
      const sha256 = await hashFile(changesFile(version));
      expect(changes).toEqual({ since, size: Buffer.byteLength(stdout), sha256 });
    }
  });

  test("is served with its hash as the ETag, and asked for again, as the night before may become another one", async () => {
    const [, second] = versions;
    const response = await fetch(addressOf(second));
    const etag = `"${manifestOf(data, second).changes.sha256}"`;
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toBe(readChanges(second));
    const again = await fetch(addressOf(second), { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await fetch(addressOf(second), { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(readChanges(second).length));
    const { data: listed } = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as {
      data: { records: { version: string; urls: { changes?: string } }[] };
    };
    expect(listed.records.map(({ urls }) => urls.changes !== undefined)).toEqual([true, true, false]);
  });

  test("is not there for the first night, nor for one that is not here", async () => {
    for (const version of [versions[0], "20200101T000000Z-00000000", "x"]) {
      const response = await fetch(addressOf(version));
      expect(expectScheme(response.status, await response.text()).code).toBe("RESOURCE_NOT_FOUND");
      expect(response.status).toBe(404);
    }
  });

  test("is not there where another program published, or the file is gone or was changed in its manifest", async () => {
    using copy = copyOf(data);
    const [, second, third] = versions;
    rmSync(changesFile(second, copy.path));
    const { changes, ...others } = manifestOf(copy.path, third);
    for (const said of [undefined, null, { since: "x" }, { ...changes, size: "1" }]) {
      writeFileSync(manifestFileOf(copy.path, third), JSON.stringify({ ...others, changes: said }));
      await using served = await startFollowing(copy.path);
      for (const version of [second, third])
        expect((await fetch(`${served.url}/snapshots/${version}/changes.json`)).status).toBe(404);
      expect((await fetch(`${served.url}/snapshots/${third}.json`)).status).toBe(200);
    }
  });

  test("is the same when the night is built again, and goes with it", async () => {
    using copy = copyOf(data);
    const [, , third] = versions;
    expect((await runCommand("rollback", ["--data", copy.path])).code).toBe(0);
    expect(existsSync(changesFile(third, copy.path))).toBe(true);
    const journal = lastFinished(copy.path);
    const words = ["--data", copy.path, "--journal", journal, "--allow-partial"];
    expect((await runCommand("build", words)).code).toBe(0);
    expect(pointerOf(copy.path).version).toBe(third);
    expect(readChanges(third, copy.path)).toBe(readChanges(third));
    expect((await runCommand("build", [...words, "--keep", "1"])).code).toBe(2);
    expect(readdirSync(join(copy.path, "snapshots")).sort()).toEqual([
      `${third}.changes.json`,
      `${third}.json`,
      `${third}.sqlite`,
    ]);
    expect((await runCommand("verify", ["--data", copy.path])).code).toBe(0);
  });

  test("never keeps a night from being published", async () => {
    using copy = copyOf(data);
    const [first, second, third] = versions;
    const journal = lastFinished(copy.path);
    expect((await runCommand("rollback", ["--data", copy.path])).code).toBe(0);
    const options = { latest: true, maxLoss: 100 };
    const failing = async ({ target }: { target: string }) => {
      writeFileSync(target, "{");
      throw new Error("out of memory");
    };
    const published = await buildAndPublish(journal, copy.path, { ...options, compare: failing });
    expect(published).toMatchObject({ version: third, changed: true, uncompared: "out of memory" });
    expect(manifestOf(copy.path, third).changes).toBeUndefined();
    expect(readdirSync(join(copy.path, "snapshots")).filter((name) => name.includes(".changes"))).toEqual([
      `${second}.changes.json`,
    ]);
    expect((await runCommand("rollback", ["--data", copy.path, "--to", first ?? ""])).code).toBe(0);
    rmSync(fileOf(copy.path, second));
    const without = await buildAndPublish(journal, copy.path, { ...options, compare: failing });
    expect(without).toMatchObject({ version: third, changed: true });
    expect(without.uncompared).toBeUndefined();
  });

  test("is made again by a mirror that has both nights, from its own files", async () => {
    using pulled = temporaryFolder();
    using source = temporaryFolder();
    cpSync(data, source.path, { recursive: true });
    const [, second, third] = versions;
    expect((await runCommand("rollback", ["--data", source.path])).code).toBe(0);
    await using served = await startFollowing(source.path);
    const take = () => pull(new URL(served.url), pulled.path);
    expect(await take()).toMatchObject({ version: second, changed: true });
    expect(existsSync(changesFile(second, pulled.path))).toBe(false);
    expect((await runCommand("rollback", ["--data", source.path, "--to", third ?? ""])).code).toBe(0);
    await expect.poll(async () => (await take()).version).toBe(third);
    expect(readChanges(third, pulled.path)).toBe(readChanges(third));
    expect(manifestOf(pulled.path, third).changes).toEqual(manifestOf(data, third).changes);
  });
});
