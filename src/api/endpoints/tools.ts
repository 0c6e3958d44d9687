import type { Endpoint } from "../endpoint.ts";
import { ApiError } from "../errors.ts";
import { describeAllowed, LANG, MATCH_NOW, type ParameterValues, WR_FUTURE, WR_NOW } from "../request/parameters.ts";
import { SUBJECT } from "../request/path-parameter.ts";

/** The endpoints that the service answers without pages. */
export const toolEndpoints = [
  {
    dataset: "ratings",
    path: "/api/academy/heroes/ratings",
    summary: "Votes on heroes with their leading candidates",
    parameters: [LANG],
    wrapping: "data",
    text: "all",
    record: "ratingsRecord",
    key: [],
    moving: true,
    texts: ["list[].title", "list[].desc"],
  },
  {
    dataset: "rating",
    path: "/api/academy/heroes/ratings/{subject}",
    summary: "A vote with all candidates",
    identifier: SUBJECT,
    parameters: [LANG],
    wrapping: "data",
    text: "all",
    record: "ratingRecord",
    key: [],
    identity: { subject: "subject.id" },
    moving: true,
    texts: ["subject.title", "subject.desc", "list[].title"],
  },
  {
    dataset: "win-rate-calculator",
    path: "/api/addon/win-rate-calculator",
    summary: "Number of wins in a row that are needed to reach a win rate",
    parameters: [MATCH_NOW, WR_NOW, WR_FUTURE],
    wrapping: "body",
    compute: calculateWins,
    text: "none",
    record: "calculatorAnswer",
    key: [],
  },
] as const satisfies readonly Endpoint[];

/** Computes how many matches must be won in a row to reach a win rate, and writes the numbers as the upstream does. */
function calculateWins(values: ParameterValues): string {
  const [matches, now, future] = ["match-now", "wr-now", "wr-future"].map((name) => Number(values[name])) as Triple;
  if (future <= now || future === 100) throw unreachableRate(now, future);
  // In doubles and in this order: rounding in between decides the last match. BigInt writes all digits of a large double.
  const required = BigInt(Math.ceil((matches * (future - now)) / (100 - future)));
  const message = `To achieve a win rate of ${formatDecimal(future)}%, you need ${required} consecutive wins without any losses.`;
  return `{"status":"success","match_now":${matches},"wr_now":${now},"wr_future":${future},"required_no_lose_matches":${required},"message":${JSON.stringify(message)}}`;
}

type Triple = [number, number, number];

/** Formats a number with a point as Python does: 75.0, 66.66666666666667, 1e-05. */
function formatDecimal(number: number): string {
  if (number < 1e-4) return number.toExponential().replace(/e-(\d)$/, "e-0$1");
  return Number.isInteger(number) ? `${number}.0` : String(number);
}

function unreachableRate(now: number, future: number): ApiError {
  return new ApiError("BAD_REQUEST", {
    message: "No number of wins leads to that win rate.",
    hint: "wr-future must be above wr-now and below 100.",
    detail: `wr-now=${now}, wr-future=${future}`,
    fields: [{ name: WR_FUTURE.name, in: "query", received: String(future), allowed: describeAllowed(WR_FUTURE) }],
  });
}
