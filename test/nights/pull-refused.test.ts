import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import type { PullOptions } from "../../src/extra/nights/pull/pull.ts";
import { toPointer } from "../../src/snapshot/published/pointer.ts";
import { fileOf, pointerOf, published, withdrawnOf } from "../helpers/data-folder.ts";
import { copyOfFirst, fewNights } from "../helpers/few-nights.ts";
import { breakOff, plainFile, pullFrom, QUICK } from "../helpers/pulling.ts";
import { runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { type Fault, startSource } from "../helpers/upstream/source.ts";

const { data: nights, versions } = fewNights;

/** Where something is waited for that does not come. */
const IMPATIENT: PullOptions = { ...QUICK, limits: { ...QUICK.limits, timeoutMs: 2500 } };

describe("a broken download", () => {
  test("goes on where it broke off, in the same run and in the next", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights);
    const { size, version } = pointerOf(nights);
    const half = (from: number): Fault =>
      plainFile(({ file, res }) => {
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
      if (!exchange.path.endsWith(".sqlite")) return plainFile(() => false)(exchange);
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
    source.fault = plainFile(() => false);
    expect((await pullFrom(source, folder.path)).changed).toBe(true);
    expect(source.asked.filter(({ path }) => path.endsWith(".sqlite"))).toEqual([
      { path: `/snapshots/${version}.sqlite`, range: "bytes=200000-", status: 206 },
    ]);
    expect(published(folder.path)).toEqual([`${version}.json`, `${version}.sqlite`]);
  });

  test("begins anew when the file behind the address is another now", async () => {
    using folder = temporaryFolder();
    await using source = await startSource(nights);
    let broken = false;
    source.fault = plainFile(({ file, res }) => {
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
    await using source = await startSource(nights);
    const { version } = pointerOf(nights);
    const stalled = Promise.withResolvers<void>();
    source.fault = plainFile(({ file, res }) => {
      res.writeHead(200, { etag: `"${version}.sqlite"`, "content-length": statSync(file).size });
      res.write(Buffer.alloc(60_000, "x"), () => stalled.resolve());
      return true;
    });
    const { child, ended } = startCommand("pull", [source.url, "--data", folder.path]);
    const part = join(folder.path, "snapshots", `.pull-${version}.sqlite.part`);
    await stalled.promise;
    await expect.poll(() => existsSync(part) && statSync(part).size).toBe(60_000);
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
    source.fault = plainFile(() => false);
    expect((await runCommand("pull", [source.url, "--data", folder.path])).code).toBe(0);
    expect(await hashFile(fileOf(folder.path))).toBe(pointerOf(nights).sha256);
  });
});

describe("refused, and the old one stays", () => {
  /** What the source does, with which exit code and line it is refused. */
  const faults: [what: string, fault: Fault, exit: number, message: RegExp, options?: PullOptions][] = [
    [
      "a file cut short, again and again",
      plainFile(({ file, res }) => {
        res.write(readFileSync(file).subarray(0, 1000));
        return Boolean(res.end());
      }),
      4,
      /ends after 1000 of \d+ bytes/,
    ],
    [
      "a wrong byte",
      plainFile(({ file, res }) => {
        const bytes = readFileSync(file);
        bytes[5000] = (bytes[5000] ?? 0) ^ 1;
        return Boolean(res.end(bytes));
      }),
      64,
      /is not what its manifest says: another sha256/,
    ],
    [
      "another length",
      plainFile(({ res }) => Boolean(res.writeHead(200, { "content-length": 5 }).end("hello"))),
      64,
      /has 5 bytes, its manifest says \d+/,
    ],
    [
      "a body without end",
      plainFile(({ res }) => {
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
      plainFile(({ file, req, res }) => {
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
    ["silence", plainFile(() => true), 4, /does not answer|sends less/, IMPATIENT],
    [
      "a compressed body that was not asked for",
      plainFile(({ res }) => Boolean(res.writeHead(200, { "content-encoding": "gzip" }).end("x"))),
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
    using folder = copyOfFirst(1);
    const before = [readFileSync(join(folder.path, "latest.json"), "utf8"), await hashFile(fileOf(folder.path))];
    await using source = await startSource(nights);
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
    cpSync(nights, other.path, { recursive: true });
    writeFileSync(join(other.path, "latest.json"), JSON.stringify({ ...pointerOf(nights), ...change }));
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
    cpSync(nights, other.path, { recursive: true });
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
    using older = copyOfFirst(1);
    await using source = await startSource(nights);
    await pullFrom(source, folder.path);
    source.data = older.path;
    const args = [source.url, "--data", folder.path];
    const { code, stderr } = await runCommand("pull", args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^the source has \S+, older than \S+ that is in hand; take it with --allow-older[^\n]*\n$/);
    expect(pointerOf(folder.path).version).toBe(versions[2]);
    expect((await runCommand("pull", [...args, "--allow-older"])).code).toBe(0);
    expect(pointerOf(folder.path)).toEqual(toPointer(pointerOf(older.path)));
    expect(withdrawnOf(folder.path)).toEqual([versions[2]]);
    source.data = nights;
    expect((await runCommand("pull", [...args, "--allow-older"])).code).toBe(0);
    expect(pointerOf(folder.path)).toEqual(pointerOf(nights));
  });
});
