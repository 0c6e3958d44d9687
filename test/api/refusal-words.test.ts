import { expect, test } from "vitest";
import { readRefusal } from "../../src/api/refusals.ts";

test("a code that is about load is no refusal", () => {
  expect(readRefusal(200, { code: "UPSTREAM_RATE_LIMITED" })).toMatchObject({ load: true });
  expect(readRefusal(403, { error: { code: 429 } })).toMatchObject({ load: true });
  expect(readRefusal(200, { code: 10407 })).toMatchObject({ load: false, code: "10407" });
  for (const body of [{ code: 0 }, { code: "0" }, { data: {} }, null, [], "text"])
    expect(readRefusal(200, body)).toBeUndefined();
  for (const status of [402, 408, 409, 418, 429, 500, 502, 503]) expect(readRefusal(status, {})).toBeUndefined();
});

test("the words of a refusal are cut and cleaned", () => {
  const message = `\u001b[31m${"a\u0000\u202e".repeat(300)}`;
  const refusal = readRefusal(404, { message, code: "\u2028x".repeat(90) });
  expect(refusal?.message).toMatch(/^[ -~]{1,200}$/);
  expect(refusal?.code).toMatch(/^[ -~]{1,64}$/);
});
