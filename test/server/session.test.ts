import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { startMirror } from "../helpers/mirror.ts";
import { startServer } from "../helpers/server.ts";
import { world } from "../helpers/world.ts";

const whole = await startSample();
afterAll(() => whole.close());

const PLAYER = { role_id: 4242, zone_id: 2001 };

describe("the session states of the specification, through the mirror", () => {
  test("no session → active → invalidated", async () => {
    let now = Date.parse("2026-11-21T12:00:00Z");
    const sample = await startSample({ heroes: 3, now: () => now });
    try {
      await using mirror = await startMirror(world.snapshot, { upstream: sample.url });
      const post = async (name: string, body?: object, jwt?: string) => {
        const headers = { "content-type": "application/json", ...(jwt && { authorization: `Bearer ${jwt}` }) };
        const init = { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) };
        const response = await fetch(`${mirror.url}/api/user/auth/${name}`, init);
        return {
          status: response.status,
          body: (await response.json()) as { code: number; msg: string; data: unknown },
        };
      };
      const mailed = () => sample.mail(PLAYER.role_id, PLAYER.zone_id) ?? "";
      const login = (vc: string) => post("login", { ...PLAYER, vc });
      const authorized = async (jwt: string) =>
        (await fetch(`${sample.url}/api/user/info`, { headers: { authorization: `Bearer ${jwt}` } })).status === 200;

      expect((await post("send-vc", PLAYER)).body.code).toBe(0);
      const wrong = await login("000000" === mailed() ? "000001" : "000000");
      expect(wrong.status).toBe(200);
      expect(wrong.body.code).not.toBe(0);

      now += 5 * 60_000 + 1;
      expect((await login(mailed())).body.code, "an expired code").not.toBe(0);

      await post("send-vc", PLAYER);
      const code = mailed();
      const active = await login(code);
      expect(active).toMatchObject({ status: 200, body: { code: 0, msg: "ok", data: { roleid: 4242, zoneid: 2001 } } });
      const { jwt, token } = active.body.data as { jwt: string; token: string };
      expect(jwt).not.toBe("");
      expect(token).not.toBe("");
      expect(await authorized(jwt)).toBe(true);
      expect((await login(code)).body.code, "a used code").not.toBe(0);

      expect((await post("logout", undefined, jwt)).body).toEqual({ code: 0, data: "", msg: "ok" });
      expect(await authorized(jwt)).toBe(false);
      expect((await post("logout", undefined, jwt)).body.code, "a revoked token").not.toBe(0);
      expect((await post("logout")).body.code, "no token").not.toBe(0);
    } finally {
      await sample.close();
    }
  });
});

describe("the auth proxy", () => {
  test("passes bytes, allowed headers and status through in both directions, and nothing else", async () => {
    const answer = Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x7d, 0x0a]);
    const secrets = { "set-cookie": "a=b", server: "secret" };
    await using server = await startServer((_, res) =>
      res
        .writeHead(418, { "content-type": "application/odd+json", "www-authenticate": "Bearer", ...secrets })
        .end(answer),
    );
    await using mirror = await startMirror(world.snapshot, { upstream: `${server.url}/base/` });
    const body = Buffer.from([1, 2, 3, 0, 255, 13, 10]);
    const headers = {
      "content-type": "application/odd",
      authorization: "bearer x",
      cookie: "secret=1",
      "x-other": "1",
    };
    const response = await fetch(`${mirror.url}/api/user/auth/login?a=%20b`, { method: "POST", headers, body });
    expect(response.status).toBe(418);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(answer);
    expect(response.headers.get("content-type")).toBe("application/odd+json");
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("server")).toBeNull();
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({ method: "POST", url: "/base/api/user/auth/login?a=%20b", body });
    expect(server.seen[0]?.headers).toMatchObject({ "content-type": "application/odd", authorization: "bearer x" });
    expect(server.seen[0]?.headers.cookie).toBeUndefined();
    expect(server.seen[0]?.headers["x-other"]).toBeUndefined();
  });

  test("login calls are not stored by anybody", async () => {
    await using mirror = await startMirror(world.snapshot, { upstream: whole.url });
    const response = await fetch(`${mirror.url}/api/user/auth/login`, { method: "POST", body: "{}" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});
