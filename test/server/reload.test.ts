import { once } from "node:events";
import { copyFileSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import SQLite from "better-sqlite3";
import { Agent, interceptors, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProver } from "../../src/server/reload/prove-nights.ts";
import { followData, followPointer, openLatest, verifyServedFile } from "../../src/server/reload/reload.ts";
import { createFileVerifier, type VerifyFile } from "../../src/server/reload/verify-file.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { createSignedNights } from "../../src/snapshot/verify/signed-nights.ts";
import { copyOf, fileOf, vouchForLatest } from "../helpers/data-folder.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";

const world = temporaryFolder();
/** Two nights, the second one newer and served. */
let [older, newer]: string[] = [];

beforeAll(async () => {
  [older, newer] = await publishDays(world.path, [0, 1], "--endpoints", "heroes,rank,hero,stats,counters,trends");
});
afterAll(() => world[Symbol.dispose]());

/** A copy of the two nights, of which the older one is served. */
function folderAtOlder() {
  const folder = copyOf(world.path);
  rollback(folder.path, older);
  return folder;
}

async function ask(url: string, path = "/api/heroes/1/stats", headers: Record<string, string> = {}) {
  const { statusCode, headers: got, body } = await request(url + path, { headers });
  return { status: statusCode, version: String(got["x-snapshot-version"]), headers: got, text: await body.text() };
}

test("the pointer is followed forth and back, by itself and by rollback", async () => {
  using folder = folderAtOlder();
  await using mirror = await startFollowing(folder.path);
  const first = await ask(mirror.url);
  expect(first.version).toBe(older);
  expect((await runCommand("rollback", ["--data", folder.path, "--to", newer ?? ""])).code).toBe(0);
  await expect.poll(() => mirror.active.snapshot.head.version).toBe(newer);
  const second = await ask(mirror.url);
  expect([second.status, second.version]).toEqual([200, newer]);
  expect(second.headers.etag).not.toBe(first.headers.etag);
  expect(second.text).not.toBe(first.text);
  expect(Date.parse(String(second.headers["last-modified"]))).toBeGreaterThanOrEqual(
    Date.parse(String(first.headers["last-modified"])),
  );
  expect((await runCommand("rollback", ["--data", folder.path])).code).toBe(0);
  await expect.poll(() => mirror.active.snapshot.head.version).toBe(older);
  const third = await ask(mirror.url);
  expect([third.text, third.headers.etag]).toEqual([first.text, first.headers.etag]);
  expect(mirror.active.problem).toBeUndefined();
});

test("a pointer that moves while it is read is read again", async () => {
  using folder = folderAtOlder();
  await using mirror = await startFollowing(folder.path, { intervalMs: 2 });
  const [there, back] = [older, newer].map((version = "") => {
    rollback(folder.path, version);
    return readFileSync(join(folder.path, "latest.json"), "utf8");
  });
  /** On a thread of its own, so that it falls between any two steps of who reads. */
  const mover = new Worker(
    `const { workerData: { data, texts }, parentPort } = require("node:worker_threads");
    const { renameSync, writeFileSync } = require("node:fs");
    parentPort.on("message", (moves) => {
      for (let move = 0; move < moves; move += 1) {
        writeFileSync(data + "/draft.json", texts[move % 2]);
        renameSync(data + "/draft.json", data + "/latest.json");
      }
      parentPort.postMessage(moves);
    });`,
    { eval: true, workerData: { data: folder.path, texts: [there, back] } },
  );
  try {
    // Odd and even by turns, so that each time it ends elsewhere.
    for (let moves = 1; moves <= 40; moves += 1) {
      mover.postMessage(moves);
      await once(mover, "message");
      const last = moves % 2 === 0 ? newer : older;
      await expect.poll(() => mirror.active.snapshot.head.version, { timeout: 60_000, interval: 5 }).toBe(last);
    }
  } finally {
    await mover.terminate();
  }
});

const SWAPS = 20;

test("no request fails while the snapshot is swapped again and again under load", async () => {
  using folder = folderAtOlder();
  await using mirror = await startFollowing(folder.path);
  const paths = [
    "/api/heroes/1/stats",
    "/api/heroes/rank?size=3",
    "/api/heroes?lang=ja",
    "/api/heroes/2/counters?lang=ja",
    "/api/",
    `/snapshots/${older}/api/heroes/1/stats`,
  ];
  const expected = new Map<string, string>();
  for (const version of [older, newer]) {
    rollback(folder.path, version);
    await mirror.follower.poll();
    for (const path of paths)
      expected.set(`${path} ${path.startsWith("/s") ? older : version}`, (await ask(mirror.url, path)).text);
  }
  const wrong: string[] = [];
  const seen = new Map<string, number>();
  let swapping = true;
  const client = async (offset: number) => {
    for (let turn = offset; swapping; turn += 1) {
      // Now and then a spelling that was never asked before, so that files are read as well.
      const path = paths[turn % paths.length] ?? "";
      const url = turn % 3 === 0 ? `${path}${path.includes("?") ? "&" : "?"}n=${turn}` : path;
      const { status, version, text } = await ask(mirror.url, url, turn % 2 ? {} : { "if-none-match": '"x"' });
      seen.set(version, (seen.get(version) ?? 0) + 1);
      if (status !== 200 || text !== expected.get(`${path} ${version}`)) wrong.push(`${status} ${url} ${version}`);
    }
  };
  const clients = Array.from({ length: 8 }, (_, offset) => client(offset));
  let swaps = 0;
  for (let turn = 0; turn < SWAPS; turn += 1) {
    const before = mirror.active.loadedAtMs;
    const version = turn % 2 ? newer : older;
    const seenOf = () => seen.get(version ?? "") ?? 0;
    const answered = seenOf();
    rollback(folder.path, version);
    await mirror.follower.poll();
    await expect.poll(() => mirror.active.snapshot.head.version).toBe(version);
    if (mirror.active.loadedAtMs >= before) swaps += 1;
    await expect.poll(seenOf, { interval: 5 }).toBeGreaterThan(answered + 8);
  }
  swapping = false;
  await Promise.all(clients);
  expect([swaps, wrong, mirror.faults]).toEqual([SWAPS, [], []]);
});

describe("a newer file is refused and the older one serves on, when it", () => {
  const edit = (sql: string) => (file: string) => editFile(file, sql);
  /** With a manifest and a pointer that fit the file as it is now. */
  const honest = (change: (file: string) => void) => async (file: string, data: string) => {
    change(file);
    await vouchForLatest(data);
  };
  const patch = (path: string, change: object) =>
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...change }));

  const spoilt: [what: string, spoil: (file: string, data: string) => void | Promise<void>, problem: RegExp][] = [
    ["is cut short", (file) => truncateSync(file, 100_000), /has 100000 bytes, its manifest says/],
    ["has vanished", (file) => rmSync(file), /does not exist/],
    ["is no database", honest((file) => writeFileSync(file, "x".repeat(5000))), /is not an SQLite database/],
    ["is of a newer major", honest(edit("PRAGMA user_version = 20000")), /has schema 2\.0\.0, which is not known here/],
    [
      "has one byte changed",
      edit("UPDATE record SET json = replace(json, '1', '2') WHERE rowid = 1"),
      /does not have the sha256/,
    ],
    [
      "has a damaged page",
      (file) => {
        const bytes = readFileSync(file);
        bytes.fill(0xff, 4096 * 20, 4096 * 25);
        writeFileSync(file, bytes);
      },
      /is damaged|sha256/,
    ],
    [
      "is another version",
      honest((file) => copyFileSync(file.replace(newer ?? "", older ?? ""), file)),
      /does not hold what it says, manifest: version is/,
    ],
    [
      "lies about its content",
      honest(edit("UPDATE coverage SET sha256 = 'x' WHERE dataset = 'rank'")),
      /does not hold what it says, content hash/,
    ],
    ["has a broken pointer", (_, data) => writeFileSync(join(data, "latest.json"), "{"), /is not a pointer/],
    [
      "has a pointer out of the folder",
      (_, data) => patch(join(data, "latest.json"), { version: "../../etc/passwd" }),
      /is not a pointer/,
    ],
    ["has no pointer any more", (_, data) => rmSync(join(data, "latest.json")), /has vanished/],
  ];
  test.for(spoilt)("%s", async ([, spoil, problem]) => {
    using folder = folderAtOlder();
    await using mirror = await startFollowing(folder.path);
    const before = await ask(mirror.url);
    rollback(folder.path, newer);
    await spoil(fileOf(folder.path, newer), folder.path);
    await mirror.follower.poll();
    await expect.poll(() => mirror.active.problem).toMatch(problem);
    const after = await ask(mirror.url);
    expect([after.status, after.version, after.text]).toEqual([200, older, before.text]);

    // Once it is put right, it is served.
    for (const name of [`snapshots/${newer}.sqlite`, `snapshots/${newer}.json`, "latest.json"]) {
      copyFileSync(join(world.path, name), join(folder.path, "new"));
      renameSync(join(folder.path, "new"), join(folder.path, name));
    }
    await expect.poll(() => mirror.active.snapshot.head.version).toBe(newer);
    expect(mirror.active.problem).toBeUndefined();
    expect(mirror.faults).toEqual([]);
  });
});

test("a fault outside the newer file, such as a full disk, is forgotten at the next poll", async () => {
  using folder = folderAtOlder();
  const active = openLatest(folder.path);
  const verifyFile = createFileVerifier(folder.path);
  let asked = 0;
  const follower = followPointer({
    data: folder.path,
    active,
    intervalMs: 20,
    verifyFile(...file) {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("ENOSPC: no space left on device")) : verifyFile(...file);
    },
  });
  rollback(folder.path, newer);
  await follower.poll();
  await expect.poll(() => active.snapshot.head.version).toBe(newer);
  expect([active.problem, asked]).toEqual([undefined, 2]);
  await follower.stop();
  active.close();
});

describe("what cannot be looked at for a while is told of, and the server serves on, if it is", () => {
  const loop = (path: string) => symlinkSync(path, path);
  test.for([
    ["a folder that leads to itself", "snapshots", loop, /does not exist/],
    ["no folder", "snapshots", (path: string) => writeFileSync(path, ""), /does not exist/],
    ["a pointer that leads to itself", "latest.json", loop, /has vanished/],
  ] as const)("%s", async ([, name, make, problem]) => {
    using folder = folderAtOlder();
    await using mirror = await startFollowing(folder.path);
    const path = join(folder.path, name);
    renameSync(path, `${path}.away`);
    make(path);
    await expect.poll(() => mirror.active.problem).toMatch(problem);
    expect(await ask(mirror.url)).toMatchObject({ status: 200, version: older });
    rmSync(path);
    renameSync(`${path}.away`, path);
    await expect.poll(() => mirror.active.problem).toBeUndefined();
    expect(await ask(mirror.url)).toMatchObject({ status: 200, version: older });
    expect(mirror.faults).toEqual([]);
  });

  test("the folder of nights that have to be proved", async () => {
    using folder = folderAtOlder();
    const active = openLatest(folder.path);
    const told: unknown[] = [];
    const signed = createSignedNights(folder.path, []);
    const prove = createProver({
      ...{ data: folder.path, signed, active },
      log: { flush() {}, error: (event) => void told.push(event) },
      onProved: () => {},
    });
    const [path, away] = [join(folder.path, "snapshots"), join(folder.path, "away")];
    for (const make of [loop, (at: string) => writeFileSync(at, "")]) {
      renameSync(path, away);
      make(path);
      expect([await prove(), signed.isProved(older ?? "")]).toEqual([undefined, false]);
      rmSync(path);
      renameSync(away, path);
    }
    expect(told.splice(0)).toEqual(["nights-not-proved"]);
    await prove();
    expect(told).toEqual(["night-not-served"]);
    active.close();
  });
});

function damageRecord(file: string) {
  const db = new SQLite(file);
  db.exec("UPDATE record SET json = replace(json, '1', '2') WHERE rowid = 1");
  db.close();
}

describe("what is served from the start", () => {
  test("is read whole while it is served", async () => {
    using folder = folderAtOlder();
    await using mirror = await startFollowing(folder.path);
    expect(mirror.active.verified).toBe(false);
    await verifyServedFile({ data: folder.path, active: mirror.active, verifyFile: createFileVerifier(folder.path) });
    expect(mirror.active.verified).toBe(true);
  });

  test("is no matter any more when another is served by then, damaged as it is", async () => {
    using folder = folderAtOlder();
    damageRecord(fileOf(folder.path, older));
    await using mirror = await startFollowing(folder.path);
    const verifyFile = createFileVerifier(folder.path);
    const swapped = Promise.withResolvers<void>();
    const late: VerifyFile = async (...file) => {
      await swapped.promise;
      await expect(verifyFile(...file)).rejects.toThrow(/does not have the sha256/);
      return verifyFile(...file);
    };
    const verifying = verifyServedFile({ data: folder.path, active: mirror.active, verifyFile: late });
    rollback(folder.path, newer);
    await mirror.follower.poll();
    swapped.resolve();
    await verifying;
    expect([mirror.active.snapshot.head.version, mirror.active.verified]).toEqual([newer, true]);
  });

  test("is no matter any more when the pointer names another by then, and the file is gone", async () => {
    using folder = folderAtOlder();
    await using mirror = await startFollowing(folder.path);
    await mirror.follower.stop();
    const verifyFile = createFileVerifier(folder.path);
    const late: VerifyFile = (...file) => {
      rollback(folder.path, newer);
      rmSync(fileOf(folder.path, older));
      return verifyFile(...file);
    };
    await verifyServedFile({ data: folder.path, active: mirror.active, verifyFile: late });
    expect([mirror.active.snapshot.head.version, mirror.active.verified]).toEqual([older, false]);
  });

  test("is read whole once the pointer can be read, and a fault that is not its own has passed", async () => {
    using folder = folderAtOlder();
    const active = openLatest(folder.path);
    const pointer = join(folder.path, "latest.json");
    renameSync(pointer, `${pointer}.away`);
    let told = 0;
    const updates = followData(folder.path, active, () => {
      told += 1;
    });
    await expect.poll(() => told).toBeGreaterThan(2);
    expect(active).toMatchObject({ verified: false, problem: expect.stringMatching(/has vanished/) });
    renameSync(`${pointer}.away`, pointer);
    await expect.poll(() => active.verified).toBe(true);
    await expect.poll(() => active.problem).toBeUndefined();
    await updates.stop();
    active.close();
  });

  test("ends the server with 64 and one line when it is damaged after all", async () => {
    using folder = folderAtOlder();
    damageRecord(fileOf(folder.path, older));
    const { code, stderr } = await startCommand("serve", ["--data", folder.path, "--port", "0"]).ended;
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/^[^\n]*does not have the sha256 of its manifest[^\n]*\n$/),
    ]);
  });
});

const REQUESTS = 480;

describe("of requests through a cache in front (undici's, RFC 9111)", () => {
  const parts = ["", "/stats", "/counters", "/trends"];
  const paths = [1, 2, 3].flatMap((hero) =>
    parts.flatMap((part) => [`/api/heroes/${hero}${part}`, `/api/heroes/${hero}${part}?lang=ja`]),
  );

  async function replay(maxAgeSeconds: number, expected: { before: number; after: number }) {
    using folder = folderAtOlder();
    await using mirror = await startFollowing(folder.path, { maxAgeSeconds });
    const cached = new Agent().compose(interceptors.cache());
    const versions: Record<string, number> = {};
    /** The statuses of those that reach the mirror, which are so many at least. */
    const reached = async (expected: number) => {
      for (let turn = 0; turn < REQUESTS; turn += 1) {
        const { headers, body } = await request(mirror.url + (paths[turn % paths.length] ?? ""), {
          dispatcher: cached,
        });
        await body.dump();
        const version = String(headers["x-snapshot-version"]);
        versions[version] = (versions[version] ?? 0) + 1;
      }
      await expect.poll(() => mirror.statuses.length).toBeGreaterThanOrEqual(expected);
      return Object.groupBy(mirror.statuses.splice(0), String);
    };
    const count = (statuses: Partial<Record<string, number[]>>) => [
      statuses[200]?.length ?? 0,
      statuses[304]?.length ?? 0,
    ];
    const before = count(await reached(expected.before));
    rollback(folder.path, newer);
    await mirror.follower.poll();
    const after = count(await reached(expected.after));
    await cached.close();
    return { before, after, versions };
  }

  test("each answer reaches the mirror once while it is fresh, and none after a swap until it is stale", async () => {
    const { before, after, versions } = await replay(3600, { before: paths.length, after: 0 });
    expect([before, after]).toEqual([
      [paths.length, 0],
      [0, 0],
    ]);
    expect(versions).toEqual({ [older ?? ""]: 2 * REQUESTS });
  });

  test("what is stale is asked for by its tag, and no answer is of the snapshot before the swap", async () => {
    const { before, after, versions } = await replay(0, { before: REQUESTS, after: REQUESTS });
    for (const [whole = 0, unchanged = 0] of [before, after]) {
      expect(whole + unchanged).toBe(REQUESTS);
      // This cache forgets an answer when it is told that it is unchanged: each second request is without a tag.
      expect(unchanged).toBeGreaterThanOrEqual(REQUESTS / 2 - paths.length);
    }
    expect(versions).toEqual({ [older ?? ""]: REQUESTS, [newer ?? ""]: REQUESTS });
  });
});
