import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { FORMS, type Form } from "../../src/extra/sample/troubles/forms.ts";
import { wrapPictures } from "../../src/extra/sample/troubles/pictures.ts";
import { ask, askHeroIds, askPage, upTo } from "../helpers/ask-sample.ts";

/** Small inputs in the form that real services use; texts and values are invented. */
const readCase = (name: string) =>
  readFileSync(join(import.meta.dirname, "..", "helpers/captures/cases", name), "utf8").trim();

const NOW = Date.UTC(2026, 10, 1);

/** A sample of twelve heroes that has this trouble everywhere. */
const startTroubled = (...forms: Form[]) =>
  startSample({ heroes: 12, now: () => NOW, troubles: forms.map((form) => ({ of: {}, form })) });

async function askTroubled(form: Form, path = "/api/heroes?size=200") {
  await using sample = await startTroubled(form);
  return await ask(sample, path);
}

const CLOSED = "the game-data service has switched this off";
const REQUEST_ID = expect.stringMatching(/^the game-data service has switched this off \(req-[\da-f]{1,8}\)$/);
const error = (code: string, message: string) => ({
  status: "error",
  code,
  message,
  timestamp: "2026-11-01T00:00:00.000Z",
  support: { status: "available" },
  details: {},
});

describe("a form of trouble", () => {
  const replies: [form: Form, status: number, body: object][] = [
    ["code", 200, { code: 10407, message: CLOSED }],
    ["text-code", 200, { code: "FUNCTION_CLOSED", message: CLOSED }],
    ["error-code", 200, { success: false, error: { code: "FEATURE_DISABLED", message: CLOSED } }],
    ["request-id", 200, { code: 10407, message: REQUEST_ID }],
    ["changing-code", 200, { code: expect.toSatisfy((code) => code >= 10_000 && code < 100_000), message: CLOSED }],
    ["detail", 404, { detail: "Not Found" }],
    ["problem", 410, { title: "Gone", status: 410, detail: CLOSED }],
    ["status 403", 403, error("UPSTREAM_REQUEST_FAILED", CLOSED)],
    ["status 501", 501, error("UPSTREAM_REQUEST_FAILED", CLOSED)],
    ["status 422", 422, error("VALIDATION_ERROR", "this value is not allowed")],
    ["status 502", 502, error("INTERNAL_SERVER_ERROR", "something went wrong")],
    ["not-configured", 503, error("NOT_CONFIGURED", "This deployment lacks the key for this endpoint.")],
    ["unavailable", 503, { detail: "Service Unavailable" }],
    ["rate-limited", 429, { detail: "Too Many Requests" }],
    ["empty", 200, { code: 0, message: "OK", data: { records: [], total: 0, list: [] } }],
    ["other-shape", 200, { code: 0, message: "OK", data: { items: [], count: 0 } }],
  ];
  test.for(replies)("%s is sent in the place of the answer", async ([form, status, body]) => {
    const answer = await askTroubled(form);
    expect([answer.status, answer.body]).toEqual([status, body]);
    const type = form === "problem" ? "application/problem+json" : "application/json";
    expect(answer.headers.get("content-type")).toBe(type);
  });

  const pages: [form: Form, status: number, text: string, headers: Record<string, string>][] = [
    ["too-many", 429, readCase("too-many.txt"), { "retry-after": "3", "content-type": "text/plain; charset=UTF-8" }],
    ["over-limit", 503, readCase("worker-over-limit.txt"), { "retry-after": "120" }],
    ["refused-client", 403, readCase("refused-client.txt"), { "content-type": "text/plain; charset=UTF-8" }],
    [
      "challenge",
      403,
      readCase("challenge.html"),
      { "cf-mitigated": "challenge", "content-type": "text/html; charset=UTF-8" },
    ],
    [
      "html-404",
      404,
      expect.stringContaining("<h1>404 Not Found</h1>"),
      { "content-type": "text/html; charset=UTF-8" },
    ],
    ["html-405", 405, expect.stringContaining("<h1>405 Not Allowed</h1>"), {}],
  ];
  test.for(pages)("%s is no JSON", async ([form, status, text, headers]) => {
    const answer = await askTroubled(form);
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  });

  test("is worded as in the cases that were seen", async () => {
    const { timestamp, ...seen } = JSON.parse(readCase("not-configured.json"));
    expect((await askTroubled("not-configured")).body).toMatchObject(seen);
    expect((await askTroubled("size-refused 50")).body).toEqual(JSON.parse(readCase("size-too-large.json")));
  });

  test.for([
    ["backup http://b.example", 307, { "x-rone-fallback": "status-502", "cache-control": "no-store" }],
    ["moved http://b.example/", 301, {}],
  ] as const)("%s leads to the same path there", async ([form, status, headers]) => {
    const answer = await askTroubled(form);
    expect([answer.status, answer.text]).toEqual([status, ""]);
    const location = "http://b.example/api/heroes?size=200";
    expect(Object.fromEntries(answer.headers)).toMatchObject({ location, ...headers });
  });

  test("changes with each request if it says so, and is the same again for the same seed", async () => {
    const asked = async (form: Form) => {
      await using sample = await startTroubled(form);
      return [(await ask(sample, "/api/heroes")).text, (await ask(sample, "/api/heroes")).text];
    };
    for (const form of ["request-id", "changing-code"] as const) {
      const texts = await asked(form);
      expect(new Set(texts).size).toBe(2);
      expect(await asked(form)).toEqual(texts);
    }
  });

  test("breaks the connection, or says nothing until the client goes", async () => {
    await expect(askTroubled("reset")).rejects.toThrow("fetch failed");
    await using sample = await startTroubled("silence");
    const client = new AbortController();
    const answer = fetch(`${sample.url}/api/heroes`, { signal: client.signal });
    await expect.poll(() => sample.log.length).toBe(1);
    client.abort();
    await expect(answer).rejects.toThrow("aborted");
  });

  test("refuses a size above its bound, and no other", async () => {
    await using sample = await startTroubled("size-refused 5");
    expect((await ask(sample, "/api/heroes?size=6")).status).toBe(422);
    expect(await askHeroIds(sample, "/api/heroes?size=5&index=2")).toEqual([7, 6, 5, 4, 3]);
  });

  test("cuts pages, which follow each other all the same", async () => {
    await using sample = await startTroubled("size-cut 5");
    const pages = upTo(4).map((index) => askPage(sample, `/api/heroes?size=200&index=${index}`));
    const answers = await Promise.all(pages);
    expect(answers.map(({ records }) => records.length)).toEqual([5, 5, 2, 0]);
    expect(new Set(answers.flatMap(({ records }) => records.map(({ data }) => data.hero_id))).size).toBe(12);
    expect(await askHeroIds(sample, "/api/heroes?size=3&index=4")).toEqual([3, 2, 1]);
  });

  test.for([
    ["total +1", 13],
    ["total -2", 10],
  ] as const)("%s is a wrong total, with all the records", async ([form, total]) => {
    await using sample = await startTroubled(form);
    const page = await askPage(sample, "/api/heroes?size=200");
    expect([page.total, page.records.length]).toEqual([total, 12]);
    expect((await ask(sample, "/api/academy/heroes/ratings")).body.data.total).toBe(2);
  });

  test.for([
    ["stranger", "unknown-hero.rank-record.json"],
    ["bare-stranger", "unknown-hero.rank-record-bare.json"],
  ] as const)("%s is the last in the rank lists, and nowhere else", async ([form, file]) => {
    await using sample = await startTroubled(form);
    const record = JSON.parse(readCase(file));
    const whole = await askPage(sample, "/api/heroes/rank?size=200&rank=glory");
    expect([whole.total, whole.records.length, whole.records.at(-1)]).toEqual([13, 13, record]);
    for (const size of [5, 6, 13]) {
      const count = Math.ceil(13 / size) + 1;
      const pages = upTo(count).map((index) => askPage(sample, `/api/heroes/rank?size=${size}&index=${index}`));
      const answers = await Promise.all(pages);
      const records = answers.flatMap(({ records }) => records);
      expect([answers.at(-1)?.records, records.length, records.at(-1)]).toEqual([[], 13, record]);
    }
    expect((await askPage(sample, "/api/heroes?size=200")).total).toBe(12);
  });

  test("renames a field, however deep it is", async () => {
    const { text } = await askTroubled("renamed smallmap");
    expect([text.includes('"smallmap"'), text.match(/"smallmap_2":"http/g)?.length]).toEqual([false, 12]);
  });

  test("marks an endpoint in the document, and leaves its answers as they are", async () => {
    const of = { endpoint: ["/api/academy/spells", "/api/academy/heroes/ratings/{subject}"] };
    await using sample = await startSample({ heroes: 1, troubles: [{ of, form: "deprecated", from: 2 }] });
    const deprecated = async () => {
      const { body } = await ask(sample, "/api/openapi.json");
      return Object.keys(body.paths).filter((path) => body.paths[path].get?.deprecated);
    };
    expect(await deprecated()).toEqual([]);
    sample.set({ day: 2 });
    expect((await deprecated()).sort()).toEqual(of.endpoint.toSorted());
    expect((await askPage(sample, "/api/academy/spells")).total).toBe(12);
  });

  test("says what it is", () => {
    for (const { says } of Object.values(FORMS)) expect(says).toMatch(/^\S.*[^.\s]$/);
  });
});

describe("pictures behind a proxy", () => {
  test("have its address, and nothing else has", async () => {
    await using sample = await startSample({ heroes: 12 });
    const lists = ["heroes", "heroes/positions", "heroes/rank", "academy/heroes", "academy/heroes/catalog"];
    const academy = ["academy/roles", "academy/equipment/expanded", "academy/spells", "academy/emblems"];
    const votes = ["academy/ranks", "academy/heroes/ratings", "academy/heroes/ratings/3275335"];
    const own = ["heroes/2", "heroes/2/skill-combos", "heroes/2/counters?days=7", "academy/heroes/2/stats"];
    const paths = [...lists, ...academy, ...votes, ...own, "academy/heroes/1/lane"].map((path) => `/api/${path}`);
    const texts = () => Promise.all(paths.map(async (path) => (await ask(sample, path)).text));
    const plain = await texts();
    sample.set({ troubles: [{ of: {}, form: "wsrv" }] });
    const wrapped = await texts();
    for (const [place, text] of wrapped.entries()) {
      const addresses = [...text.matchAll(/"(http[^"]+)"/g)].map(([, address = ""]) => address);
      expect(addresses.length, paths[place]).toBeGreaterThan(0);
      for (const address of addresses) expect(address).toMatch(/^https:\/\/wsrv\.nl\/\?url=https%3A%2F%2F[\w%.-]+$/);
      const unwrapped = text.replaceAll(/https:\/\/wsrv\.nl\/\?url=([^"]+)/g, (_, url) => decodeURIComponent(url));
      expect(unwrapped).toBe(plain[place]);
    }
    sample.set({ troubles: [] });
    expect(await texts()).toEqual(plain);
  });

  test.for([
    ["https://a.example/b.PNG", "https://wsrv.nl/?url=https%3A%2F%2Fa.example%2Fb.PNG"],
    ["https://a.example/b c.png", undefined],
    ["https://a.example/b.ico", undefined],
    ["https://a.example/png", undefined],
    ["b.png", undefined],
    ["https://wsrv.nl/?url=https%3A%2F%2Fa.example%2Fb.png", undefined],
    [7, undefined],
  ] as const)("have it once, if %s is the address of one", ([value, wrapped = value]) => {
    expect(wrapPictures([{ value }])).toEqual([{ value: wrapped }]);
  });
});
