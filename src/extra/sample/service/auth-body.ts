import type { Problem } from "./failures.ts";

const DIGITS = /^\s*\d+\s*$/;

export interface AuthBody {
  role_id: number;
  zone_id: number;
  vc: string;
}

function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** A number from a JSON number or a numeric string; `undefined` for anything else. */
function toInteger(value: unknown): number | undefined {
  const number = typeof value === "string" && DIGITS.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}

/** A code may come as a number; one that is not six digits is a wrong code, not a malformed body. */
function toCode(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number"
    ? String(value).trim()
    : undefined;
}

/** Parses the body of an auth request and lists all its problems; `wantsCode` for a log-in. */
export function parseAuthBody(body: string, wantsCode: boolean): { fields: AuthBody; problems: Problem[] } {
  const given = parseObject(body);
  const problems: Problem[] = [];
  const reject = (name: string, allowed: string) => {
    const received = JSON.stringify(given?.[name]) ?? "nothing";
    problems.push({ name, in: "body", received, allowed });
  };
  if (!given) reject("body", "a JSON object");
  const role = toInteger(given?.role_id);
  const zone = toInteger(given?.zone_id);
  const vc = toCode(given?.vc);
  if (role === undefined) reject("role_id", "a number");
  if (zone === undefined) reject("zone_id", "a number");
  if (wantsCode && vc === undefined) reject("vc", "the code sent by mail");
  return { fields: { role_id: role ?? 0, zone_id: zone ?? 0, vc: vc ?? "" }, problems };
}
