/**
 * Why an answer was not taken. Kept with every attempt, counted in the crawl report and, for slices that stayed without
 * an answer, written into `coverage`.
 */
export const REASONS = {
  unreachable: "no connection, or it broke before the answer was complete",
  "not-http": "an answer that breaks the rules of HTTP, or with headers beyond all measure",
  timeout: "no complete answer within the time limit",
  "rate-limited": "status 429",
  blocked: "status 405 or 403 with an HTML page: the firewall in front of the upstream",
  unavailable: "status 503, in maintenance or limited",
  "server-error": "another status of 500 or more",
  redirected: "a redirect; one to a configured host moves the crawl there",
  rejected: "another status than 200: the upstream refuses what was asked",
  "wrong-type": "status 200 with another content type than JSON",
  "not-json": "a body that is not JSON: cut short, damaged, or a page",
  oversized: "more bytes, values or records than any slice of the service has, or too many bytes under way",
  "error-code": "status 200 with a code other than 0",
  "wrong-envelope": "JSON without code, records or total where they belong",
  "wrong-shape": "a record without a field that it is asked, found, ordered or filtered by",
  odd: "a record that is not as documented, or an id that came twice in a page: asked for once more, and taken if it stays so",
  "wrong-subject": "a record about another hero, rank or side than was asked",
  "repeated-record": "a record that came twice, in two pages",
  "wrong-total": "another number of records than total says",
} as const;

export type Reason = keyof typeof REASONS;
