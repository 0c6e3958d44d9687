import fc from "fast-check";
import pLimit from "p-limit";
import { Agent, request } from "undici";
import { expect, inject, test } from "vitest";
import { residentMegabytes } from "../scripts/bench/process.ts";
import { openSnapshot } from "../src/snapshot/read/snapshot.ts";
import { validQuery } from "./helpers/queries.ts";
import { startServe } from "./helpers/served.ts";

/** Half an hour of a busy mirror, twenty requests a second. */
const REQUESTS = 36_000;
const ROUNDS = 6;
const FORMS = ["identity", "br", "gzip", "zstd"];
/** Asked again and again among queries that are not: documents, lists, errors, what no route takes. */
const COMMON = ["/api/", "/api/openapi.json", "/api/heroes", "/api/heroes/0", "/api/nothing", "/health", "/snapshots/"];

test("half an hour of mixed load leaves the server's memory where it was", async () => {
  const snapshot = openSnapshot(inject("snapshot"));
  const { version } = snapshot.head;
  const queries = fc.sample(validQuery(snapshot.names, ["1000001"]), 3000).filter((path) => !path.includes("ratings/"));
  snapshot.close();
  await using served = await startServe(["--data", inject("data")]);
  const dispatcher = new Agent({ connections: 16 });
  const limit = pLimit(16);
  const held: number[] = [];

  const ask = async (n: number) => {
    const query = n % 10 === 0 ? COMMON[(n / 10) % COMMON.length] : queries[(n * 7) % queries.length];
    const path = n % 7 === 0 && query?.startsWith("/api") ? `/snapshots/${version}${query}` : query;
    const headers = { "accept-encoding": FORMS[n % FORMS.length] ?? "", ...(n % 11 === 0 && { "if-none-match": "*" }) };
    const method = n % 13 === 0 ? "HEAD" : "GET";
    const { statusCode, body } = await request(served.url + path, { method, headers, dispatcher });
    await body.dump();
    expect(statusCode, path).toBeLessThan(500);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = (round * REQUESTS) / ROUNDS;
    await limit.map(
      Array.from({ length: REQUESTS / ROUNDS }, (_, at) => from + at),
      ask,
    );
    held.push(residentMegabytes(served.pid));
  }
  await dispatcher.close();
  // What is kept is full after the first rounds: caches, open files, compiled code. A page for each request that is never
  // given back would be twice this bound.
  const [early, late] = [held.slice(0, 3), held.slice(3)].map((rounds) => rounds.toSorted((a, b) => a - b)[1] ?? 0);
  expect((late ?? 0) - (early ?? 0), held.join(", ")).toBeLessThan(40);
  expect(await served.stop()).toMatchObject({ code: 0, stderr: "" });
});
