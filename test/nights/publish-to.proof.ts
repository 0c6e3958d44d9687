import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../scripts/bench/nginx.ts";
import { copyUntil, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { bytesOf, publicOf } from "../helpers/public-files.ts";
import { RATES, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { type Seen, startServer } from "../helpers/server.ts";
import { sendFile, startSource } from "../helpers/upstream/source.ts";

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

/**
 * What rclone and readers need of S3, over a folder: an object appears whole or not at all, whoever writes or lists needs a
 * key (its signature is not checked), anybody may read. Debian's rclone has no `serve s3` yet.
 */
async function startS3(folder: string) {
  /** Each change, in order: `PUT name` or `DELETE name`, and the headers of the last ones. */
  const changes: string[] = [];
  const headers = new Map<string, IncomingHttpHeaders>();
  const objects = join(folder, "objects");
  const hashes = new Map<string, string>();
  /** Objects that are sent and never taken, while they are held, as by a network that stalls. */
  const hold = { held: false, waiting: 0 };
  mkdirSync(objects);

  function list(url: URL, res: ServerResponse) {
    const prefix = url.searchParams.get("prefix") ?? "";
    const isFlat = url.searchParams.get("delimiter") === "/";
    const keys = readdirSync(objects, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(objects, join(parentPath, name)))
      .filter((key) => key.startsWith(prefix));
    const below = (key: string) => /^[^/]*\//.exec(key.slice(prefix.length))?.[0];
    const folders = isFlat ? new Set(keys.flatMap((key) => below(key) ?? [])) : [];
    const files = isFlat ? keys.filter((key) => below(key) === undefined) : keys;
    const contents = files.map((key) => {
      const { size, mtime } = statSync(join(objects, key));
      return `<Contents><Key>${key}</Key><Size>${size}</Size><ETag>"${hashes.get(key)}"</ETag><LastModified>${mtime.toISOString()}</LastModified></Contents>`;
    });
    const prefixes = [...folders].map((name) => `<CommonPrefixes><Prefix>${prefix}${name}</Prefix></CommonPrefixes>`);
    res.setHeader("content-type", "application/xml");
    res.end(
      `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}${prefixes.join("")}</ListBucketResult>`,
    );
  }

  function put(key: string, { body, headers: sent }: Seen, res: ServerResponse) {
    if (hold.held) {
      hold.waiting += 1;
      res.once("close", () => {
        hold.waiting -= 1;
      });
      return;
    }
    const hash = createHash("md5").update(body);
    const digest = hash.copy().digest("base64");
    if ((sent["content-md5"] ?? digest) !== digest) return res.writeHead(400).end();
    const part = join(folder, randomUUID());
    writeFileSync(part, body);
    mkdirSync(dirname(join(objects, key)), { recursive: true });
    renameSync(part, join(objects, key));
    hashes.set(key, hash.digest("hex"));
    headers.set(key, sent);
    changes.push(`PUT ${key}`);
    return res.writeHead(200, { etag: `"${hashes.get(key)}"` }).end();
  }

  const server = await startServer((req, res, seen) => {
    const url = new URL(seen.url, "http://s3");
    const [, , key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const isRead = key !== "" && (req.method === "GET" || req.method === "HEAD");
    if (!isRead && !req.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=KEY/")) {
      res.writeHead(403, { "content-type": "application/xml" });
      return res.end("<Error><Code>InvalidAccessKeyId</Code><Message>no such key</Message></Error>");
    }
    const file = join(objects, key);
    if (key === "") return req.method === "GET" ? list(url, res) : res.end();
    if (req.method === "PUT") return put(key, seen, res);
    if (req.method === "DELETE") {
      changes.push(`DELETE ${key}`);
      rmSync(file, { force: true });
      return res.writeHead(204).end();
    }
    if (!existsSync(file)) return res.writeHead(404).end();
    const kept = Object.entries(headers.get(key) ?? {}).filter(([name]) => name.startsWith("x-amz-meta-"));
    for (const [name, value] of kept) res.setHeader(name, String(value));
    res.setHeader("last-modified", statSync(file).mtime.toUTCString());
    if (req.method === "HEAD")
      return res.writeHead(200, { "content-length": statSync(file).size, etag: `"${hashes.get(key)}"` }).end();
    sendFile(file, hashes.get(key) ?? "", req, res);
  });
  const { url } = server;
  return {
    url,
    changes,
    headers,
    objects,
    hold,
    /** The remote of rclone, with its keys. */
    remote: `:s3,provider=Other,access_key_id=KEY,secret_access_key=a5ecret,endpoint='${url}':bucket`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

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
    for (const name of ["latest.json", `snapshots/${versions[2]}.json`, `snapshots/${versions[2]}.changes.json`])
      expect([name, s3.headers.get(name)?.["cache-control"]]).toEqual([name, "no-cache"]);
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
      stderr: expect.stringMatching(/^:s3,\*\*\*:bucket: interrupted; [^\n]*\n$/),
    });
    await waitFor(() => s3.hold.waiting === 0);
    expect(s3.changes).toEqual([]);
  });
});
