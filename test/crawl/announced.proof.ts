import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import {
  announcedIn,
  crawlWithDocument,
  DOCUMENT,
  RATINGS,
  startWith,
  toldOfDocument,
  withPaths,
} from "../helpers/announced.ts";
import { crawlOptions, LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { send } from "../helpers/upstream/around.ts";

const TOLD = [{ event: "deprecated", datasets: ["ratings"] }];

describe("a document", () => {
  const large = (size: number) => JSON.stringify(withPaths(RATINGS)).padEnd(size);
  const unread: [what: string, document: RequestListener][] = [
    ["that is a page", send("<!doctype html><title>Docs</title>")],
    ["that is not there", send(withPaths(RATINGS), 404)],
    ["of a host that fails", send(withPaths(RATINGS), 500)],
    ["elsewhere", (_, res) => void res.writeHead(307, { location: "/other.json" }).end()],
    ["cut short", send(JSON.stringify(withPaths(RATINGS)).slice(0, -1))],
    ["that is no object", send([withPaths(RATINGS)])],
    ["without paths", send({ code: 10407, message: "closed" })],
    ["with paths that are none", send(withPaths([RATINGS]))],
    ["of more than 2 MB", send(large(2 * 1024 * 1024 + 1))],
    ["of endless brackets", send("[".repeat(2 * 1024 * 1024))],
    ["that breaks off", (_, res) => void res.destroy()],
    ["that never comes", () => {}],
    ["that never ends", (_, res) => void setInterval(() => res.write("{"), 100).unref()],
  ];
  test.for(unread)("%s counts as unread, and as no fault", async ([, document]) => {
    const night = await crawlWithDocument(document, "--timeout", "1");
    expect([night.told, night.announced]).toEqual([[], undefined]);
  });

  const nested = (depth: number) => `${'{"items":'.repeat(depth)}1${"}".repeat(depth)}`;
  const hostile: [what: string, text: string][] = [
    ["of 2 MB", large(2 * 1024 * 1024)],
    [
      "with a hundred thousand paths",
      JSON.stringify(
        withPaths({ ...RATINGS, ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`/api/${at}`, 0])) }),
      ),
    ],
    [
      "with deep parts",
      `{"paths":{"/api/academy/heroes/ratings":{"get":{"deprecated":true,"parameters":[{"name":"lang","in":"query","schema":${nested(100_000)}}]}}}}`,
    ],
    [
      "with long paths",
      JSON.stringify(
        withPaths({
          ...RATINGS,
          [`${"/".repeat(500_000)}x`]: {},
          ["{".repeat(500_000)]: {},
          ["{x".repeat(500_000)]: {},
        }),
      ),
    ],
    [
      "with names of its own",
      `{"__proto__":{"paths":1},"paths":{"__proto__":{"get":{"deprecated":true}},"constructor":1,"/api/academy/heroes/ratings":{"get":{"deprecated":true,"parameters":{"__proto__":[]}}}},"components":{"schemas":{"__proto__":{"enum":["x"]}},"parameters":[]}}`,
    ],
  ];
  test.for(hostile)("%s is read all the same", async ([, text]) => {
    const began = performance.now();
    expect((await crawlWithDocument(send(text))).told).toEqual(TOLD);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});

test("the document is asked for with each run until it was read, then no more until the next journal", async () => {
  using folder = temporaryFolder();
  const QUESTION = "/api/heroes/1/relations?size=200&index=1&lang=en";
  let kill = () => {};
  const answers: Record<string, RequestListener> = { [DOCUMENT]: send({}, 500), [QUESTION]: () => kill() };
  await using upstream = await startWith(answers);
  const words = [...crawlOptions(upstream.url, folder.path), ...LITTLE, "--endpoints", "relations"];
  const asked = () =>
    ["/robots.txt", "/api", DOCUMENT].map((path) => upstream.seen.filter(({ url }) => url === path).length);
  const killed = startCommand("crawl", words);
  kill = () => void killed.child.kill("SIGKILL");
  expect([(await killed.ended).signal, asked()]).toEqual(["SIGKILL", [1, 1, 1]]);
  answers[DOCUMENT] = send(withPaths(RATINGS));
  const again = startCommand("crawl", words);
  kill = () => void again.child.kill("SIGKILL");
  const ended = await again.ended;
  expect([ended.signal, toldOfDocument(ended), asked()]).toEqual(["SIGKILL", TOLD, [2, 2, 2]]);
  delete answers[QUESTION];
  const last = await runCommand("crawl", words);
  expect([last.code, toldOfDocument(last), asked()]).toEqual([0, [], [3, 3, 2]]);
  expect(announcedIn(folder.path)).toEqual({ deprecated: ["ratings"] });
  const next = await runCommand("crawl", words);
  expect([toldOfDocument(next), asked()]).toEqual([TOLD, [4, 4, 3]]);
});
