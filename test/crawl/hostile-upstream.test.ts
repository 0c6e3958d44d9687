/**
 * Upstreams that mean harm, over real sockets: each mode is one thing that an upstream does, with how the crawl must end, in
 * what time, with what memory, and that nothing or all is published. Some are drawn by a seed, which is shown; `SEED=…`
 * tries the same again, `FULL=all` all, `FULL=all … -t bomb` (or any word of a name) these alone.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDraw, drawn, FULL } from "../helpers/draw.ts";
import { BODIES } from "../helpers/hostile-upstream/bodies.ts";
import { CODINGS } from "../helpers/hostile-upstream/codings.ts";
import { FRAMING } from "../helpers/hostile-upstream/framing.ts";
import type { Mode } from "../helpers/hostile-upstream/mode.ts";
import { MOODS } from "../helpers/hostile-upstream/moods.ts";
import { SIZES } from "../helpers/hostile-upstream/sizes.ts";
import { startHostile } from "../helpers/hostile-upstream/upstream.ts";
import { type Ended, runScript, temporaryFolder } from "../helpers/run.ts";

/** Modes of a run that is not full. */
const DRAWN = 3;
/** Held against in a full run, on a machine that has nothing else to do. */
const [SECONDS, MEGABYTES] = [8, 330];

const MODES: readonly Mode[] = [...FRAMING, ...CODINGS, ...BODIES, ...SIZES, ...MOODS];
const SLICES = ["--languages", "en,ja", "--ranks", "all", "--days", "7", "--endpoints", "stats,relations"];
const OPTIONS = ["--rate", "5000", "--timeout", "1", "--attempts", "2", ...SLICES];

/** A busy machine may take so many times as long: what hangs takes longer. */
const SLOWEST = 8;

/** Long ones only in a full run. */
const SHORT = MODES.filter(({ seconds = SECONDS }) => seconds <= 15);
const tried = createDraw("modes").some(FULL ? MODES : SHORT, DRAWN);

let upstream: Awaited<ReturnType<typeof startHostile>>;
let honest = "";

beforeAll(async () => {
  upstream = await startHostile();
  using folder = temporaryFolder();
  const { code, stderr } = await crawl(folder.path, []);
  expect([code, stderr]).toEqual([0, ""]);
  honest = contentOf(folder.path) ?? "";
});

afterAll(() => upstream[Symbol.asyncDispose]());

async function crawl(data: string, args: string[], url = upstream.url) {
  const peak = join(data, "peak");
  const env = {
    NODE_OPTIONS: `--require=${join(import.meta.dirname, "..", "helpers", "hostile-upstream", "peak.cjs")}`,
    PEAK_FILE: peak,
  };
  const started = performance.now();
  const ended = await runScript("crawl", ["--upstream", url, "--data", data, ...OPTIONS, ...args], env);
  const megabytes = existsSync(peak) ? Number(readFileSync(peak, "utf8")) / 1024 : Number.POSITIVE_INFINITY;
  return { ...ended, seconds: (performance.now() - started) / 1000, megabytes };
}

const filesOf = (data: string) => (existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : []);

/** The content hash of the one snapshot in a folder. */
function contentOf(data: string): string | undefined {
  const [manifest] = filesOf(data).filter((name) => name.endsWith(".json"));
  if (!manifest) return undefined;
  return (JSON.parse(readFileSync(join(data, "snapshots", manifest), "utf8")) as { content_hash: string }).content_hash;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** What is wrong with how a crawl ended. */
function faultsOf(mode: Mode, ended: Ended & { seconds: number; megabytes: number }, data: string): string[] {
  const { code, signal, stderr, events, seconds, megabytes } = ended;
  const reasons = new Set(events.filter(({ event }) => event === "fault").map(({ reason }) => reason));
  const long = events.find((event) => event.event !== "quality" && JSON.stringify(event).length > 20_000);
  const files = filesOf(data)
    .map((name) => name.replace(/^[^.]*/, ""))
    .sort();
  const content = contentOf(data);
  const checks: [boolean, string][] = [
    [code === mode.code, `ended with ${code ?? signal}, not ${mode.code}: ${stderr.slice(0, 400)}`],
    [
      mode.says ? /^[^\n]{1,1200}\n$/.test(stderr) && mode.says.test(stderr.trim()) : stderr === "",
      `says ${stderr.slice(0, 400)}`,
    ],
    [!STEERING.test(stderr + ended.stdout), "control characters"],
    [!mode.reason || reasons.has(mode.reason), `failed for ${[...reasons].join()}, not ${mode.reason}`],
    [long === undefined, `an event of ${JSON.stringify(long)?.length} characters`],
    [!FULL || seconds <= SLOWEST * (mode.seconds ?? SECONDS), `took ${seconds.toFixed(1)} s`],
    [!FULL || megabytes <= (mode.megabytes ?? MEGABYTES), `took ${megabytes.toFixed(0)} MB`],
    [files.join() === (mode.code === 0 ? ".json,.sqlite" : ""), `left ${files.join()}`],
    [!mode.same || content === honest, "published another content than that of an honest upstream"],
    [upstream.state.canary === 0, "asked whom it was not told to ask"],
    [upstream.state.cookies === 0, "sent a cookie"],
  ];
  return checks.flatMap(([held, fault]) => (held ? [] : [fault]));
}

describe(`a hostile upstream (${drawn})`, () => {
  test.for([...tried])("$name", async (mode) => {
    using folder = temporaryFolder();
    upstream.set(mode);
    const ended = await crawl(folder.path, mode.args ?? [], mode.address?.(upstream.url));
    const figures = { mode: mode.name, code: ended.code, seconds: ended.seconds, megabytes: ended.megabytes };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(faultsOf(mode, ended, folder.path), drawn).toEqual([]);
  });

  test("has more than 80 modes, each with a name of its own", () => {
    expect(new Set(MODES.map(({ name }) => name)).size).toBe(MODES.length);
    expect(MODES.length).toBeGreaterThan(80);
  });
});
