import { basename } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { Agent, request } from "undici";
import { afterAll, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { publishDays, startMirror } from "../helpers/mirror.ts";
import { validQuery } from "../helpers/queries.ts";
import { SEED } from "../helpers/random.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { world } from "../helpers/world.ts";

const sample = await startSample();
afterAll(() => sample.close());

const RUNS = 500;
const DECODE = {
  identity: (bytes: Buffer) => bytes,
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};
type Coding = keyof typeof DECODE;

const codings = fc.constantFrom<Coding>("identity", "br", "gzip", "zstd");

test("a server answers random valid queries as the upstream does, in every coding and pinned or not", async () => {
  const upstream = sample.url;
  await using served = await startServe(["--data", world.data]);
  const pinned = `/snapshots/${basename(world.snapshot, ".sqlite")}`;
  const snapshot = openSnapshot(world.snapshot);
  const list = await fetch(`${upstream}/api/academy/heroes/ratings`);
  const { data } = (await list.json()) as { data: { list: { subject: number }[] } };
  const subjects = data.list.map(({ subject }) => String(subject));
  const dispatcher = new Agent();
  const used = new Set<string>();
  const ask = async (url: string, coding: Coding) => {
    const { statusCode, headers, body } = await request(url, { dispatcher, headers: { "accept-encoding": coding } });
    const sent = (headers["content-encoding"] ?? "identity") as Coding;
    used.add(sent);
    const bytes = DECODE[sent](Buffer.from(await body.arrayBuffer()));
    const { traceID: _, ...answer } = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>;
    return { http: statusCode, ...answer };
  };
  const statuses = new Map<number, number>();
  const asked = fc.tuple(validQuery(snapshot.names, subjects), codings, fc.constantFrom("", pinned));
  const property = fc.asyncProperty(asked, async ([query, coding, prefix]) => {
    const [theirs, ours] = await Promise.all([
      ask(upstream + query, "identity"),
      ask(served.url + prefix + query, coding),
    ]);
    statuses.set(theirs.http, (statuses.get(theirs.http) ?? 0) + 1);
    expect(ours, prefix + query).toEqual(theirs);
  });
  try {
    await fc.assert(property, { numRuns: RUNS, seed: SEED });
    expect([...statuses]).toEqual([[200, RUNS]]);
    expect(used).toEqual(new Set(Object.keys(DECODE)));
  } finally {
    snapshot.close();
    await dispatcher.close();
  }
  expect(await served.stop()).toMatchObject({ code: 0, stderr: "" });
});

test("a list in another order needs no other list; a filter needs the one that has its fields", async () => {
  using folder = temporaryFolder();
  await publishDays(folder.path, [0], "--endpoints", "academy-heroes,positions", "--without", "positions");
  await using mirror = await startMirror(fileOf(folder.path));
  const ask = async (query: string) => {
    const response = await fetch(`${mirror.url}/api/academy/heroes?${query}`);
    const { data } = (await response.json()) as { data?: { records: { data: { hero_id: number } }[] } };
    return data?.records.map((record) => record.data.hero_id) ?? response.status;
  };
  expect(await ask("order=desc")).toEqual([3, 2, 1]);
  expect(await ask("order=asc")).toEqual([1, 2, 3]);
  expect(await ask("role=tank")).toBe(503);
});
