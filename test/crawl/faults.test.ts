import { describe, expect, test } from "vitest";
import { FAULTS, reasonOfError, reasonOfStatus } from "../../src/api/faults.ts";
import { MISBEHAVIOURS } from "../helpers/misbehaviours/table.ts";

describe("the table of faults", () => {
  const shown = new Set<string>(Object.values(MISBEHAVIOURS).flatMap(({ reasons }) => reasons));

  // What is older than a night before takes two nights (doubts.test.ts).
  test.for(Object.keys(FAULTS).filter((reason) => reason !== "older"))(
    "an upstream of the tests shows %s",
    (reason) => {
      expect(shown).toContain(reason);
    },
  );

  test.for([
    [429, false, "rate-limited"],
    [405, true, "blocked"],
    [403, true, "blocked"],
    [405, false, "rejected"],
    [403, false, "rejected"],
    [503, true, "unavailable"],
    [500, false, "server-error"],
    [599, true, "server-error"],
    [408, false, "server-error"],
    [300, false, "redirected"],
    [399, true, "redirected"],
    [204, false, "rejected"],
    [404, true, "rejected"],
  ] as const)("status %d with a page: %s is %s", ([status, html, reason]) => {
    expect(reasonOfStatus(status, html)).toBe(reason);
  });

  test.for([
    ["TimeoutError", undefined, "timeout"],
    ["HeadersTimeoutError", "UND_ERR_HEADERS_TIMEOUT", "timeout"],
    ["ConnectTimeoutError", "UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["RangeError", undefined, "oversized"],
    ["RangeError", "ERR_BUFFER_TOO_LARGE", "oversized"],
    ["HTTPParserError", "HPE_INVALID_CONSTANT", "not-http"],
    ["HeadersOverflowError", "UND_ERR_HEADERS_OVERFLOW", "not-http"],
    ["Error", "Z_DATA_ERROR", "not-json"],
    ["TypeError", "ERR__ERROR_FORMAT_PADDING_1", "not-json"],
    ["Error", "ZSTD_error_prefix_unknown", "not-json"],
    ["Error", "ECONNREFUSED", "unreachable"],
    ["SocketError", "UND_ERR_SOCKET", "unreachable"],
    ["Error", undefined, "unreachable"],
  ] as const)("a transport error %s %s is %s", ([name, code, reason]) => {
    expect(reasonOfError({ name, message: "", ...(code && { code }) })).toBe(reason);
  });
});
