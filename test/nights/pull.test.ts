import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { isPrivate } from "../../src/nights/pull/addresses.ts";
import { type FollowEvent, followSource } from "../../src/nights/pull/follow.ts";
import { type PullOptions, pull } from "../../src/nights/pull/pull.ts";
import { toPointer } from "../../src/snapshot/published/pointer.ts";
import { fileOf, manifestOf, pointerOf, published, vouchForLatest, withdrawnOf } from "../helpers/data-folder.ts";
import { drawTests, FULL } from "../helpers/draw.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { RATES, runCommand, runProcess, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { canMount, smallDisk } from "../helpers/small-disk.ts";
import { sql } from "../helpers/strangers/craft.ts";
import { type Fault, type FileSource, sendFile, startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const folderOfNights = temporaryFolder();
const nights: { data: string; versions: string[] } = { data: folderOfNights.path, versions: [] };
beforeAll(async () => {
  nights.versions = await publishDays(nights.data, [0, 1, 2], ...RATES, "--compress");
});
afterAll(() => folderOfNights[Symbol.dispose]());

/** A data folder with the first nights only, the last of them as the latest. */
function folderUntil(night: number) {
  const folder = temporaryFolder();
  cpSync(nights.data, folder.path, { recursive: true, filter: (name) => !name.endsWith(".journal") });
  const version = nights.versions[night] ?? "";
  const { latest, game_version, compressed, coverage, ages, quality, stale, drift, misfits, crawl, ...pointer } =
    manifestOf(nights.data, version);
  writeFileSync(join(folder.path, "latest.json"), `${JSON.stringify(pointer, null, 2)}\n`);
  return folder;
}

const QUICK: PullOptions = {
  limits: { timeoutMs: 5000, minBytesPerSecond: 2000, maxAttempts: 2 },
  allowPartial: true,
};
const pullFrom = (source: FileSource, data: string, options: PullOptions = {}) =>
  pull(new URL(source.url), data, { ...QUICK, ...options });

/** Where something is waited for that does not come. */
const IMPATIENT: PullOptions = { ...QUICK, limits: { ...QUICK.limits, timeoutMs: 2500 } };

/** Whether this file is asked for, and not its compressed copy, which the source then seems to lack. */
const plain =
  (fault: Fault): Fault =>
  (exchange) => {
    if (exchange.path.endsWith(".zst")) return Boolean(exchange.res.writeHead(404).end());
    return exchange.path.endsWith(".sqlite") && fault(exchange);
  };

/** As if what is in hand had a hundred heroes, most of which the source has lost. Gives back how to make it good again. */
function pretendLoss(data: string): () => void {
  const pointer = join(data, "latest.json");
  const before = readFileSync(pointer, "utf8");
  const { counts, ...rest } = JSON.parse(before);
  writeFileSync(pointer, JSON.stringify({ ...rest, counts: { ...counts, heroes: 100 } }));
  return () => writeFileSync(pointer, before);
}

describe("pull", () => {
  drawTests(3);

  test.for(["mirror", "static"] as const)(
    "fetches the latest from a %s, byte for byte, by either address",
    async (layout) => {
      await using source = await startSource(nights.data, layout);
      for (const path of layout === "mirror" ? ["", "/snapshots/"] : ["/", "/snapshots"]) {
        using folder = temporaryFolder();
        const { changed, version } = await pull(new URL(source.url + path), folder.path, QUICK);
        expect([changed, version]).toEqual([true, nights.versions[2]]);
        for (const name of ["latest.json", `snapshots/${version}.sqlite`])
          expect(readFileSync(join(folder.path, name))).toEqual(readFileSync(join(nights.data, name)));
        expect(published(folder.path)).toEqual([`${version}.json`, `${version}.sqlite`]);
      }
    },
  );

  test("prefers the compressed copy, keeps it with --compress, and then is a source like the first", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.data);
    await pullFrom(source, folder.path, { compress: true });
    expect(source.asked.map(({ path }) => path.replace(/^.*\./, ""))).toEqual(["json", "json", "json", "zst"]);
    expect(published(folder.path)).toHaveLength(3);
    for (const name of published(folder.path).filter((one) => !one.endsWith(".json")))
      expect(readFileSync(join(folder.path, "snapshots", name))).toEqual(
        readFileSync(join(nights.data, "snapshots", name)),
      );
    // The night before is not here to be compared with.
    const { changes, ...manifest } = manifestOf(nights.data, pointerOf(folder.path).version);
    expect(manifestOf(folder.path)).toEqual(manifest);
    const { size } = statSync(`${fileOf(folder.path)}.zst`);
    expect(size).toBeLessThan(statSync(fileOf(folder.path)).size / 4);
  });

  test("takes the plain file where the copy is not handed out", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.data);
    source.fault = plain(() => false);
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
  });

  test("fetches nothing but the pointer when there is nothing new, and ends with 2", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.data);
    const args = [source.url, "--data", folder.path, "--allow-partial"];
    expect(await runProcess("pull", args)).toMatchObject({
      code: 0,
      stdout: `published ${fileOf(folder.path)}\n`,
      stderr: "",
    });
    source.asked.length = 0;
    expect(await runCommand("pull", args)).toMatchObject({ code: 2, stdout: `unchanged ${fileOf(folder.path)}\n` });
    expect(source.asked.map(({ path }) => path)).toEqual(["/snapshots/latest.json", "/latest.json"]);
  });

  test("does not undo a rollback", async () => {
    using folder = folderUntil(1);
    await using source = await startSource(nights.data);
    expect((await pullFrom(source, folder.path)).changed).toBe(false);
    expect(pointerOf(folder.path).version).toBe(nights.versions[1]);
  });

  test("follows the shrink gate as a build does", async () => {
    await using source = await startSource(nights.data);
    using folder = folderUntil(0);
    removeNights(folder.path, 1, 2);
    pretendLoss(folder.path);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({ exit: 5 });
    expect((await pullFrom(source, folder.path, { maxLoss: 100 })).changed).toBe(true);
  });

  test("does not publish holes unless they are allowed", async () => {
    using other = temporaryFolder();
    await using upstream = await startUpstream(3, undefined, (path, body) => (path.includes("version") ? "?" : body));
    const options = ["--upstream", upstream.url, "--data", other.path, "--rate", "5000", "--allow-partial"];
    const endpoints = ["--endpoints", "versions,roles", "--languages", "en", "--attempts", "1"];
    expect((await runCommand("crawl", [...options, ...endpoints])).code).toBe(0);
    await using source = await startSource(other.path);
    using folder = temporaryFolder();
    await expect(pullFrom(source, folder.path, { allowPartial: false })).rejects.toMatchObject({ exit: 3 });
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
  });

  test("remembers what was refused, after a restart too, until it is told to try again or the source has another", async () => {
    using other = temporaryFolder();
    using folder = temporaryFolder();
    const forge = sql("UPDATE hero_rate SET win_rate = 0.99");
    await using source = await sourceOf(other.path, forge);
    const args = [source.url, "--data", folder.path, "--allow-partial"];
    const fetched = () => source.asked.splice(0).filter(({ path }) => path.includes(".sqlite")).length;
    const first = await runCommand("pull", args);
    expect([first.code, first.stderr, fetched()]).toEqual([
      64,
      expect.stringMatching(/^\S+ does not hold what it says, tables made again: [^\n]* hero_rate, row 1; [^\n]*\n$/),
      1,
    ]);
    const again = await runCommand("pull", args);
    expect([again.code, again.stderr, fetched()]).toEqual([
      64,
      expect.stringMatching(/^\S+ was refused before, and is still the same: .*hero_rate.*--retry-refused[^\n]*\n$/),
      0,
    ]);
    expect([(await runCommand("pull", [...args, "--retry-refused"])).code, fetched()]).toEqual([64, 1]);
    source.data = nights.data;
    expect((await runCommand("pull", args)).code).toBe(0);
  });
});

function removeNights(data: string, ...which: number[]) {
  for (const night of which)
    for (const ending of ["json", "sqlite", "sqlite.zst"])
      rmSync(join(data, "snapshots", `${nights.versions[night]}.${ending}`));
}

/** A source with one file, and a pointer and a manifest that vouch for it, also under another version. */
async function sourceOf(
  folder: string,
  change: (file: string) => { version?: string; content_hash: string } | undefined,
) {
  cpSync(nights.data, folder, { recursive: true });
  await vouchForLatest(folder, change(fileOf(folder)));
  return startSource(folder);
}

const cannotMount = !canMount();
if (cannotMount) process.stderr.write("what is about a full disk in pull.test.ts is skipped: only root may mount\n");

describe.skipIf(cannotMount)("on a disk that is full", () => {
  drawTests(1);

  const FULL = (path: string) =>
    `${path}: the disk is full: this pull needs up to \\d\\.\\d MB, \\d\\.\\d MB are free; nothing was published`;

  /** Room for a part of the file, and for all of it but not for the tables that prove it. */
  const ROOMS: [string, () => number][] = [
    ["fetched", () => statSync(fileOf(nights.data)).size / 2],
    ["proved", () => statSync(fileOf(nights.data)).size + statSync(`${fileOf(nights.data)}.zst`).size + 32_768],
  ];

  function begin(room: () => number) {
    using first = folderUntil(0);
    removeNights(first.path, 1, 2);
    return smallDisk(first.path, room());
  }

  test.for(ROOMS)(
    "what cannot be %s is one line, the night before stays, and the next pull succeeds",
    async ([, room]) => {
      using disk = begin(room);
      await using source = await startSource(nights.data);
      const before = [readFileSync(join(disk.path, "latest.json"), "utf8"), published(disk.path)];
      const words = [source.url, "--data", disk.path, "--allow-partial"];
      const line = expect.stringMatching(`^${FULL(disk.path)}; free space, then run the same command again\n$`);
      expect(await runProcess("pull", words)).toMatchObject({ code: 3, stdout: "", stderr: line });
      expect([readFileSync(join(disk.path, "latest.json"), "utf8"), published(disk.path)]).toEqual(before);
      disk.enlarge();
      expect(await runCommand("pull", words)).toMatchObject({ code: 0, stderr: "" });
      expect(await hashFile(fileOf(disk.path))).toBe(pointerOf(nights.data).sha256);
    },
  );

  test("a server that follows serves on, and takes the night once there is room", async () => {
    using disk = begin(ROOMS[1]?.[1] ?? (() => 0));
    await using source = await startSource(nights.data);
    const words = ["--data", disk.path, "--follow", source.url, "--every", "1s", "--allow-partial"];
    await using served = await startServe(words);
    const ask = async () => {
      const { status, headers } = await fetch(`${served.url}/api/heroes`);
      return [status, headers.get("x-snapshot-version")];
    };
    await expect.poll(served.log).toMatch(new RegExp(`"cannot-follow".*${FULL(disk.path)}`));
    expect(await ask()).toEqual([200, nights.versions[0]]);
    disk.enlarge();
    await expect.poll(ask).toEqual([200, nights.versions[2]]);
    expect(await hashFile(fileOf(disk.path))).toBe(pointerOf(nights.data).sha256);
  });
});

/** Breaks the connection off once so many bytes have reached the disk of the puller. */
function breakOff(res: ServerResponse, folder: string, size: number) {
  const arrived = () =>
    published(folder).some((name) => name.endsWith(".part") && statSync(join(folder, "snapshots", name)).size >= size);
  const timer = setInterval(() => {
    if (!arrived()) return;
    clearInterval(timer);
    res.destroy();
  }, 5);
}

describe("a broken download", () => {
  drawTests(1);

  test("goes on where it broke off, in the same run and in the next", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.data);
    const { size, version } = pointerOf(nights.data);
    const half = (from: number): Fault =>
      plain(({ file, res }) => {
        res.writeHead(from ? 206 : 200, {
          etag: `"${version}.sqlite"`,
          "content-length": size - from,
          ...(from && { "content-range": `bytes ${from}-${size - 1}/${size}` }),
        });
        res.write(readFileSync(file).subarray(from, from + 100_000));
        breakOff(res, folder.path, from + 100_000);
        return true;
      });
    let dead = false;
    source.fault = (exchange) => {
      if (!exchange.path.endsWith(".sqlite")) return plain(() => false)(exchange);
      if (dead) return Boolean(exchange.res.destroy());
      const from = Number(/bytes=(\d+)/.exec(exchange.req.headers.range ?? "")?.[1] ?? 0);
      dead = from > 0;
      return half(from)(exchange);
    };
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 4,
      message: expect.stringMatching(/does not answer|breaks off/),
    });
    const parts = published(folder.path);
    expect(parts).toEqual([`.pull-${version}.sqlite.part`, `.pull-${version}.sqlite.part.tag`]);
    expect(statSync(join(folder.path, "snapshots", parts[0] ?? "")).size).toBe(200_000);
    source.asked.length = 0;
    source.fault = plain(() => false);
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
    expect(source.asked.filter(({ path }) => path.endsWith(".sqlite"))).toEqual([
      { path: `/snapshots/${version}.sqlite`, range: "bytes=200000-", status: 206 },
    ]);
    expect(published(folder.path)).toEqual([`${version}.json`, `${version}.sqlite`]);
  });

  test("begins anew when the file behind the address is another now", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.data);
    let broken = false;
    source.fault = plain(({ file, res }) => {
      if (broken) return false;
      broken = true;
      res.writeHead(200, { etag: '"before"', "content-length": statSync(file).size });
      res.write(Buffer.alloc(50_000, "x"));
      breakOff(res, folder.path, 50_000);
      return true;
    });
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
    expect(source.asked.filter(({ path }) => path.endsWith(".sqlite")).at(-1)).toMatchObject({
      range: "bytes=50000-",
      status: 200,
    });
  });

  test("survives a kill, and what was wrong in it is fetched again", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights.data);
    const { version } = pointerOf(nights.data);
    const stalled = Promise.withResolvers<void>();
    source.fault = plain(({ file, res }) => {
      res.writeHead(200, { etag: `"${version}.sqlite"`, "content-length": statSync(file).size });
      res.write(Buffer.alloc(60_000, "x"), () => stalled.resolve());
      return true;
    });
    const { child, ended } = startCommand("pull", [source.url, "--data", folder.path, "--allow-partial"]);
    const part = join(folder.path, "snapshots", `.pull-${version}.sqlite.part`);
    await stalled.promise;
    await expect.poll(() => existsSync(part) && statSync(part).size).toBe(60_000);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
    source.fault = plain(() => false);
    expect((await runCommand("pull", [source.url, "--data", folder.path, "--allow-partial"])).code).toBe(0);
    expect(await hashFile(fileOf(folder.path))).toBe(pointerOf(nights.data).sha256);
  });
});

describe("refused, and the old one stays", () => {
  /** What the source does, with which exit code and line it is refused. */
  const faults: [what: string, fault: Fault, exit: number, message: RegExp, options?: PullOptions][] = [
    [
      "a file cut short, again and again",
      plain(({ file, res }) => {
        res.write(readFileSync(file).subarray(0, 1000));
        return Boolean(res.end());
      }),
      4,
      /ends after 1000 of \d+ bytes/,
    ],
    [
      "a wrong byte",
      plain(({ file, res }) => {
        const bytes = readFileSync(file);
        bytes[5000] = (bytes[5000] ?? 0) ^ 1;
        return Boolean(res.end(bytes));
      }),
      64,
      /is not what its manifest says: another sha256/,
    ],
    [
      "another length",
      plain(({ res }) => Boolean(res.writeHead(200, { "content-length": 5 }).end("hello"))),
      64,
      /has 5 bytes, its manifest says \d+/,
    ],
    [
      "a body without end",
      plain(({ res }) => {
        const more = () => {
          while (!res.destroyed && res.write(Buffer.alloc(65_536)));
        };
        res.on("drain", more);
        more();
        return true;
      }),
      64,
      /does not end where its manifest says/,
    ],
    [
      "a drip",
      plain(({ file, req, res }) => {
        if (req.headers.range)
          res.writeHead(206, {
            "content-range": `${req.headers.range.replace("=", " ").replace(/-$/, "")}-${statSync(file).size - 1}/*`,
          });
        const timer = setInterval(() => res.write("x"), 50);
        res.once("close", () => clearInterval(timer));
        return true;
      }),
      4,
      /sends less than 2000 bytes a second/,
      IMPATIENT,
    ],
    ["silence", plain(() => true), 4, /does not answer|sends less/, IMPATIENT],
    [
      "a compressed body that was not asked for",
      plain(({ res }) => Boolean(res.writeHead(200, { "content-encoding": "gzip" }).end("x"))),
      64,
      /is encoded/,
    ],
    ["503", ({ res }) => Boolean(res.writeHead(503).end("busy")), 4, /latest\.json answers 503/],
    ["nothing there", ({ res }) => Boolean(res.writeHead(404).end()), 64, /has no latest\.json/],
    [
      "a pointer without end",
      ({ res }) => {
        const more = () => {
          while (!res.destroyed && res.write(Buffer.alloc(65_536, " ")));
        };
        res.on("drain", more);
        more();
        return true;
      },
      64,
      /is larger than 65536 bytes/,
    ],
    [
      "a page in place of the pointer",
      ({ res }) => Boolean(res.end("<html>")),
      64,
      /is not a pointer of metasnap \(no JSON\)/,
    ],
    ["a reset", ({ res }) => Boolean(res.destroy()), 4, /does not answer/],
    [
      "a redirect to another scheme",
      ({ res }) => Boolean(res.writeHead(302, { location: "https://127.0.0.1/x" }).end()),
      64,
      /redirects to another scheme, https:/,
    ],
    [
      "a redirect to a file",
      ({ res }) => Boolean(res.writeHead(302, { location: "file:///etc/passwd" }).end()),
      64,
      /redirects to another scheme, file:/,
    ],
    [
      "a redirect into our network",
      ({ res }) => Boolean(res.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end()),
      64,
      /redirects into this network/,
    ],
    [
      "a redirect to a name of our network",
      ({ req, res }) => Boolean(res.writeHead(302, { location: `http://localhost:${req.socket.localPort}/` }).end()),
      64,
      /is inside this network: localhost is the private address/,
    ],
    [
      "a redirect in a circle",
      ({ req, res }) => Boolean(res.writeHead(302, { location: req.url ?? "" }).end()),
      64,
      /redirects more than 5 times/,
    ],
  ];
  test.concurrent.for(faults)("%s", async ([, fault, exit, message, options], { expect }) => {
    using folder = folderUntil(0);
    removeNights(folder.path, 1, 2);
    const before = [readFileSync(join(folder.path, "latest.json"), "utf8"), await hashFile(fileOf(folder.path))];
    await using source = await startSource(nights.data);
    source.fault = fault;
    await expect(pullFrom(source, folder.path, options)).rejects.toMatchObject({
      exit,
      message: expect.stringMatching(message),
    });
    expect([readFileSync(join(folder.path, "latest.json"), "utf8"), await hashFile(fileOf(folder.path))]).toEqual(
      before,
    );
    expect(published(folder.path).filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
  });

  const names: [what: string, change: object, message: RegExp][] = [
    [
      "a name that leads out of the folder",
      { version: "../../evil" },
      /latest\.json is not a pointer of metasnap \(version:/,
    ],
    ["a name with a query", { version: "20260801T030000Z-00000000?x" }, /is not a pointer/],
    ["more bytes than any snapshot has", { size: 2 ** 31 }, /is not a pointer of metasnap \(size:/],
    ["a size that is none", { size: -1 }, /is not a pointer/],
    ["a hash that is none", { sha256: "" }, /is not a pointer of metasnap \(sha256:/],
  ];
  test.for(names)("%s", async ([, change, message]) => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    cpSync(nights.data, other.path, { recursive: true });
    writeFileSync(join(other.path, "latest.json"), JSON.stringify({ ...pointerOf(nights.data), ...change }));
    await using source = await startSource(other.path);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(message),
    });
    expect(published(folder.path)).toEqual([]);
  });

  test("a compressed copy that is larger than it says when it is open", async () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    cpSync(nights.data, other.path, { recursive: true });
    const bomb = zstdCompressSync(Buffer.alloc(64 * 2 ** 20));
    const file = fileOf(other.path);
    writeFileSync(`${file}.zst`, bomb);
    const manifest = JSON.parse(readFileSync(file.replace("sqlite", "json"), "utf8"));
    const compressed = { size: bomb.length, sha256: await hashFile(`${file}.zst`) };
    writeFileSync(file.replace("sqlite", "json"), JSON.stringify({ ...manifest, compressed }));
    await using source = await startSource(other.path);
    await expect(pullFrom(source, folder.path)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(/cannot be decompressed: it holds more than/),
    });
    expect(published(folder.path)).toEqual([]);
  });

  test("an older snapshot, unless it is asked for", async () => {
    using folder = temporaryFolder();
    using older = folderUntil(1);
    await using source = await startSource(nights.data);
    await pullFrom(source, folder.path);
    source.data = older.path;
    const args = [source.url, "--data", folder.path, "--allow-partial"];
    const { code, stderr } = await runCommand("pull", args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^the source has \S+, older than \S+ that is in hand; take it with --allow-older[^\n]*\n$/);
    expect(pointerOf(folder.path).version).toBe(nights.versions[2]);
    expect((await runCommand("pull", [...args, "--allow-older"])).code).toBe(0);
    expect(pointerOf(folder.path)).toEqual(toPointer(pointerOf(older.path)));
    expect(withdrawnOf(folder.path)).toEqual([nights.versions[2]]);
    source.data = nights.data;
    expect((await runCommand("pull", [...args, "--allow-older"])).code).toBe(0);
    expect(pointerOf(folder.path)).toEqual(pointerOf(nights.data));
  });
});

describe("addresses", () => {
  test.for([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "100.64.0.1",
    "::1",
    "[::1]",
    "::",
    "fe80::1",
    "fd00::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
  ])("%s is inside", (address) => expect(isPrivate(address)).toBe(true));
  test.for(["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "mirror.example"])("%s is not", (address) =>
    expect(isPrivate(address)).toBe(false),
  );
});

test("a token in the address of a source stays with its host, and is in no line", async () => {
  const token = "?token=S3CRET";
  using folder = temporaryFolder();
  await using source = await startSource(nights.data);
  await using other = await startSource(nights.data);
  const isTold = (path: string) => path.endsWith(token);
  const answer =
    (isMoved: (file: string) => boolean): Fault =>
    ({ path, req, res }) => {
      const file = join(nights.data, path.slice(0, -token.length));
      if (!isTold(path)) return Boolean(res.writeHead(403).end());
      if (isMoved(file)) return Boolean(res.writeHead(302, { location: other.url }).end());
      if (!existsSync(file)) return Boolean(res.writeHead(404).end());
      sendFile(file, "", req, res);
      return true;
    };
  const pulled = () => runCommand("pull", [source.url + token, "--data", folder.path, "--allow-partial"]);
  const ends = [];
  for (const moved of [/latest\.json$/, /\d\.json$/, /\.sqlite(?:\.zst)?$/]) {
    source.fault = answer((file) => moved.test(file));
    ends.push(await pulled());
  }
  source.fault = answer(() => false);
  ends.push(await pulled());
  expect(ends.map(({ code }) => code)).toEqual([64, 64, 64, 0]);
  expect(ends[0]?.stderr).toContain("redirects into this network");
  expect(ends.map(({ stdout, stderr }) => stdout + stderr).join()).not.toContain("S3CRET");
  expect([source.asked.every(({ path }) => isTold(path)), other.asked]).toEqual([true, []]);
  const kept = [
    "latest.json",
    ...published(folder.path)
      .filter((name) => name.endsWith("json"))
      .map((name) => `snapshots/${name}`),
  ];
  for (const name of kept) expect(readFileSync(join(folder.path, name), "utf8")).not.toContain("S3CRET");
});

describe("followers", () => {
  test("converge after a publication under load, and never hold a bad byte, whatever the source serves between", async () => {
    using until = folderUntil(1);
    await using source = await startSource(until.path, "mirror");
    const folders = Array.from({ length: FULL ? 3 : 2 }, temporaryFolder);
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
    await expect.poll(() => all(nights.versions[1])).toBe(true);

    // What each of them may answer, by version.
    await using truth = await startFollowing(nights.data);
    const question = "/api/heroes/rank?rank=all&days=7&size=100";
    const answers = new Map<string | null, string>();
    for (const version of nights.versions.slice(1))
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
    source.data = nights.data;
    const served = new Map<string, string | null>();
    while (new Set(served.values()).size !== 1 || !served.values().every((version) => version === nights.versions[2])) {
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
    await expect.poll(() => all(nights.versions[2])).toBe(true);
    stop.abort();
    await Promise.all([...following, load]);
    expect([pointers, files]).toEqual([[], []]);
    for (const [index, { path }] of folders.entries()) {
      expect(pointerOf(path)).toEqual(pointerOf(nights.data));
      expect(watch(index)).toEqual([nights.versions[1], nights.versions[2]]);
    }
    for (const mirror of mirrors) await mirror[Symbol.asyncDispose]();
    for (const folder of folders) folder[Symbol.dispose]();
  });
});

test("a follower fetches what it refuses once, looks on, and takes the next", async () => {
  using until = folderUntil(1);
  await using source = await startSource(until.path);
  using folder = folderUntil(0);
  removeNights(folder.path, 1, 2);
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
  expect(fetched()).toEqual([`/snapshots/${nights.versions[1]}.sqlite.zst`]);
  expect(events).toEqual([
    { event: "failed", message: expect.stringContaining("heroes"), retryMs: expect.any(Number) },
  ]);
  makeGood();
  source.data = nights.data;
  await expect.poll(() => events.at(-1)).toEqual({ event: "pulled", version: nights.versions[2] });
  expect(pointerOf(folder.path).version).toBe(nights.versions[2]);
  stop.abort();
  await following;
});

describe("a mirror", () => {
  test("hands out the compressed copy, in parts too", async () => {
    await using mirror = await startFollowing(nights.data);
    const copy = readFileSync(`${fileOf(nights.data)}.zst`);
    const url = `${mirror.url}/snapshots/${pointerOf(nights.data).version}.sqlite.zst`;
    const whole = await fetch(url);
    expect(whole.headers.get("content-type")).toBe("application/zstd");
    expect(Buffer.from(await whole.arrayBuffer()).equals(copy)).toBe(true);
    const part = await fetch(url, { headers: { range: "bytes=1000-", "if-range": whole.headers.get("etag") ?? "" } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(copy.subarray(1000))).toBe(true);
    using folder = temporaryFolder();
    expect((await pull(new URL(mirror.url), folder.path, QUICK)).changed).toBe(true);
    expect((await fetch(url.replace(/\d{8}T/, "19990101T"))).status).toBe(404);
  });
});

describe("serve --follow", () => {
  test("fetches the first snapshot, serves it, and pulls the next by itself", async () => {
    using folder = temporaryFolder();
    using until = folderUntil(1);
    await using source = await startSource(until.path);
    await using served = await startServe(["--data", folder.path, "--follow", source.url, "--every", "1s"]);
    const version = async () => (await fetch(`${served.url}/api/heroes`)).headers.get("x-snapshot-version");
    expect(await version()).toBe(nights.versions[1]);
    source.data = nights.data;
    await expect.poll(version).toBe(nights.versions[2]);
    expect(await hashFile(fileOf(folder.path))).toBe(pointerOf(nights.data).sha256);
    // A mirror that follows is a source like any other.
    using next = temporaryFolder();
    expect(await pull(new URL(served.url), next.path, QUICK)).toMatchObject({
      version: nights.versions[2],
      changed: true,
    });
    expect(await hashFile(fileOf(next.path))).toBe(pointerOf(nights.data).sha256);
    const { code, stdout } = await served.stop();
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^serving ${nights.versions[1]} on http`));
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

/** Asks for the same files as fast as two connections can. */
async function hammer({ url }: FileSource, signal: AbortSignal) {
  const paths = ["/snapshots/latest.json", `/snapshots/${nights.versions[1]}.sqlite`];
  const ask = async () => {
    while (!signal.aborted)
      for (const path of paths)
        await fetch(url + path, { signal, headers: { "user-agent": "load" } })
          .then((response) => response.arrayBuffer())
          .catch(() => {});
  };
  await Promise.all(Array.from({ length: 2 }, ask));
}
