/** Servers that follow a source, as their logs and answers have it. */
import { afterAll, expect, test } from "vitest";
import { pointerOf } from "../helpers/data-folder.ts";
import { fewNights, plainCopyOfFirst } from "../helpers/few-nights.ts";
import { startServe } from "../helpers/served.ts";
import { startSource } from "../helpers/upstream/source.ts";

const { versions } = fewNights;
const nights = plainCopyOfFirst(3);
afterAll(() => nights[Symbol.dispose]());

const isFile = (path: string) => path.endsWith(".sqlite");

const ask = (url: string, path: string) => fetch(url + path);

test("a server that follows goes over when the source is newer from the start", async () => {
  using folder = plainCopyOfFirst(1);
  await using source = await startSource(nights.path);
  await using served = await startServe(["--data", folder.path, "--follow", source.url, "--every", "1h"]);
  await expect
    .poll(async () => (await ask(served.url, "/api/heroes")).headers.get("x-snapshot-version"))
    .toEqual(versions[2]);
  expect((await served.stop()).code).toBe(0);
});

test("a server that follows looks at its source at once on SIGHUP", async () => {
  using folder = plainCopyOfFirst(1);
  using before = plainCopyOfFirst(1);
  await using source = await startSource(before.path);
  await using served = await startServe(["--data", folder.path, "--follow", source.url, "--every", "1h"]);
  const standing = async () => JSON.parse(await (await ask(served.url, "/health")).text()).data.source?.looked_at;
  await expect.poll(standing).toEqual(expect.any(String));
  source.data = nights.path;
  process.kill(served.pid, "SIGHUP");
  await expect
    .poll(async () => (await ask(served.url, "/api/heroes")).headers.get("x-snapshot-version"))
    .toEqual(versions[2]);
  expect((await served.stop()).code).toBe(0);
});

test("a server that follows ends in order also while it fetches", async () => {
  using folder = plainCopyOfFirst(1);
  await using source = await startSource(nights.path);
  const fetching = Promise.withResolvers<void>();
  source.fault = ({ path }) => {
    if (isFile(path)) fetching.resolve();
    return isFile(path);
  };
  await using served = await startServe(["--data", folder.path, "--follow", source.url]);
  await fetching.promise;
  expect(await served.stop()).toMatchObject({ code: 0, stderr: "" });
});

test("a server that follows shows in its log, /health and /metrics how the source stands", async () => {
  using folder = plainCopyOfFirst(2);
  using other = plainCopyOfFirst(1);
  await using source = await startSource(other.path);
  const args = ["--data", folder.path, "--follow", source.url, "--every", "1s"];
  await using served = await startServe([...args, "--frozen-after", "1h"]);
  const standing = async () => JSON.parse(await (await ask(served.url, "/health")).text()).data.source;
  const metrics = async () => (await ask(served.url, "/metrics")).text();
  const moved_at = new Date(pointerOf(other.path).started_at).toISOString();
  const older = { version: versions[0], sequence: 1, expires_at: null, older_than: versions[1], moved_at };
  const looked_at = expect.any(String);
  await expect.poll(standing).toEqual({ ...older, looked_at, changed_at: null, error: null, frozen: true });
  expect(await metrics()).toMatch(/^metasnap_source_older 1$/m);
  expect(await metrics()).toMatch(/^metasnap_source_frozen 1$/m);
  source.data = nights.path;
  const newer = { version: versions[2], sequence: 3, older_than: null, changed_at: expect.any(String), frozen: false };
  await expect.poll(standing).toMatchObject(newer);
  expect(await metrics()).toMatch(/^metasnap_source_older 0$/m);
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
});
