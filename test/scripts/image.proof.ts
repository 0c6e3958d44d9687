/** The entrypoint of the image, with what it is started for: `image.test.ts` starts it with words. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { layOut, stagesOf, startLaid, wordsOf } from "../helpers/dockerfile.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const image = stagesOf(read("Dockerfile")).at(-1) ?? [];
const entrypoint = wordsOf(image, "ENTRYPOINT");
const { services } = parse(read("scripts/deploy/compose.yaml"), { merge: true });

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const laid = layOut(image, { root: ROOT, rules: read(".dockerignore") }, folder.path);
const start = (words: string[], env: Record<string, string>) => startLaid(laid, words, env);

test("serves if there are none, and ends in order if it is told to", async () => {
  const env = { METASNAP_DATA: world.data, METASNAP_PORT: "0" };
  const { child, ended } = start([...entrypoint, ...wordsOf(image, "CMD")], env);
  const [greeting] = await once(createInterface(child.stdout), "line");
  const [, port] = / on http:\/\/0\.0\.0\.0:(\d+), /.exec(greeting) ?? [];
  expect((await fetch(`http://127.0.0.1:${port}/api/heroes`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual({ stderr: "", end: [0, null] });
});

test("crawls at night as compose.yaml says, and ends in order if it is told to", async () => {
  await using sample = await startSample({ heroes: 1 });
  const env = {
    METASNAP_DATA: join(folder.path, "data"),
    METASNAP_CRAWL_UPSTREAM: sample.url,
    METASNAP_ENDPOINTS: "heroes",
    METASNAP_CRAWL_LANGUAGES: "en",
    METASNAP_CRAWL_RATE: "5000",
  };
  const { entrypoint: night, command } = services.crawl;
  const { child, ended } = start([...night, ...command], env);
  const said = text(child.stdout);
  await expect.poll(() => existsSync(join(env.METASNAP_DATA, ".night"))).toBe(true);
  child.kill("SIGTERM");
  expect(await ended).toEqual({ stderr: "", end: [0, null] });
  expect(await said).toContain('"event":"published",');
});
