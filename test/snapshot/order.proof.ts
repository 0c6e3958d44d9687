/** Servers that follow a source, alone and with workers, as their logs and answers have it. */
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pointerOf } from "../helpers/data-folder.ts";
import { startServe } from "../helpers/served.ts";
import { publishThree } from "../helpers/three-nights.ts";
import { startSource } from "../helpers/upstream/source.ts";

let nights: Awaited<ReturnType<typeof publishThree>>;
let versions: string[] = [];
beforeAll(async () => {
  nights = await publishThree();
  versions = nights.versions;
});
afterAll(() => nights[Symbol.dispose]());

const isFile = (path: string) => path.endsWith(".sqlite");

/** Each request on a connection of its own, so that it may reach either worker. */
async function ask(url: string, path: string) {
  const dispatcher = new Agent({ pipelining: 0 });
  const { headers, body } = await request(url + path, { dispatcher });
  const text = await body.text();
  await dispatcher.close();
  return { version: String(headers["x-snapshot-version"]), text };
}
const askMany = (url: string, path: string) => Promise.all(Array.from({ length: 12 }, () => ask(url, path)));

test("a server that follows with workers goes over, all of them, when the source is newer from the start", async () => {
  using folder = nights.until(0);
  await using source = await startSource(nights.data);
  const args = ["--data", folder.path, "--follow", source.url, "--every", "1h", "--workers", "2"];
  await using served = await startServe(args);
  await expect
    .poll(async () => new Set((await askMany(served.url, "/api/heroes")).map(({ version }) => version)), {
      timeout: 120_000,
    })
    .toEqual(new Set([versions[2]]));
  expect((await served.stop()).code).toBe(0);
});

test.for([1, 2])("a server that follows ends in order also while it fetches (%d workers)", async (workers) => {
  using folder = nights.until(0);
  await using source = await startSource(nights.data);
  const fetching = Promise.withResolvers<void>();
  source.fault = ({ path }) => {
    if (isFile(path)) fetching.resolve();
    return isFile(path);
  };
  const args = ["--data", folder.path, "--follow", source.url, "--workers", String(workers)];
  await using served = await startServe(args);
  await fetching.promise;
  expect(await served.stop()).toMatchObject({ code: 0, stderr: "" });
});

test.for([1, 2])(
  "a server that follows shows in its log, /health and /metrics how the source stands (%d workers)",
  async (workers) => {
    using folder = nights.until(1);
    using other = nights.until(0);
    await using source = await startSource(other.path);
    const args = ["--data", folder.path, "--follow", source.url, "--every", "1s", "--workers", String(workers)];
    await using served = await startServe([...args, "--frozen-after", "1h"]);
    const stand = async () => (await askMany(served.url, "/health")).map(({ text }) => JSON.parse(text).data.source);
    /** All workers, and what they tell but for the times of looks. */
    const standing = async () =>
      new Set((await stand()).map(({ looked_at, ...state }) => `${looked_at !== null} ${JSON.stringify(state)}`));
    const moved_at = new Date(pointerOf(other.path).started_at).toISOString();
    const older = { version: versions[0], sequence: 1, expires_at: null, older_than: versions[1], moved_at };
    const shown = { ...older, changed_at: null, error: null, frozen: true };
    await expect.poll(standing).toEqual(new Set([`true ${JSON.stringify(shown)}`]));
    for (const { text } of await askMany(served.url, "/metrics")) {
      expect(text).toMatch(/^metasnap_source_older 1$/m);
      expect(text).toMatch(/^metasnap_source_frozen 1$/m);
    }
    source.data = nights.data;
    await expect
      .poll(
        async () => (await stand()).map(({ changed_at, ...state }) => ({ ...state, changed: changed_at !== null })),
        {
          timeout: 120_000,
        },
      )
      .toEqual(
        Array.from({ length: 12 }, () =>
          expect.objectContaining({
            version: versions[2],
            sequence: 3,
            older_than: null,
            changed: true,
            frozen: false,
          }),
        ),
      );
    expect((await ask(served.url, "/metrics")).text).toMatch(/^metasnap_source_older 0$/m);
    const { code, stderr } = await served.stop();
    expect(code).toBe(0);
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string });
    expect(lines.find(({ event }) => event === "source-older")).toMatchObject({
      version: versions[0],
      in_hand: versions[1],
    });
    expect(lines.filter(({ event }) => event === "source-frozen")).toMatchObject([
      { version: versions[0], since: moved_at },
    ]);
  },
);
