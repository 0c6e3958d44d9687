import { describe, expect, test } from "vitest";
import type { Reason } from "../../src/api/faults.ts";
import { createHosts } from "../../src/crawl/upstream/hosts.ts";
import type { TransportError, Upstream, UpstreamResponse } from "../../src/crawl/upstream/upstream.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { trouble } from "../helpers/missing-stories.ts";
import { crawlOptions, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const FIRST = "https://first.example";
const SECOND = "https://second.example";
const MINUTE_MS = 60_000;

/** Two hosts that nobody asks, and a clock. */
function open() {
  let now = 0;
  const told: unknown[] = [];
  const upstreams = [FIRST, SECOND].map((host) => ({ host, close: async () => {} }) as unknown as Upstream);
  const hosts = createHosts(
    upstreams,
    (event, more) => void told.push([event, (more as { why?: string }).why]),
    () => now,
  );
  const reply = (status: number, headers = {}, body: object = {}) =>
    ({ host: hosts.active().host, status, headers, body: Buffer.from(JSON.stringify(body)) }) as UpstreamResponse;
  const broken = () => ({ host: hosts.active().host, error: "reset" }) as unknown as TransportError;
  return {
    hosts,
    told,
    reply,
    fail: (reason: Reason, ...datasets: string[]) =>
      datasets.map((dataset) => hosts.recordFailure(reason === "unreachable" ? broken() : reply(500), reason, dataset)),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe("the run goes to the next host", () => {
  test.for<[what: string, reason: Reason, datasets: string[], moves: boolean]>([
    ["after four failures of different endpoints", "server-error", ["stats", "stats", "stats", "rank"], true],
    [
      "after four failures of the connection, be they of one endpoint",
      "unreachable",
      ["stats", "stats", "stats", "stats"],
      true,
    ],
    ["never for one endpoint that fails", "server-error", Array<string>(40).fill("stats"), false],
    ["not after three failures", "server-error", ["stats", "rank", "hero"], false],
    ["never for what is refused", "refused", ["stats", "rank", "hero", "heroes", "lane"], false],
  ])("%s", ([, reason, datasets, moves]) => {
    const { hosts, fail } = open();
    expect(fail(reason, ...datasets).includes(true)).toBe(moves);
    expect(hosts.active().host).toBe(moves ? SECOND : FIRST);
  });

  test("only if nothing is answered in between", () => {
    const { hosts, fail } = open();
    fail("server-error", "stats", "rank", "hero");
    hosts.recordSuccess(FIRST);
    expect(fail("server-error", "stats", "rank", "hero")).toEqual([false, false, false]);
    expect(hosts.active().host).toBe(FIRST);
  });
});

test("the first host is looked at every five minutes, until the run comes back to it", () => {
  const { hosts, fail, pass, told } = open();
  fail("unreachable", "stats", "rank", "hero", "heroes");
  expect(hosts.toLookBackAt()).toBeUndefined();
  for (let look = 0; look < 2; look += 1) {
    pass(5 * MINUTE_MS - 1);
    expect(hosts.toLookBackAt()).toBeUndefined();
    pass(1);
    expect(hosts.toLookBackAt()?.host).toBe(FIRST);
  }
  hosts.comeBack();
  expect([hosts.active().host, hosts.toLookBackAt()]).toEqual([FIRST, undefined]);
  expect(told).toEqual([
    ["failover", "unreachable"],
    ["failover", "it is back"],
  ]);
});

describe("an answer sends one request to a host", () => {
  const named = (status: number, headers: object, body?: object) => {
    const { hosts, reply } = open();
    return hosts.namedBy(reply(status, headers, body))?.upstream.host;
  };

  test.for<[what: string, status: number, headers: object, body: object, host: string | undefined]>([
    ["by a redirect", 307, { location: `${SECOND}/api/heroes` }, {}, SECOND],
    ["by a 503 that names it", 503, {}, { details: { alternative_endpoint: `${SECOND}/api` } }, SECOND],
    ["if it is configured", 307, { location: "https://third.example/api/heroes" }, {}, undefined],
    ["whose name is all of the host's", 307, { location: `${SECOND}.evil.example/api` }, {}, undefined],
    ["that it does not come from", 307, { location: `${FIRST}/api/heroes` }, {}, undefined],
  ])("%s", ([, status, headers, body, host]) => {
    expect(named(status, headers, body)).toBe(host);
  });
});

test("a host that has moved for good ends the run with 64, and the line names the new one", async () => {
  using folder = temporaryFolder();
  await using other = await startSample({ heroes: 3 });
  await using sample = await startSample({ heroes: 3, troubles: [trouble("", `moved ${other.url}`)] });
  const { code, stderr } = await runCommand("crawl", [...crawlOptions(sample.url, folder.path), ...LITTLE]);
  expect([code, stderr]).toEqual([
    64,
    `${sample.url}: has moved to ${other.url}; nothing was published; ask there: --upstream ${other.url}\n`,
  ]);
  expect(other.asked({})).toEqual([]);
});

test("a failure of the host that a redirect names is one of its slice", async () => {
  using folder = temporaryFolder();
  const isMeant = (path = "") => path.includes("/heroes/2/relations");
  await using second = await startUpstream(4, (req, res) => {
    if (isMeant(req.url)) res.writeHead(500).end();
    return isMeant(req.url);
  });
  await using first = await startUpstream(4, (req, res) => {
    if (isMeant(req.url)) res.writeHead(307, { location: second.url + req.url }).end();
    return isMeant(req.url);
  });
  const words = [...crawlOptions(first.url, folder.path), "--upstream", second.url, ...LITTLE, "--attempts", "1"];
  await runCommand("crawl", [...words, "--endpoints", "relations,stats"]);
  expect([first, second].map(({ asked }) => asked.filter(isMeant).length)).toEqual([1, 1]);
});
