import { MAX_BODY_BYTES } from "../../src/api/request/upstream-request.ts";
import { describeDuration } from "../../src/base/words.ts";
import {
  MAX_ALL_FACTS_CHARS,
  MAX_FACTS_CHARS,
  MAX_IN_FLIGHT_BYTES,
  MAX_RECORDS,
  MAX_VALUES,
} from "../../src/crawl/upstream/limits.ts";
import { MAX_PAGES } from "../../src/journal/schema.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { headed } from "./page.ts";

const size = (bytes: number) => (bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`);

/** Describes the limits of a server, whatever clients send. */
export function describeServerLimits(): string {
  const { admissionTimeoutMs, slowReaderTimeoutMs, unsentBytes, headBytes, bodyBytes } = LIMITS;
  const overloaded = `and after ${describeDuration(admissionTimeoutMs / 1000)} get 503 \`OVERLOADED\` and \`Retry-After\``;
  return headed(
    ["resource", "limit", "beyond it"],
    [
      ["checks of earlier versions; answers on one connection", "one at a time", "they wait"],
      [
        "connections",
        String(LIMITS.connections),
        "it closes the one that keeps it waiting longest for a request or its body, else the slowest reader of an answer, else one with several open requests, else the one that has waited longest",
      ],
      [
        "heads of open requests: 4 KiB each, their bytes, and 100 bytes for each header",
        size(LIMITS.openHeadBytes),
        "as above; then 503 `OVERLOADED` and `Retry-After`",
      ],
      [
        "open requests of one connection",
        String(LIMITS.openRequests),
        "it closes after the answer to the last of them; send the others again",
      ],
      [
        "answers not yet sent",
        size(unsentBytes),
        `requests wait, ${overloaded}; readers that stop for ${describeDuration(slowReaderTimeoutMs / 1000)} are disconnected`,
      ],
      [
        "files being sent",
        String(LIMITS.unsentFileBytes / LIMITS.perFileBytes),
        `as above, but readers may stop for ${describeDuration(LIMITS.slowFileReaderTimeoutMs / 1000)}`,
      ],
      ["answers waiting for compression", "a short queue", "sent uncompressed"],
      ["request line and headers; headers", `${size(headBytes)}; ${LIMITS.headers}`, "431"],
      ["body of a login call", size(bodyBytes), "413"],
      ["any other body", "is not read", "the connection closes after the answer if it has not arrived by then"],
      ["time for a request to arrive", "`--request-timeout`", "408"],
    ],
  );
}

/** Describes the limits of an answer that a crawl accepts. */
export const describeCrawlLimits = (): string =>
  headed(
    ["what", "limit"],
    [
      ["one answer, and all pages of a slice together", size(MAX_BODY_BYTES)],
      ["values in it", `${MAX_VALUES / 1000} thousand`],
      ["records in it", String(MAX_RECORDS)],
      ["pages of a slice", String(MAX_PAGES)],
      ["memory for one slice, for all", `${size(MAX_FACTS_CHARS)}, ${size(MAX_ALL_FACTS_CHARS)}`],
      ["all answers in flight", size(MAX_IN_FLIGHT_BYTES)],
    ],
  );
