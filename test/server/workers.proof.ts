import { copyFileSync, existsSync, readFileSync, renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { startCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startServer } from "../helpers/server.ts";

/** The processes that a process has started and that live. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter((child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("scripts/serve.ts"))
    .map(Number);

/** What nobody has asked after lies about as a zombie. */
const lives = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

const nights = temporaryFolder();
let [older, newer] = ["", ""];

beforeAll(async () => {
  [older = "", newer = ""] = await publishDays(nights.path, [0, 1], "--endpoints", "stats");
});
afterAll(() => nights[Symbol.dispose]());

test("two workers share a port, go over to the next snapshot, are replaced one by one and when one dies", async () => {
  using folder = copyOf(nights.path);
  rollback(folder.path, older);
  const pointerOfOlder = join(folder.path, "older.json");
  copyFileSync(join(folder.path, "latest.json"), pointerOfOlder);
  await using served = await startServe(["--data", folder.path, "--workers", "2"]);
  const { url, pid } = served;
  const seen: string[] = [];
  const failed: unknown[] = [];
  let asking = true;
  /** Each request on a connection of its own, so that it may reach either worker. */
  const ask = async () => {
    const dispatcher = new Agent({ pipelining: 0 });
    const { statusCode, headers, body } = await request(`${url}/api/heroes/1/stats`, { dispatcher });
    await body.dump();
    await dispatcher.close();
    return `${statusCode} ${headers["x-snapshot-version"]}`;
  };
  const client = async () => {
    while (asking)
      await ask().then(
        (answer) => seen.push(answer),
        (error: unknown) => failed.push(error),
      );
  };
  const clients = [client(), client(), client()];
  /** So many answers on end, from whichever workers, are of one version. */
  const settle = (version: string) =>
    expect
      .poll(async () => new Set(await Promise.all(Array.from({ length: 10 }, ask))))
      .toEqual(new Set([`200 ${version}`]));
  try {
    expect(childrenOf(pid)).toHaveLength(2);
    await settle(older);
    rollback(folder.path, newer);
    await settle(newer);

    const first = childrenOf(pid);
    process.kill(pid, "SIGHUP");
    await expect.poll(() => childrenOf(pid).filter((one) => !first.includes(one)).length).toBe(2);
    await expect.poll(() => childrenOf(pid).length).toBe(2);
    await settle(newer);
    asking = false;
    await Promise.all(clients);
    expect(failed).toEqual([]);
    expect(new Set(seen)).toEqual(new Set([`200 ${older}`, `200 ${newer}`]));

    // What the pointer names now is refused, and a worker that starts meanwhile serves what the others do.
    truncateSync(join(folder.path, "snapshots", `${older}.sqlite`), 50_000);
    renameSync(pointerOfOlder, join(folder.path, "latest.json"));
    const [one = 0, two = 0] = childrenOf(pid);
    process.kill(one, "SIGKILL");
    await expect.poll(() => childrenOf(pid).filter((other) => other !== one && other !== two).length).toBe(1);
    await expect.poll(served.log).toContain(`"event":"snapshot-refused","serving":"${newer}"`);
    await settle(newer);
  } finally {
    asking = false;
  }
  const { code, stderr } = await served.stop();
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/"event":"worker-ended","pid":\d+,"end":"SIGKILL","next_in_ms":100/),
  ]);
  expect(stderr).toContain(`"event":"snapshot-refused","serving":"${newer}"`);
});

test("a port that is taken ends all of them with one reason", async () => {
  using folder = copyOf(nights.path);
  await using first = await startServe(["--data", folder.path]);
  const { port } = new URL(first.url);
  const second = await startCommand("serve", ["--data", folder.path, "--port", port, "--workers", "2"]).ended;
  expect([second.code, second.stderr]).toEqual([
    64,
    expect.stringMatching(new RegExp(`^127\\.0\\.0\\.1:${port}: is taken[^\\n]*\n$`)),
  ]);
  expect((await first.stop()).code).toBe(0);
});

test.for([1, 2])(
  "a worker that hangs is killed after its time, and none stays behind (%d signals)",
  async (signals) => {
    using folder = copyOf(nights.path);
    await using served = await startServe(["--data", folder.path, "--workers", "2", "--grace", "1"]);
    const workers = childrenOf(served.pid);
    process.kill(workers[0] ?? 0, "SIGSTOP");
    const ended = served.stop();
    if (signals === 2) {
      await sleep(200);
      process.kill(served.pid, "SIGTERM");
    }
    expect(await ended).toMatchObject({ code: signals === 1 ? 0 : 130, signal: null });
    for (const pid of workers) await expect.poll(() => lives(pid)).toBe(false);
  },
);

test("Ctrl-C with workers waits for what is in flight, although each worker is told twice", async () => {
  using folder = copyOf(nights.path);
  await using upstream = await startServer((_, res) => void setTimeout(() => res.end('{"code":0}'), 1500));
  const options = ["--data", folder.path, "--upstream", upstream.url, "--workers", "2"];
  const served = await startServe(options);
  const login = fetch(`${served.url}/api/user/auth/login`, { method: "POST", body: "{}" });
  await expect.poll(() => upstream.seen.length).toBe(1);
  // A terminal signals the whole group.
  const children = childrenOf(served.pid);
  expect(children).toHaveLength(2);
  for (const child of children) process.kill(child, "SIGINT");
  const ended = served.stop("SIGINT");
  expect(await (await login).text()).toBe('{"code":0}');
  expect(await ended).toMatchObject({ code: 0, signal: null });
});
