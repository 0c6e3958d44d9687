import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../scripts/bench/nginx.ts";
import { copyUntil, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { bytesOf, publicOf } from "../helpers/public-files.ts";
import { RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startS3 } from "../helpers/s3-server.ts";
import { startSource } from "../helpers/upstream/source.ts";

const folder = temporaryFolder();
const nights = folder.path;
let versions: string[] = [];
beforeAll(async () => {
  // rclone asks for minutes what does not answer, and finds remotes where it runs.
  vi.stubEnv("RCLONE_LOW_LEVEL_RETRIES", "1").stubEnv("RCLONE_RETRIES", "1");
  vi.stubEnv("RCLONE_CONFIG", "/nowhere/rclone.conf").stubEnv("AWS_CA_BUNDLE", undefined);
  versions = await publishDays(nights, [0, 1, 2], ...RATES, "--compress");
});
afterAll(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

const publishTo = (data: string, place: string, ...more: string[]) =>
  runCommand("publish-to", [place, "--data", data, ...more]);

const pull = (url: string, data: string) => runCommand("pull", [url, "--data", data]);

/** Reads as a pull does, as fast as it can, and tells of every night that was not whole. */
function readAlways(url: string, stop: AbortSignal) {
  const get = async (path: string) => {
    const { statusCode, body } = await request(`${url}/${path}`);
    return { statusCode, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  const seen = new Map<string, number>();
  const faults: string[] = [];
  async function read() {
    const pointer = await get("latest.json");
    if (pointer.statusCode === 404 && seen.size === 0) return;
    const { version, sha256 } = JSON.parse(pointer.bytes.toString());
    const manifest = JSON.parse((await get(`snapshots/${version}.json`)).bytes.toString());
    const [file, copy, changes] = await Promise.all(
      [`${version}.sqlite`, `${version}.sqlite.zst`, `${version}.changes.json`].map((name) => get(`snapshots/${name}`)),
    );
    const hash = (bytes?: Buffer) =>
      createHash("sha256")
        .update(bytes ?? "")
        .digest("hex");
    if (manifest.sha256 !== sha256 || hash(file?.bytes) !== sha256) faults.push(`${version}: another file`);
    if (hash(copy?.bytes) !== manifest.compressed.sha256) faults.push(`${version}: another copy`);
    if (manifest.changes && hash(changes?.bytes) !== manifest.changes.sha256) faults.push(`${version}: other changes`);
    seen.set(version, (seen.get(version) ?? 0) + 1);
  }
  const done = (async () => {
    while (!stop.aborted) {
      await read().catch((error: Error) => void faults.push(error.message));
      await setImmediate();
    }
  })();
  return { seen, faults, done };
}

describe("whoever reads all the time", () => {
  test("finds every night whole, whenever a publication is killed", async () => {
    using place = temporaryFolder();
    using before = copyUntil(nights, versions[1]);
    await using host = await startSource(place.path);
    await publishTo(before.path, place.path);
    const stop = new AbortController();
    const reader = readAlways(host.url, stop.signal);
    for (const at of [1, 2, 3, 4, 5, 6]) {
      const { child, ended } = startCommand("publish-to", [place.path, "--data", nights, "--keep", "2"]);
      await killAtLine(child, at);
      await ended;
      expect((await publishTo(nights, place.path, "--keep", "2")).stderr).toBe("");
      const done = bytesOf(place.path);
      expect(pointerOf(place.path).version).toBe(versions[2]);
      expect(Object.keys(done).filter((name) => name.includes(versions[0] ?? "-"))).toEqual([]);
      expect((await publishTo(nights, place.path, "--keep", "2")).code).toBe(2);
      // Back to the night before, by the same command.
      await publishTo(before.path, place.path, "--take-over");
      await waitFor(() => (reader.seen.get(versions[1] ?? "") ?? 0) > 0);
    }
    stop.abort();
    await reader.done;
    expect(reader.faults).toEqual([]);
    expect([...reader.seen.keys()]).toContain(versions[1]);
  });
});

const waitFor = (condition: () => boolean) => expect.poll(condition).toBe(true);

/** Kills it when it has said so much, or lets it end before. */
async function killAtLine(child: ChildProcess, at: number) {
  let count = 0;
  for await (const _ of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    count += 1;
    if (count === at) child.kill("SIGKILL");
  }
}

describe("a remote", () => {
  /** A server of rclone over a folder, when it answers. */
  async function serve(kind: "http" | "webdav", path: string, ...more: string[]) {
    const port = await freePort();
    const words = ["serve", kind, path, "--addr", `127.0.0.1:${port}`, "--dir-cache-time", "0s", ...more];
    const child = spawn("rclone", words, { stdio: "ignore" });
    // A test that is out of time disposes of nothing.
    const end = () => child.kill();
    process.once("exit", end);
    const ended = once(child, "close").then(() => process.off("exit", end));
    await expect
      .poll(() =>
        request(`http://127.0.0.1:${port}`).then(
          ({ body }) => body.dump(),
          () => "silent",
        ),
      )
      .not.toBe("silent");
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        end();
        await ended;
      },
    };
  }

  test("that is a bucket gets the files, the manifest and the pointer in this order, and is pulled from", async () => {
    using objects = temporaryFolder();
    using before = copyUntil(nights, versions[1]);
    using pulled = temporaryFolder();
    await using s3 = await startS3(objects.path);
    const first = await publishTo(before.path, s3.remote);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    s3.changes.length = 0;
    const stop = new AbortController();
    const reader = readAlways(`${s3.url}/bucket`, stop.signal);
    const again = await publishTo(nights, s3.remote, "--keep", "2");
    expect(again).toMatchObject({ code: 0, stderr: "" });
    const ofNight = (version = "", endings: string[], verb: string) =>
      endings.map((ending) => `${verb} snapshots/${version}.${ending}`);
    expect(s3.changes).toEqual([
      ...ofNight(versions[2], ["sqlite", "sqlite.zst", "changes.json", "json"], "PUT"),
      "PUT latest.json",
      ...ofNight(versions[0], ["json", "sqlite", "sqlite.zst"], "DELETE"),
    ]);
    expect(s3.headers.get("latest.json")?.["cache-control"]).toBe("no-cache");
    expect(s3.headers.get(`snapshots/${versions[2]}.sqlite`)?.["cache-control"]).toBe(
      "public, max-age=31536000, immutable",
    );
    s3.changes.length = 0;
    expect(await publishTo(nights, s3.remote, "--keep", "2")).toMatchObject({
      code: 2,
      stderr: "",
      stdout: `unchanged ${versions[2]} at :s3,***:bucket\n`,
    });
    expect(s3.changes).toEqual([]);
    await waitFor(() => reader.seen.has(versions[2] ?? ""));
    stop.abort();
    await reader.done;
    expect(reader.faults).toEqual([]);
    expect(`${first.stdout}${again.stdout}`).not.toMatch(/KEY|a5ecret/);
    expect(await pull(`${s3.url}/bucket`, pulled.path)).toMatchObject({ code: 0, stderr: "" });
    expect(pointerOf(pulled.path).version).toBe(versions[2]);
  });

  test("that is a folder behind WebDAV gets the same, and rclone serves it to pull from", async () => {
    using place = temporaryFolder();
    using pulled = temporaryFolder();
    await using dav = await serve("webdav", place.path);
    await using host = await serve("http", place.path, "--read-only");
    const remote = `:webdav,url='${dav.url}':`;
    expect(await publishTo(nights, remote)).toMatchObject({ code: 0, stderr: "" });
    expect(publicOf(place.path)).toEqual(publicOf(nights));
    expect((await publishTo(nights, remote)).code).toBe(2);
    expect(await pull(host.url, pulled.path)).toMatchObject({ code: 0, stderr: "" });
    expect(pointerOf(pulled.path).version).toBe(versions[2]);
  });

  test.for([
    [
      "is away",
      ":s3,provider=Other,access_key_id=KEY,secret_access_key=a5ecret,endpoint='http://127.0.0.1:9':bucket",
      4,
      /^:s3,\*\*\*:bucket: rclone: .*connection refused/,
    ],
    [
      "is away, with its password in quotes",
      `:webdav,url='http://127.0.0.1:9',bearer_token="a5e,c:ret":x`,
      4,
      /^:webdav,\*\*\*:x: rclone: .*refused/,
    ],
    ["is not configured", "nope:x", 64, /^nope:x: rclone: .*didn't find section in config file/],
    ["is of no kind that there is", ":nope,key=a5ecret:x", 64, /^:nope,\*\*\*:x: rclone: .*didn't find backend/],
  ] as const)("that %s is one line without its secrets", async ([, remote, code, why]) => {
    const ended = await publishTo(nights, remote);
    expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(why) });
    expect(ended.stderr.split("\n")).toHaveLength(2);
    expect(ended.stderr).not.toMatch(/KEY|a5e/);
  });

  test("that refuses the key is one line, too", async () => {
    using objects = temporaryFolder();
    await using s3 = await startS3(objects.path);
    const ended = await publishTo(nights, s3.remote.replace("=KEY", "=OTHER"));
    expect(ended).toMatchObject({ code: 4, stdout: "", stderr: expect.stringMatching(/no such key/) });
    expect(ended.stderr).not.toMatch(/OTHER|a5ecret/);
  });

  test("is left whole by whoever tells it to stop", async () => {
    using objects = temporaryFolder();
    await using s3 = await startS3(objects.path);
    s3.hold.held = true;
    const { child, ended } = startCommand("publish-to", [s3.remote, "--data", nights]);
    await waitFor(() => s3.hold.waiting > 0);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({
      code: 130,
      stdout: "",
      stderr: expect.stringMatching(/^:s3,\*\*\*:bucket: interrupted, [^\n]*\n$/),
    });
    await waitFor(() => s3.hold.waiting === 0);
    expect(s3.changes).toEqual([]);
  });
});
