import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, startNginx } from "../../scripts/bench/nginx.ts";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { pointerOf, published } from "../helpers/data-folder.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { linkCommand, stage } from "../helpers/package.ts";
import { blocksOf, readPage } from "../helpers/pages.ts";
import { RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Lays the package as npm would, with the libraries of this checkout; tells where. */
async function unpackPackage(folder: string): Promise<string> {
  const laid = join(folder, "package");
  await stage(laid);
  symlinkSync(join(ROOT, "node_modules"), join(laid, "node_modules"));
  return laid;
}
const PAGE = "scripts/deploy/README.md";
const [CRONTAB = ""] = blocksOf(PAGE, "crontab");
/** Cron itself has another one, in which npm puts nothing. */
const [, SYSTEM_PATH = ""] = /^PATH=(.*)$/m.exec(CRONTAB) ?? [];

const night = temporaryFolder();
beforeAll(async () => {
  await publishDays(night.path, [0], ...RATES);
});
afterAll(() => night[Symbol.dispose]());

describe("nginx as the page configures it", () => {
  const [inFront = "", asHost = ""] = blocksOf(PAGE, "nginx");

  /** The block with what is another here: each word must be in it. */
  async function start(folder: string, block: string, places: Record<string, string>) {
    const port = await freePort();
    let config = block;
    for (const [word, place] of Object.entries({ ...places, "listen 80": `listen 127.0.0.1:${port}` })) {
      expect(config).toContain(word);
      config = config.replace(word, place);
    }
    const nginx = await startNginx(folder, config, { port, host: "127.0.0.1" });
    const url = `http://127.0.0.1:${port}`;
    const ask = async (path: string, sent: Record<string, string> = {}) => {
      const { statusCode, headers, body } = await request(url + path, { headers: sent });
      await body.dump();
      return [statusCode, headers["cache-control"]];
    };
    return { url, ask, [Symbol.asyncDispose]: nginx.stop };
  }

  test("answers for the mirror, and hides what is for the operator", async () => {
    using folder = temporaryFolder();
    await using mirror = await startFollowing(night.path);
    const places = { "/var/cache/nginx/metasnap": "cache", "http://127.0.0.1:3000": mirror.url };
    await using nginx = await start(folder.path, inFront, places);
    const before = mirror.statuses.length;
    const [first, second] = [await nginx.ask("/api/heroes"), await nginx.ask("/api/heroes")];
    expect([first[0], second[0]]).toEqual([200, 200]);
    expect(mirror.statuses.length - before).toBe(1);
    for (const path of ["/health", "/ready", "/metrics"]) expect((await nginx.ask(path))[0]).toBe(404);

    const { version } = pointerOf(night.path);
    await nginx.ask(`/snapshots/${version}.sqlite`, { range: "bytes=0-99" });
    for (const path of ["/changes.atom", "/snapshots/", "/snapshots/latest.json", `/snapshots/${version}.json`])
      expect([path, (await nginx.ask(path, { "if-none-match": "*" }))[0]]).toEqual([path, 304]);
    await expect.poll(() => mirror.statuses.slice(before + 1)).toEqual([206, 304, 304, 304, 304]);
  });

  test("is a source without a server of ours, and shows nothing else", async () => {
    using folder = temporaryFolder();
    using pulled = temporaryFolder();
    await using nginx = await start(folder.path, asHost, { "/var/lib/metasnap": night.path });
    const { version } = await pull(new URL(nginx.url), pulled.path);
    expect(published(pulled.path)).toEqual([`${version}.json`, `${version}.sqlite`]);
    for (const path of ["/latest.json", `/snapshots/${version}.json`])
      expect([path, ...(await nginx.ask(path))]).toEqual([path, 200, "no-cache"]);
    expect(await nginx.ask(`/snapshots/${version}.sqlite`)).toEqual([200, "public, max-age=31536000, immutable"]);
    for (const path of ["/", "/journals/", "/proofs.json", "/snapshots/", "/snapshots/.pull-x.sqlite"])
      expect([path, (await nginx.ask(path))[0]]).toEqual([path, 404]);
  });
});

describe("a night of cron", () => {
  const installed = temporaryFolder();
  let bins: { checkout: string; package: string; none: string };
  beforeAll(async () => {
    const laid = await unpackPackage(installed.path);
    bins = {
      checkout: linkCommand(ROOT, join(installed.path, "checkout")),
      package: linkCommand(laid, join(installed.path, "installed")),
      none: "/nowhere",
    };
  });
  afterAll(() => installed[Symbol.dispose]());

  /** As cron starts it: with few variables, in another folder. */
  function run(log: string[], words: string[], pauses: string, from: keyof typeof bins = "package") {
    const script = join(from === "checkout" ? ROOT : join(installed.path, "package"), "scripts/deploy/nightly.sh");
    return start([script, ...log, ...words], from, { PAUSES: pauses });
  }
  async function start([program = "", ...words]: string[], from: keyof typeof bins, more: Record<string, string>) {
    const env = { PATH: `${bins[from]}:${SYSTEM_PATH}`, HOME: process.env.HOME, ...more };
    const child = spawn(program, words, { env, cwd: "/" });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close"), child.stdout.resume()]);
    return { code, said };
  }

  /** What the page has cron start, with what is another here: each word must be in it. */
  function startLine(places: Record<string, string>, options: string[], env: Record<string, string>) {
    let [, line = ""] = /^17 2 \* \* \* metasnap (.*)$/m.exec(CRONTAB) ?? [];
    for (const [word, place] of Object.entries(places)) {
      expect(line).toContain(word);
      line = line.replace(word, place);
    }
    for (const name of Object.keys(env)) expect(CRONTAB).toMatch(new RegExp(`^${name}=`, "m"));
    return start(["sh", "-c", [line, ...options].join(" ")], "package", env);
  }

  test("is silent after 0 and 2, asks again after 4, and says in one line what it comes to", async () => {
    using folder = temporaryFolder();
    const log = join(folder.path, "crawl.log");
    let isRefusing = false;
    const upstream = await startUpstream(1, ({ url = "" }, response) => {
      if (!isRefusing || !url.includes("rank=glory")) return false;
      response.writeHead(422, { "content-type": "application/json" }).end('{"detail":"no such rank"}');
      return true;
    });
    const data = join(folder.path, "data");
    const options = ["--rate", "5000", "--languages", "en", ...RATES, "--allow-partial"];
    const words = ["--upstream", upstream.url, "--data", data, ...options];
    const places = {
      "/srv/metasnap": join(installed.path, "package"),
      "/var/log/metasnap/crawl.log": log,
      "https://upstream.example": upstream.url,
    };
    expect(await startLine(places, options, { METASNAP_DATA: data })).toEqual({ code: 0, said: "" });
    expect(await run([log], words, "")).toEqual({ code: 0, said: "" });
    expect(readFileSync(log, "utf8").match(/"event":"(published|unchanged)"/g)).toEqual([
      '"event":"published"',
      '"event":"unchanged"',
    ]);
    expect(readFileSync(log, "utf8").match(/"ingested":\d/g)).toEqual(['"ingested":1', '"ingested":0']);
    isRefusing = true;
    const refused = [...words, "--closing-pause", "0s"];
    const line = "metasnap: the night is published, and newly closed: rank glory in rank: 422\n";
    expect(await run([log], refused, "")).toEqual({ code: 0, said: line });
    await upstream[Symbol.asyncDispose]();
    expect(await run([log], [...words, "--attempts", "1"], "0")).toEqual({
      code: 4,
      said: expect.stringMatching(/^metasnap: the night ended with 4: http:[^\n]* gave no hero list [^\n]*\n$/),
    });
    expect(readFileSync(log, "utf8").match(/gave no hero list/g)).toHaveLength(2);
    const refusal = {
      code: 64,
      said: expect.stringMatching(/^metasnap: the night ended with 64: [^\n]* '0' is invalid\. [^\n]*\n$/),
    };
    expect(await run([log], [...words, "--rate", "0"], "0")).toEqual(refusal);
    expect(await run([log], [...words, "--rate", "0"], "0", "checkout")).toEqual(refusal);
    // It is not asked again: that could not end in another way.
    expect(readFileSync(log, "utf8").match(/'0' is invalid/g)).toHaveLength(2);
  });

  test.for([
    [["/nowhere/crawl.log"], "/nowhere/crawl.log cannot be written"],
    [["crawl.log"], "the first word is the log, as an absolute path"],
    [[], "the first word is the log, as an absolute path"],
  ] as const)("with the log %o does not begin", async ([log, why]) => {
    const words = ["--upstream", "http://127.0.0.1:9"];
    expect(await run([...log], words, "0")).toEqual({ code: 64, said: `metasnap: ${why}\n` });
  });

  test("without the command, or a folder for the data, does not begin", async () => {
    const log = join(installed.path, "none.log");
    expect(await run([log], [], "0", "none")).toEqual({
      code: 64,
      said: `metasnap: metasnap is in no folder of PATH (/nowhere:${SYSTEM_PATH}); add its folder to PATH in the crontab\n`,
    });
    expect(await run([log], ["--upstream", "http://127.0.0.1:9"], "0")).toEqual({
      code: 64,
      said: "metasnap: no folder for the data is named; set METASNAP_DATA in the crontab, or give --data\n",
    });
  });
});

test("the copy of a backup is whole, and can be put back", async () => {
  using folder = temporaryFolder();
  const [data, copy] = [join(folder.path, "data"), join(folder.path, "copy")];
  cpSync(night.path, data, { recursive: true });
  const script = blocksOf(PAGE, "bash").find((block) => block.includes("/backup/"));
  const placed = script?.replaceAll("/var/lib/metasnap", data).replaceAll("/backup/metasnap", copy) ?? "";
  for (const _ of [1, 2]) execFileSync("bash", ["-euc", placed]);
  rmSync(data, { recursive: true });
  cpSync(copy, data, { recursive: true });
  expect(pointerOf(data)).toEqual(pointerOf(night.path));
  expect(await runCommand("verify", ["--data", data])).toMatchObject({ stderr: "" });
});

test("a line of the log has the fields that the page names, and no address", async () => {
  await using mirror = await startServe(["--data", night.path, "--log", "info"]);
  const path = "/api/heroes?size=1";
  const { body } = await request(mirror.url + path);
  await body.dump();
  await mirror.stop();
  const line = JSON.parse(
    mirror
      .log()
      .split("\n")
      .find((one) => one.includes('"request"')) ?? "",
  );
  const [, row = ""] = /^\| `info` \| also each request: (.*), and `gone`/m.exec(readPage(PAGE)) ?? [];
  expect(Object.keys(line)).toEqual([...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(JSON.stringify(line)).not.toContain("127.0.0.1");
});
