import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { ask, upTo, wordsOf } from "../helpers/ask-sample.ts";

const whole = await startSample();
afterAll(whole.close);

describe("the service", () => {
  const NOWHERE = wordsOf(`/ /api/x /api/heroes/1/x /api/heroes/1/stats/x /api/heroes//stats /api/academy/recommended
    /api/heroes%2Frank /api/heroes/layla%2Fstats /api/users /api/x/ /apix`);
  test.for(NOWHERE)("answers %s with 404 in the specification's scheme", async (path) => {
    const { status, body } = await ask(whole, path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ success: false, error: { code: "RESOURCE_NOT_FOUND", fields: [] } });
    expect(Object.keys(body.error)).toEqual(["code", "message", "hint", "detail", "fields"]);
  });

  test.for([
    "POST /api/heroes GET",
    "DELETE /api/heroes/1/stats GET",
    "OPTIONS /api/ GET",
    "GET /api/user/auth/login POST",
    "HEAD /api/heroes GET",
  ])("answers 405 with what is allowed: %s", async (line) => {
    const [method = "", path = "", allow] = wordsOf(line);
    const { status, headers, text, body } = await ask(whole, path, { method });
    expect([status, headers.get("allow")]).toEqual([405, allow]);
    if (method === "HEAD") expect(text).toBe("");
    else expect(body.error.code).toBe("METHOD_NOT_ALLOWED");
  });

  test.for([
    "/api/heroes/ /api/heroes",
    "/api/heroes/rank/?days=3 /api/heroes/rank?days=3",
    "/api/heroes/layla/stats/ /api/heroes/layla/stats",
    "/api/user/auth/login/ /api/user/auth/login",
  ])("redirects a trailing slash to the form without: %s", async (line) => {
    const [path = "", location] = wordsOf(line);
    const { status, headers } = await ask(whole, path);
    expect([status, headers.get("location")]).toEqual([307, location]);
  });

  test("lists and describes its endpoints", async () => {
    const [index, slash] = [await ask(whole, "/api"), await ask(whole, "/api/")];
    expect(slash.text).toBe(index.text);
    const { body } = await ask(whole, "/api/openapi.json");
    const paths = Object.keys(body.paths);
    expect(index.body.data.endpoints.map(({ path }: { path: string }) => path).sort()).toEqual(paths.sort());
    expect(paths.length).toBeGreaterThan(30);
    expect(body).toMatchObject({ openapi: "3.1.0", info: { version: "1.0.2" } });
    expect(body.paths["/api/heroes/{hero_identifier}/trends"].get.parameters).toContainEqual({
      name: "past-days",
      in: "query",
      schema: { type: "string", enum: ["7", "15", "30"], default: "7" },
    });
  });

  test("lets every origin read, errors included", async () => {
    const origin = "https://example.org";
    for (const path of ["/api/heroes", "/api/x"]) {
      const { headers } = await ask(whole, path, { headers: { origin } });
      expect(headers.get("access-control-allow-origin")).toBe(origin);
    }
    expect((await ask(whole, "/api/heroes")).headers.get("access-control-allow-origin")).toBeNull();
  });

  test("answers preflights", async () => {
    // By hand: fetch does not let a program write a preflight's headers.
    const lines = wordsOf("Host:x Origin:https://a.example Connection:close Access-Control-Request-Method:POST");
    const request = ["OPTIONS /api/user/auth/login HTTP/1.1", ...lines, "Access-Control-Request-Headers: content-type"];
    const reply = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(whole.port, "127.0.0.1", () => socket.end(`${request.join("\r\n")}\r\n\r\n`));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text.toLowerCase()));
    });
    expect(reply).toMatch(/^http\/1\.1 200 /);
    expect(reply).toContain("\r\naccess-control-allow-origin: https://a.example\r\n");
    expect(reply).toContain("\r\naccess-control-allow-headers: content-type\r\n");
    expect(reply).toContain("\r\naccess-control-allow-methods: get, post\r\n");
  });

  test("carries an empty trace in some answers and none in others, always the same", async () => {
    const keysOf = async (path: string) => Object.keys((await ask(whole, path)).body).join();
    const keys = await Promise.all(upTo(40).map((id) => keysOf(`/api/heroes/${id}/relations`)));
    expect(new Set(keys)).toEqual(new Set(["code,message,data", "code,message,data,traceID"]));
    expect(await keysOf("/api/heroes/1/relations?lang=ru")).toBe(keys[0]);
  });

  test("logs the requests that it had, and the slices that they were about", async () => {
    await using sample = await startSample({ heroes: 2 });
    await ask(sample, "/api/heroes?size=1");
    await ask(sample, "/api/heroes/Miya/trends?past-days=15&size=7");
    await ask(sample, "/api/heroes?lang=xx");
    await ask(sample, "/api/heroes", { method: "POST" });
    expect(sample.log.map(({ request, slice, isAnswered }) => [request, slice, isAnswered])).toEqual([
      ["GET /api/heroes?size=1", { endpoint: "/api/heroes", lang: "en" }, true],
      [
        "GET /api/heroes/Miya/trends?past-days=15&size=7",
        { endpoint: "/api/heroes/{hero_identifier}/trends", hero: "1", rank: "all", days: "15", lang: "en" },
        true,
      ],
      ["GET /api/heroes?lang=xx", undefined, false],
      ["POST /api/heroes", undefined, false],
    ]);
  });

  test("frees its port when closed, also with a connection open, and may be closed twice", async () => {
    const sample = await startSample();
    await ask(sample, "/api/");
    await sample.close();
    await sample.close();
    await expect(fetch(sample.url)).rejects.toThrow();
    await (await startSample({ port: sample.port })).close();
    await expect(startSample({ port: whole.port })).rejects.toThrow(/EADDRINUSE/);
  });
});
