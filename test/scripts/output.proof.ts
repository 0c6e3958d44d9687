import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { publishDays } from "../helpers/mirror.ts";
import { crawlOptions, RATES, startCommand, temporaryFolder } from "../helpers/run.ts";

test("a reader that goes away does not end a night that is told in words", async () => {
  using folder = temporaryFolder();
  await using sample = await startSample({ heroes: 2 });
  const words = [...crawlOptions(sample.url, folder.path), ...RATES, "--allow-partial", "--no-json"];
  const { child, ended } = startCommand("crawl", words);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
  expect(existsSync(join(folder.path, "latest.json"))).toBe(true);
});

test("a reader that goes away does not end a server that has something to tell", async () => {
  using folder = temporaryFolder();
  const [older = "", newer = ""] = await publishDays(folder.path, [0, 1], "--endpoints", "heroes,stats");
  rollback(folder.path, older);
  const { child, ended } = startCommand("serve", ["--data", folder.path, "--port", "0"]);
  const [greeting] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const url = / on (http:\S+),/.exec(String(greeting))?.[1];
  child.stdout?.destroy();
  const served = async () => {
    const { headers, body } = await request(`${url}/api/heroes/1/stats`);
    await body.dump();
    return headers["x-snapshot-version"];
  };
  for (const version of [newer, older]) {
    rollback(folder.path, version);
    await expect.poll(served).toBe(version);
  }
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 0, stderr: "" });
});
