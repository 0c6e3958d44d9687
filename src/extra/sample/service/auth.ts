import { randomBytes } from "node:crypto";
import { hash } from "../numbers/hash.ts";
import { parseAuthBody } from "./auth-body.ts";
import { invalid, type Reply } from "./failures.ts";

const CODE_LIFETIME_MS = 5 * 60_000;

// A failed log-in is answered with status 200 and one of these.
const WRONG_CODE_RESULT = 20010;
const EXPIRED_CODE_RESULT = 20011;

interface Mail {
  code: string;
  sentAtMs: number;
}

interface Player {
  roleid: number;
  zoneid: number;
}

export interface Auth {
  sendCode(body: string): Reply;
  login(body: string): Reply;
  logout(authorization: string | undefined): Reply;
  info(authorization: string | undefined): Reply;
  /** The code last sent, whether it still opens a session or not. */
  mail(roleId: number, zoneId: number): string | undefined;
}

export interface AuthOptions {
  seed: number;
  now: () => number;
  log: (line: string) => void;
}

function reply(status: number, code: number, msg: string, data: unknown = ""): Reply {
  return { status, body: { code, data, msg } };
}

export function createAuth({ seed, now, log }: AuthOptions): Auth {
  const mailbox = new Map<string, Mail>();
  /** Codes that are not used yet, by player. */
  const usableCodes = new Map<string, Mail>();
  /** Players by the token that clients send. */
  const sessions = new Map<string, Player>();
  let sent = 0;

  function sendCode(body: string): Reply {
    const { fields, problems } = parseAuthBody(body, false);
    if (problems.length > 0) return invalid(problems);
    const { role_id, zone_id } = fields;
    sent += 1;
    // No leading zero, so that a code survives being sent as a number.
    const code = String(100_000 + (hash(seed, role_id, zone_id, sent) % 900_000));
    const mail = { code, sentAtMs: now() };
    mailbox.set(`${role_id} ${zone_id}`, mail);
    usableCodes.set(`${role_id} ${zone_id}`, mail);
    log(`mail to ${role_id} (zone ${zone_id}): code ${code}`);
    return reply(200, 0, "ok");
  }

  function login(body: string): Reply {
    const { fields, problems } = parseAuthBody(body, true);
    if (problems.length > 0) return invalid(problems);
    const player = `${fields.role_id} ${fields.zone_id}`;
    const mail = usableCodes.get(player);
    if (mail?.code !== fields.vc) return reply(200, WRONG_CODE_RESULT, "wrong verification code");
    usableCodes.delete(player);
    if (now() - mail.sentAtMs >= CODE_LIFETIME_MS) return reply(200, EXPIRED_CODE_RESULT, "verification code expired");
    const session = { roleid: fields.role_id, zoneid: fields.zone_id };
    const jwt = randomBytes(24).toString("base64url");
    sessions.set(jwt, session);
    const time = Math.floor(now() / 1000);
    const token = randomBytes(16).toString("hex");
    const empty = { module: "mlbb", name: "", email: "", mobile: "", open_id: "" };
    return reply(200, 0, "ok", { jwt, token, ...session, time, ...empty });
  }

  const tokenOf = (authorization = "") => /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";

  const unauthorized = () => reply(401, 401, "invalid or missing token");

  const logout = (authorization: string | undefined): Reply =>
    sessions.delete(tokenOf(authorization)) ? reply(200, 0, "ok") : unauthorized();

  function info(authorization: string | undefined): Reply {
    const player = sessions.get(tokenOf(authorization));
    return player ? reply(200, 0, "ok", { ...player, name: `Player ${player.roleid}`, level: 30 }) : unauthorized();
  }

  return { sendCode, login, logout, info, mail: (roleId, zoneId) => mailbox.get(`${roleId} ${zoneId}`)?.code };
}
