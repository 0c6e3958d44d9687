/** What a pull or a follower takes from somebody who hands out crafted files, with a manifest that fits each. */
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PullOptions, pull } from "../../src/extra/nights/pull/pull.ts";
import { fileOf, pointerOf, vouchForLatest } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { CRAFTED, type Crafted } from "../helpers/strangers/crafted.ts";
import { type FileSource, startSource } from "../helpers/upstream/source.ts";

const QUICK: PullOptions = {
  limits: { timeoutMs: 5000, minBytesPerSecond: 10_000, maxAttempts: 2 },
};

/** A page or an answer of each kind that reads a table which is made of records. */
const PATHS = [
  ...["/health", "/", "/heroes/1", "/tiers", "/data", "/api/", "/api/heroes/rank", "/api/heroes/rank?lang=ja"],
  ...["/api/heroes/1/counters?lang=ja", "/api/heroes/1/stats"],
];

/** An honest night, and with a later one. */
const [small, later] = [temporaryFolder(), temporaryFolder()];
beforeAll(async () => {
  const few = ["--ranks", "all", "--days", "7"];
  await publishDays(small.path, [0], ...few);
  cpSync(small.path, later.path, { recursive: true });
  await publishDays(later.path, [1], ...few);
});
afterAll(() => {
  for (const folder of [small, later]) folder[Symbol.dispose]();
});

test.for(CRAFTED.reader.flat().map((one) => [one.name, one] as const))(
  "a snapshot of somebody else with %s is refused in one line, and nothing is published",
  async ([, crafted]) => {
    using other = temporaryFolder();
    using folder = temporaryFolder();
    await craft(small.path, other.path, crafted);
    await using source = await startSource(other.path);
    const error = await pull(new URL(source.url), folder.path, QUICK).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exit: 64, message: expect.stringMatching(crafted.message) });
    expect(String((error as Error).message)).toMatch(/^[^\p{Cc}]{1,600}$/u);
    expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
    expect(readdirSync(join(folder.path, "snapshots"))).toEqual([]);
  },
);

test("what only the maker of a file can find is taken as it is, and does no harm to who serves it", async () => {
  using other = temporaryFolder();
  using folder = temporaryFolder();
  cpSync(later.path, other.path, { recursive: true, filter: (name) => !/journals|proofs\.json/.test(name) });
  for (const { craft } of CRAFTED.maker.flat()) craft(fileOf(other.path));
  await vouchForLatest(other.path);
  await using source = await startSource(other.path);
  await pull(new URL(source.url), folder.path, QUICK);
  await using served = await startServe(["--data", folder.path]);
  for (const path of PATHS) {
    const { status } = await fetch(served.url + path);
    expect([path, status]).toEqual([path, 200]);
  }
  expect((await served.stop()).code).toBe(0);
});

test("crafted files are more than sixty, each with a name of its own", () => {
  const names = Object.values(CRAFTED)
    .flat(2)
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThan(60);
  expect(new Set(names).size).toBe(names.length);
});

test("a server that follows refuses one of each kind in its log, answers all the while, and serves the honest one after them", async () => {
  using other = temporaryFolder();
  using folder = temporaryFolder();
  cpSync(small.path, folder.path, { recursive: true });
  await using source = await startSource(small.path);
  await using served = await startServe(["--data", folder.path, "--follow", source.url, "--every", "1s"]);
  const version = async () => (await fetch(`${served.url}/api/heroes`)).headers.get("x-snapshot-version");
  for (const [crafted] of CRAFTED.reader) {
    rmSync(other.path, { recursive: true });
    if (crafted) await craft(later.path, other.path, crafted);
    const told = served.log().length;
    await offer(source, other.path);
    expect(served.log().slice(told), crafted?.name).toContain('"event":"cannot-follow"');
    expect(await version()).toBe(pointerOf(small.path).version);
  }
  await offer(source, later.path);
  await expect.poll(version).toBe(pointerOf(later.path).version);
  expect((await served.stop()).code).toBe(0);
});

/** A copy of a night with its file changed, and a pointer and a manifest that vouch for it. */
async function craft(data: string, folder: string, { craft }: Crafted) {
  cpSync(data, folder, { recursive: true, filter: (name) => !/journals|proofs\.json/.test(name) });
  craft(fileOf(folder));
  await vouchForLatest(folder);
}

/** Hands out another folder until its pointer was asked for twice: by then a follower is done with it. */
async function offer(source: FileSource, data: string) {
  source.data = data;
  source.asked.length = 0;
  const looks = () => source.asked.filter(({ path }) => path.endsWith("latest.json")).length;
  await expect.poll(looks).toBeGreaterThan(4);
}
