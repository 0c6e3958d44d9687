import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { type PullOptions, pull } from "../../src/nights/pull/pull.ts";
import { verifyFile } from "../../src/snapshot/verify/verify.ts";
import { verifyInProcess } from "../../src/snapshot/verify/verify-process.ts";
import { fileOf, pointerOf, vouchForLatest } from "../helpers/data-folder.ts";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { startWatch } from "../helpers/hostile/watch.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { CRAFTED, type Crafted } from "../helpers/strangers/crafted.ts";
import { contentOf, headOf, mutate } from "../helpers/strangers/mutants.ts";
import { type FileSource, startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const QUICK: PullOptions = {
  limits: { timeoutMs: 5000, minBytesPerSecond: 10_000, maxAttempts: 2 },
  allowPartial: true,
};
const draw = createDraw("strangers");
const STALL = 250;

/** Honest nights of three heroes: that of one, and a later one of the second. */
const world = mkdtempSync(join(tmpdir(), "metasnap-strangers-"));
const [tiny, small, later] = ["tiny", "small", "later"].map((name) => join(world, name)) as [string, string, string];
beforeAll(async () => {
  await using upstream = await startUpstream(3);
  const crawl = async (data: string, day: number, ...more: string[]) => {
    upstream.sample.set({ day });
    const options = ["--upstream", upstream.url, "--data", data, "--rate", "5000", "--allow-partial", ...more];
    const env = { SOURCE_DATE_EPOCH: String(1_790_000_000 + day * 86_400) };
    expect(await runCommand("crawl", options, env)).toMatchObject({ code: 0, stderr: "" });
  };
  const few = ["--ranks", "all", "--days", "7"];
  await crawl(tiny, 0, ...few, "--heroes", "1", "--languages", "en");
  await crawl(small, 0, ...few, "--languages", "en,ja");
  cpSync(small, later, { recursive: true });
  await crawl(later, 1, ...few, "--languages", "en,ja");
});
afterAll(() => rmSync(world, { recursive: true, force: true }));

/** A copy of a night with its file changed, and a pointer and a manifest that vouch for it. */
async function craft(data: string, folder: string, { craft }: Pick<Crafted, "craft">) {
  cpSync(data, folder, { recursive: true, filter: (name) => !/journals|proofs\.json/.test(name) });
  await vouchForLatest(folder, craft(fileOf(folder)));
}

describe(`a snapshot of somebody else (${drawn})`, () => {
  test.for(draw.some(CRAFTED, 3).map((one) => [one.name, one] as const))(
    "with %s is refused in one line, and nothing is published",
    async ([, crafted]) => {
      using other = temporaryFolder();
      using folder = temporaryFolder();
      await craft(small, other.path, crafted);
      await using source = await startSource(other.path);
      const error = await pull(new URL(source.url), folder.path, QUICK).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ exit: 64, message: expect.stringMatching(crafted.message) });
      expect(String((error as Error).message)).toMatch(/^[^\p{Cc}]{1,600}$/u);
      expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
      expect(readdirSync(join(folder.path, "snapshots"))).toEqual([]);
    },
  );

  test("is crafted in more than sixty ways, each with a name of its own", () => {
    expect(CRAFTED.length).toBeGreaterThan(60);
    expect(new Set(CRAFTED.map(({ name }) => name)).size).toBe(CRAFTED.length);
  });

  test("never holds up a server that follows: each is refused in the log, and the honest one after them is served", async () => {
    using other = temporaryFolder();
    using folder = temporaryFolder();
    cpSync(small, folder.path, { recursive: true });
    await using source = await startSource(small);
    await using served = await startServe(["--data", folder.path, "--follow", source.url, "--every", "1s"]);
    const watch = FULL ? startWatch(served.url, served.pid) : undefined;
    const wrong: string[] = [];
    for (const crafted of draw.some(CRAFTED, 2).slice(0, 30)) {
      rmSync(other.path, { recursive: true });
      await craft(later, other.path, crafted);
      await offer(source, other.path);
      const lap = await watch?.lap();
      if (lap && lap.blamed > STALL) wrong.push(`${crafted.name}: /health took ${lap.slowest} ms`);
    }
    await offer(source, later);
    const health = async () => (await (await fetch(`${served.url}/health`)).json()) as { data: { snapshot: object } };
    await expect
      .poll(health, { timeout: 240_000 })
      .toMatchObject({ data: { snapshot: { version: pointerOf(later).version } } });
    watch?.stop();
    expect(wrong, drawn).toEqual([]);
    expect((await served.stop()).code).toBe(0);
  }, 600_000);
});

/** Hands out another folder until its pointer was asked for twice: by then a follower is done with it. */
async function offer(source: FileSource, data: string) {
  source.data = data;
  source.asked.length = 0;
  const looks = () => source.asked.filter(({ path }) => path.endsWith("latest.json")).length;
  await expect.poll(looks, { timeout: 240_000 }).toBeGreaterThan(4);
}

describe("a proof", () => {
  test("of an honest night finds nothing", async () => {
    const { checks, counts, holes } = await verifyInProcess(fileOf(small));
    expect(checks.filter(({ state }) => state === "FAILED")).toEqual([]);
    expect([counts, holes.count]).toEqual([expect.objectContaining({ heroes: 3, languages: 2 }), 0]);
  });

  test.for([
    ["time", { timeoutMs: 20 }, /cannot be proved within [\d.e-]+ minutes and 256 MB \(SIGKILL\)/],
    ["memory", { maxHeapMegabytes: 6 }, /cannot be proved within 15 minutes and 6 MB \(SIG[A-Z]+\)/],
  ] as const)("is killed beyond its %s, and refuses the file in one line", async ([, limits, message]) => {
    await expect(verifyInProcess(fileOf(small), undefined, limits)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(message),
    });
  });

  test("ends when nobody waits for it any more", async () => {
    const ending = new AbortController();
    const proof = verifyInProcess(fileOf(small), undefined, { signal: ending.signal });
    ending.abort();
    await expect(proof).rejects.toThrow();
  });
});

describe(`a file with random damage and a manifest that fits it (${drawn})`, () => {
  const COUNT = draw.many(700, 30);
  const LONG = 3_600_000;

  test(
    `is refused in all of ${COUNT} cases where a table has another content, or cannot be read`,
    async () => {
      using folder = temporaryFolder();
      const honest = fileOf(tiny);
      const file = join(folder.path, "x.sqlite");
      const content = contentOf(honest);
      const wrong: string[] = [];
      const seen = { same: 0, other: 0 };
      for (let number = 0; number < COUNT; number += 1) {
        copyFileSync(honest, file);
        const what = mutate(file, createDraw(`mutant ${number}`));
        const isSame = contentOf(file) === content;
        seen[isSame ? "same" : "other"] += 1;
        const problem = await findProblem(file);
        if (!isSame && problem === undefined) wrong.push(`${number}: ${what} is accepted`);
        if (problem && /\n/.test(problem)) wrong.push(`${number}: ${what}: more than a line`);
      }
      expect(wrong, drawn).toEqual([]);
      expect(seen.other).toBeGreaterThan(COUNT / 2);
    },
    LONG,
  );
});

/** Why a file is refused by the proof itself, when its manifest says what the file does; its limits do not matter here. */
async function findProblem(file: string): Promise<string | undefined> {
  try {
    const { version, content_hash } = { ...pointerOf(tiny), ...headOf(file) };
    const promised = { version, content_hash, sha256: await hashFile(file), size: readFileSync(file).length };
    const { checks } = await verifyFile(file, promised);
    return checks.find(({ state }) => state === "FAILED")?.name;
  } catch (error) {
    return (error as Error).message;
  }
}
