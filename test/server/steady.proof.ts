import fc from "fast-check";
import pLimit from "p-limit";
import { Agent, request } from "undici";
import { expect, test } from "vitest";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { validQuery } from "../helpers/queries.ts";
import { SEED } from "../helpers/random.ts";
import { startServe } from "../helpers/served.ts";
import { world } from "../helpers/world.ts";

/** A quarter of an hour of a busy mirror, twenty requests a second. */
const REQUESTS = 18_000;
const FORMS = ["identity", "br", "gzip", "zstd"];
/** Asked again and again among queries that are not: documents, lists, errors, what no route takes. */
const COMMON = ["/api/", "/api/openapi.json", "/api/heroes", "/api/heroes/0", "/api/nothing", "/health", "/snapshots/"];

test("mixed requests of every kind are answered, and leave nothing open", async () => {
  const snapshot = openSnapshot(world.snapshot);
  const { version } = snapshot.head;
  const queries = fc
    .sample(validQuery(snapshot.names, ["1000001"]), { numRuns: 3000, seed: SEED })
    .filter((path) => !path.includes("ratings/"));
  snapshot.close();
  await using served = await startServe(["--data", world.data]);
  const dispatcher = new Agent({ connections: 16 });
  const limit = pLimit(16);

  const ask = async (n: number) => {
    const query = n % 10 === 0 ? COMMON[(n / 10) % COMMON.length] : queries[(n * 7) % queries.length];
    const path = n % 7 === 0 && query?.startsWith("/api") ? `/snapshots/${version}${query}` : query;
    const headers = { "accept-encoding": FORMS[n % FORMS.length] ?? "", ...(n % 11 === 0 && { "if-none-match": "*" }) };
    const method = n % 13 === 0 ? "HEAD" : "GET";
    const { statusCode, body } = await request(served.url + path, { method, headers, dispatcher });
    await body.dump();
    expect(statusCode, path).toBeLessThan(500);
  };
  await limit.map(
    Array.from({ length: REQUESTS }, (_, at) => at),
    ask,
  );
  await dispatcher.close();
  const metrics = await (await fetch(`${served.url}/metrics`)).text();
  expect(metrics).toMatch(/^metasnap_http_requests_in_flight 1$/m);
  expect(await served.stop()).toMatchObject({ code: 0, stderr: "" });
});
