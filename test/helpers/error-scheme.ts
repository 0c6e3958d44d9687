import { expect } from "vitest";
import { ERRORS, type ErrorCode, type InvalidField } from "../../src/api/errors.ts";

interface ErrorBody {
  success: boolean;
  error: { code: ErrorCode; message: string; hint: string; detail: string; fields: InvalidField[] };
}

/** Words of the inside. */
export const INSIDE = /node_modules|\.ts\b|at \w+ \(|sqlite|\/tmp\//i;

/** The one scheme, with the status of its code and without a word of the inside: another list of them where a request has such words. */
export function expectScheme(status: number, text: string, inside = INSIDE): ErrorBody["error"] {
  const body = JSON.parse(text) as ErrorBody;
  expect(Object.keys(body)).toEqual(["success", "error"]);
  expect(body.success).toBe(false);
  expect(Object.keys(body.error)).toEqual(["code", "message", "hint", "detail", "fields"]);
  expect(status).toBe(ERRORS[body.error.code].status);
  for (const key of ["message", "hint", "detail"] as const) expect(body.error[key]).toMatch(/./s);
  expect(body.error.fields.length).toBeLessThanOrEqual(20);
  expect(text).not.toMatch(inside);
  return body.error;
}
