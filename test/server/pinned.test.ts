import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";

const folder = temporaryFolder();
let versions: string[];
let mirror: Awaited<ReturnType<typeof startFollowing>>;

beforeAll(async () => {
  versions = await publishDays(folder.path, [0, 1, 2], "--days", "1", "--endpoints", "heroes,stats,rank");
  mirror = await startFollowing(folder.path, { maxOpen: 2 });
});
afterAll(async () => {
  await mirror[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const FOR_EVER = "public, max-age=31536000, immutable";
const fileOf = (version = "") => join(folder.path, "snapshots", `${version}.sqlite`);

async function ask(path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "POST" = "GET") {
  const answer = await request(mirror.url + path, { method, headers });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    bytes,
    text: bytes.toString(),
  };
}

/** How often this process holds a file open. */
const descriptorsOf = (file: string) =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(join("/proc/self/fd", fd)) === file;
    } catch {
      return false;
    }
  }).length;

const codeOf = ({ text }: { text: string }) => (JSON.parse(text) as { error?: { code: string } }).error?.code;

describe("the list", () => {
  test("names every published snapshot, newest first, with its hashes and where it is", async () => {
    const { text, headers } = await ask("/snapshots/");
    const { records, total } = (JSON.parse(text) as { data: { records: Record<string, unknown>[]; total: number } })
      .data;
    expect(records.map(({ version }) => version)).toEqual(versions.toReversed());
    expect(records.map(({ latest }) => latest)).toEqual([true, false, false]);
    expect(total).toBe(3);
    for (const { version, sha256, size, urls } of records) {
      const bytes = readFileSync(fileOf(String(version)));
      expect([sha256, size]).toEqual([createHash("sha256").update(bytes).digest("hex"), bytes.length]);
      for (const url of Object.values(urls as Record<string, string>))
        expect((await ask(url, {}, "HEAD")).status).toBe(200);
    }
    expect((await ask("/snapshots", { "if-none-match": headers.etag ?? "" })).status).toBe(304);
  });

  test("latest.json is the pointer, and a manifest is the file beside the snapshot", async () => {
    const latest = await ask("/snapshots/latest.json");
    expect(latest.text).toBe(readFileSync(join(folder.path, "latest.json"), "utf8"));
    const manifest = await ask(`/snapshots/${versions[0]}.json`, { "accept-encoding": "gzip" });
    expect(manifest.headers["content-encoding"]).toBe("gzip");
    expect((await ask(`/snapshots/${versions[0]}.json`)).bytes).toEqual(
      readFileSync(fileOf(versions[0]).replace("sqlite", "json")),
    );
  });
});

describe("a snapshot file", () => {
  test("comes whole, with its sha256 as its tag, for ever", async () => {
    const whole = readFileSync(fileOf(versions[1]));
    const { status, headers, bytes } = await ask(`/snapshots/${versions[1]}.sqlite`);
    expect([status, bytes.equals(whole)]).toEqual([200, true]);
    expect(headers).toMatchObject({
      "content-type": "application/vnd.sqlite3",
      "content-length": String(whole.length),
      "accept-ranges": "bytes",
      "cache-control": FOR_EVER,
      etag: `"${createHash("sha256").update(whole).digest("hex")}"`,
      "access-control-allow-origin": "*",
      "x-snapshot-version": versions[1],
    });
    const head = await ask(`/snapshots/${versions[1]}.sqlite`, { range: "bytes=0-1" }, "HEAD");
    expect([head.status, head.bytes.length, head.headers["content-length"]]).toEqual([200, 0, String(whole.length)]);
    // A cache takes over the headers of a 304.
    const held = await ask(`/snapshots/${versions[1]}.sqlite`, { "if-none-match": headers.etag ?? "" });
    expect([held.status, held.headers["content-type"]]).toEqual([304, headers["content-type"]]);
  });

  const ranges: [range: string, start: number, end: number][] = [
    ["bytes=0-15", 0, 16],
    ["bytes=4096-8191", 4096, 8192],
    ["bytes=-100", -100, Number.MAX_SAFE_INTEGER],
    ["bytes=100-", 100, Number.MAX_SAFE_INTEGER],
  ];
  test.for(ranges)("in the range %s", async ([range, start, end]) => {
    const part = readFileSync(fileOf(versions[0])).subarray(start, end);
    const { status, headers, bytes } = await ask(`/snapshots/${versions[0]}.sqlite`, { range });
    expect([status, bytes.equals(part), Number(headers["content-length"])]).toEqual([206, true, part.length]);
    const { size } = statSync(fileOf(versions[0]));
    const first = start < 0 ? size + start : start;
    expect(headers["content-range"]).toBe(`bytes ${first}-${first + part.length - 1}/${size}`);
  });

  test("in a range only while it is the same file", async () => {
    const path = `/snapshots/${versions[0]}.sqlite`;
    const { headers } = await ask(path, {}, "HEAD");
    const statusFor = async (condition = "") => (await ask(path, { range: "bytes=0-9", "if-range": condition })).status;
    expect(await Promise.all([headers.etag, headers["last-modified"]].map(statusFor))).toEqual([206, 206]);
    const others = ['"x"', `W/${headers.etag}`, "Thu, 01 Jan 1970 00:00:00 GMT", "x"];
    expect(await Promise.all(others.map(statusFor))).toEqual([200, 200, 200, 200]);
  });

  test("past its end is 416", async () => {
    const answer = await ask(`/snapshots/${versions[0]}.sqlite`, { range: "bytes=99999999-" });
    expect([answer.status, codeOf(answer)]).toEqual([416, "RANGE_NOT_SATISFIABLE"]);
    expect(answer.headers["content-range"]).toBe(`bytes */${statSync(fileOf(versions[0])).size}`);
  });

  test("without a compressed copy, or an analysts' file, is 404 as such", async () => {
    for (const ending of ["sqlite.zst", "analysts.sqlite"]) {
      const answer = await ask(`/snapshots/${versions[0]}.${ending}`);
      expect([answer.status, codeOf(answer)]).toEqual([404, "RESOURCE_NOT_FOUND"]);
    }
  });

  test("is read as it is sent: a client that leaves takes its file along", async () => {
    const before = descriptorsOf(fileOf(versions[0]));
    const { body } = await request(`${mirror.url}/snapshots/${versions[0]}.sqlite`);
    expect(descriptorsOf(fileOf(versions[0]))).toBe(before + 1);
    body.on("error", () => {});
    body.destroy();
    await expect.poll(() => descriptorsOf(fileOf(versions[0]))).toBe(before);
  });
});

describe("a pinned version", () => {
  test("answers every route of /api from its own snapshot, whatever is served", async () => {
    const paths = [
      "/api/",
      "/api/openapi.json",
      "/api/heroes",
      "/api/heroes/1/stats?rank=glory",
      "/api/heroes/rank?lang=ja",
    ];
    const before = new Map<string, string>();
    for (const version of versions)
      for (const path of paths) before.set(version + path, (await ask(`/snapshots/${version}${path}`)).text);
    expect(new Set(versions.map((version) => before.get(`${version}/api/heroes/1/stats?rank=glory`))).size).toBe(3);
    for (const current of versions) {
      rollback(folder.path, current);
      await mirror.follower.poll();
      await expect.poll(() => mirror.active.snapshot.head.version).toBe(current);
      for (const version of versions) {
        for (const path of paths) {
          const { status, headers, text } = await ask(`/snapshots/${version}${path}`);
          expect([status, headers["cache-control"], headers["x-snapshot-version"]]).toEqual([200, FOR_EVER, version]);
          expect(text).toBe(before.get(version + path));
          if (version === current && path !== "/api/openapi.json") expect((await ask(path)).text).toBe(text);
        }
        expect(mirror.versions.openCount()).toBeLessThanOrEqual(2);
      }
    }
    expect(mirror.faults).toEqual([]);
  });

  test("has the same errors, with its own name on them", async () => {
    const bad = await ask(`/snapshots/${versions[0]}/api/heroes?size=0`);
    expect([bad.status, codeOf(bad), bad.headers["x-snapshot-version"]]).toEqual([
      422,
      "VALIDATION_FAILED",
      versions[0],
    ]);
    const wrong = await ask(`/snapshots/${versions[0]}/api/heroes`, {}, "POST");
    expect([wrong.status, codeOf(wrong), wrong.headers.allow]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "GET, HEAD, OPTIONS",
    ]);
    const login = await ask(`/snapshots/${versions[0]}/api/user/auth/login`, {}, "POST");
    expect([login.status, codeOf(login)]).toEqual([404, "RESOURCE_NOT_FOUND"]);
  });
});

test("one that was removed is not there any more, and is closed where nobody asks", async () => {
  using copy = temporaryFolder();
  cpSync(folder.path, copy.path, { recursive: true });
  await using own = await startFollowing(copy.path, { idleMs: 300 });
  let asked = 0;
  /** Each time by another URL: finished answers are kept. */
  const get = async (version = "") => {
    asked += 1;
    const answer = await request(`${own.url}/snapshots/${version}/api/heroes/1/stats?n=${asked}`);
    await answer.body.dump();
    return answer.statusCode;
  };
  const [removed = "", idle = ""] = versions;
  const path = (version: string) => join(copy.path, "snapshots", `${version}.sqlite`);
  expect(await get(removed)).toBe(200);
  for (const file of [path(removed), path(removed).replace("sqlite", "json")]) rmSync(file);
  expect(await get(removed)).toBe(404);
  expect(descriptorsOf(`${path(removed)} (deleted)`)).toBe(0);
  expect(await get(idle)).toBe(200);
  await expect.poll(() => descriptorsOf(path(idle))).toBe(0);
  expect(await get(idle)).toBe(200);
});

test.for([
  "20260101T000000Z-00000000",
  "../../etc/passwd",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "latest",
  ".next",
  "__proto__",
  "constructor",
  "a%00b",
  "x".repeat(5000),
  "%ZZ",
])("no snapshot is called %j", async (name) => {
  for (const path of [`/snapshots/${name}.sqlite`, `/snapshots/${name}/api/heroes`, `/snapshots/${name}`]) {
    const answer = await ask(path);
    expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, "RESOURCE_NOT_FOUND"]);
    expect(answer.text).not.toContain(folder.path);
  }
  expect(mirror.faults).toEqual([]);
});
