/** Pages and what they load, as they come over the wire. */
import { readFileSync, writeFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { request } from "undici";
import { afterAll, describe, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { changesOf } from "../../src/snapshot/published/folder.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { copyOfFirst } from "../helpers/few-nights.ts";
import { attributeOf, elementsOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startFollowing, startWithPages } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { runCommand } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
afterAll(() => mirror[Symbol.asyncDispose]());

/** As it comes over the wire. */
async function ask(path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
  const { statusCode: status, headers: given, body } = await request(mirror.url + path, { headers, method });
  return { status, headers: given, body: Buffer.from(await body.arrayBuffer()) };
}

test.for(["/favicon.ico", "/apple-touch-icon.png"])("%s is a picture", async (path) => {
  const { status, headers, body } = await ask(path);
  expect([status, headers["content-type"]]).toEqual([200, "image/png"]);
  expect(body.subarray(1, 4).toString()).toBe("PNG");
  expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([180, 180]);
});

describe("pages are cached as answers are", () => {
  test.for(["/tiers", "/", "/heroes/1"])(
    "%s has a tag, which is answered with 304, HEAD, and codings",
    async (path) => {
      const whole = await ask(path);
      expect(whole.headers["cache-control"]).toBe(
        "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
      );
      const again = await ask(path, { "if-none-match": String(whole.headers.etag) });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, whole.headers.etag]);
      expect(again.headers["content-security-policy"]).toBe(whole.headers["content-security-policy"]);
      const head = await ask(path, {}, "HEAD");
      expect([head.status, head.headers["content-length"]]).toEqual([200, String(whole.body.length)]);
      const packed = await ask(path, { "accept-encoding": "br" });
      expect(packed.headers["content-encoding"]).toBe("br");
      expect(brotliDecompressSync(packed.body).equals(whole.body)).toBe(true);
      expect(packed.headers["content-security-policy"]).toBe(whole.headers["content-security-policy"]);
    },
  );

  test("the stylesheet never changes", async () => {
    const page = await openPage(mirror, "/");
    const [link] = elementsOf(page, "link");
    const { headers, body, status } = await ask(attributeOf(link, "href") ?? "");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/css; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(body.toString()).not.toMatch(/url\(|@import/);
    // A phone gives the colour of the page to what is around it.
    const colours = elementsOf(page, "meta").filter((meta) => attributeOf(meta, "name") === "theme-color");
    expect(colours).toHaveLength(2);
    for (const meta of colours) expect(body.toString()).toContain(`--paper: ${attributeOf(meta, "content")}`);
  });

  test("and spellings of one query are one page", async () => {
    const [one, other] = await Promise.all([ask("/tiers?days=7&rank=all"), ask("/tiers?lang=en&x=1&role=")]);
    expect(one.headers.etag).toBe(other.headers.etag);
  });

  test("a method that no page answers is 405", async () => {
    const response = await fetch(`${mirror.url}/tiers`, { method: "POST" });
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(expectScheme(response.status, await response.text()).code).toBe("METHOD_NOT_ALLOWED");
    expect((await fetch(`${mirror.url}/heroes/1`, { method: "OPTIONS" })).status).toBe(204);
  });
});

test("changes are shown only as their manifest names them, and read once for all addresses", async () => {
  using folder = copyOfFirst(2);
  const file = changesOf(fileOf(folder.path));
  const honest = readFileSync(file, "utf8");
  await using nights = await startFollowing(folder.path, { pages: createPages({ pictures: false }) });
  const shown = async (query: string) => (await openPage(nights, `/changes?${query}`)).text;
  const { unreadable } = wordsIn("en").mirror.changes;
  // Each address is made anew.
  writeFileSync(file, `${honest}\n`);
  expect(await shown("")).toContain(unreadable);
  writeFileSync(file, honest);
  expect(await shown("rank=all")).not.toContain(unreadable);
  writeFileSync(file, "{}");
  expect(await shown("rank=glory")).not.toContain(unreadable);
});

test("without pages there is nothing for people, and without pictures nothing foreign", async () => {
  const off = await runCommand("serve", ["--data", world.nights.data, "--no-pages", "--get", "/"]);
  expect([off.code, off.stdout]).toEqual([1, expect.stringContaining("RESOURCE_NOT_FOUND")]);
  const on = await runCommand("serve", ["--data", world.nights.data, "--no-pictures", "--get", "/"]);
  expect(on.code).toBe(0);
  expect(on.stdout).toContain("What this mirror holds");
  expect(on.stdout).not.toContain("<img");
  await using bare = await startWithPages(world.snapshot, createPages({ pictures: false }));
  const { headers } = await fetch(`${bare.url}/`);
  expect(headers.get("content-security-policy")).toContain("img-src 'self';");
  const document = await openPage(bare, "/data");
  expect(document.text).toContain("was not published here");
});
