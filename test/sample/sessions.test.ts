import { describe, expect, onTestFinished, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { ask } from "../helpers/ask-sample.ts";

describe("a player's session", () => {
  const MINUTE = 60_000;
  const player = { role_id: 123, zone_id: 2001 };
  const failed = expect.toSatisfy((code: unknown) => typeof code === "number" && code !== 0);
  const refused = { status: 200, body: { code: failed, data: "" } };
  const unauthorized = { status: 401, body: { code: failed } };

  async function startAuth() {
    const clock = { now: Date.UTC(2026, 0, 1) };
    const lines: string[] = [];
    const sample = await startSample({ heroes: 1, now: () => clock.now, log: (line) => lines.push(line) });
    onTestFinished(sample.close);
    const post = (action: string, body: unknown) => {
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return ask(sample, `/api/user/auth/${action}`, { method: "POST", body: text });
    };
    const sendCode = async () => {
      expect(await post("send-vc", player)).toMatchObject({ status: 200, body: { code: 0, data: "", msg: "ok" } });
      return sample.mail(player.role_id, player.zone_id) ?? "";
    };
    const login = (vc: unknown, who: object = player) => post("login", { ...who, vc });
    const bearer = (authorization?: string) => (authorization ? { headers: { authorization } } : {});
    const logout = (authorization?: string) =>
      ask(sample, "/api/user/auth/logout", { method: "POST", ...bearer(authorization) });
    const info = (authorization?: string) => ask(sample, "/api/user/info", bearer(authorization));
    return { clock, lines, sample, post, sendCode, login, logout, info };
  }

  test("begins with the mailed code and ends with the log-out", async () => {
    const { clock, lines, sample, sendCode, login, logout, info } = await startAuth();
    expect(sample.mail(123, 2001)).toBeUndefined();
    const code = await sendCode();
    expect(code).toMatch(/^\d{6}$/);
    expect(lines).toEqual([`mail to 123 (zone 2001): code ${code}`]);
    const { status, body } = await login(code);
    expect([status, body.code, body.msg]).toEqual([200, 0, "ok"]);
    expect(Object.keys(body.data).sort().join()).toBe("email,jwt,mobile,module,name,open_id,roleid,time,token,zoneid");
    expect(body.data).toMatchObject({ roleid: 123, zoneid: 2001, time: clock.now / 1000 });
    const { jwt } = body.data;
    expect(await info(`bearer ${jwt}`)).toMatchObject({ status: 200, body: { code: 0, data: { roleid: 123 } } });
    expect(await logout(`BEARER ${jwt}`)).toMatchObject({ status: 200, text: '{"code":0,"data":"","msg":"ok"}' });
    expect(await info(`Bearer ${jwt}`)).toMatchObject(unauthorized);
    expect(await logout(`Bearer ${jwt}`)).toMatchObject(unauthorized);
  });

  test("ends alone: another one of the same player goes on", async () => {
    const { sendCode, login, logout, info } = await startAuth();
    const first = (await login(await sendCode())).body.data.jwt;
    const second = (await login(await sendCode())).body.data.jwt;
    expect((await logout(`Bearer ${first}`)).status).toBe(200);
    expect((await info(`Bearer ${first}`)).status).toBe(401);
    expect((await info(`Bearer ${second}`)).status).toBe(200);
  });

  test("does not begin with a wrong, used, replaced or another player's code", async () => {
    const { sendCode, login } = await startAuth();
    expect(await login("123456")).toMatchObject(refused);
    const first = await sendCode();
    const second = await sendCode();
    expect(second).not.toBe(first);
    expect(await login(first)).toMatchObject(refused);
    expect(await login("1")).toMatchObject(refused);
    expect(await login(second, { role_id: 124, zone_id: 2001 })).toMatchObject(refused);
    expect(await login(second, { role_id: 123, zone_id: 2002 })).toMatchObject(refused);
    expect((await login(second)).body.code).toBe(0);
    expect(await login(second)).toMatchObject(refused);
  });

  test("begins within five minutes and not later", async () => {
    const { clock, sendCode, login } = await startAuth();
    const inTime = await sendCode();
    clock.now += 5 * MINUTE - 1;
    expect((await login(inTime)).body.code).toBe(0);
    const late = await sendCode();
    clock.now += 5 * MINUTE;
    expect(await login(late)).toMatchObject(refused);
  });

  test("begins with numeric strings and with a number for the code as well", async () => {
    const { post, sample, login } = await startAuth();
    await post("send-vc", { role_id: "123", zone_id: "2001" });
    const { body } = await login(Number(sample.mail(123, 2001)), { role_id: 123, zone_id: "2001" });
    expect(body).toMatchObject({ code: 0, data: { roleid: 123, zoneid: 2001 } });
  });

  test.for([
    ["send-vc", "{", "body role_id zone_id"],
    ["send-vc", "[]", "body role_id zone_id"],
    ["send-vc", { role_id: 123 }, "zone_id"],
    ["send-vc", { role_id: "abc", zone_id: 1.5 }, "role_id zone_id"],
    ["login", player, "vc"],
    ["login", { ...player, vc: "" }, "vc"],
    ["login", "", "body role_id zone_id vc"],
  ] as const)("needs a well-formed body: %s %o", async ([action, body, names]) => {
    const { post } = await startAuth();
    const answer = await post(action, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.fields.map((field: { name: string }) => field.name).join(" ")).toBe(names);
  });

  test("is not opened by a missing, garbled or foreign token", async () => {
    const { sendCode, login, logout, info } = await startAuth();
    const other = await startAuth();
    const { jwt } = (await login(await sendCode())).body.data;
    const foreign = (await other.login(await other.sendCode())).body.data.jwt;
    const tokens = ["", " x", ` ${jwt}x`, ` ${jwt.slice(1)}`, ` ${foreign}`].map((token) => `Bearer${token}`);
    for (const header of [undefined, jwt, `Basic ${jwt}`, ...tokens]) {
      expect(await logout(header), header).toMatchObject(unauthorized);
      expect(await info(header), header).toMatchObject(unauthorized);
    }
    expect((await logout(`Bearer ${jwt}`)).status).toBe(200);
  });
});
