import { RANK_STEPS, rankStepRecord } from "../records/rank-steps.ts";
import { rating, ratingList } from "../records/ratings.ts";
import { type Data, PAGING } from "./endpoints.ts";
import { badRequest, invalid, notFound, type Reply } from "./failures.ts";
import type { ParameterName, Query } from "./query.ts";

/** An endpoint that does not answer with a page of records, or whose path parameter is not a hero. */
export interface OtherEndpoint {
  path: string;
  summary: string;
  parameters: readonly ParameterName[];
  /** `pathValue` is the value of the path parameter, "" if the path has none. */
  reply: (data: Data, query: Query, pathValue: string) => Reply;
}

const LANG_ONLY = PAGING.filter((name) => name === "lang");

const ratingsReply = (data: object): Reply => ({
  status: 200,
  body: { code: 0, message: "Success", traceID: "5eddcf24147754aadd27438d7634f630", data },
});

/** Integers that the service accepts in a path; `undefined` for anything else. */
function parseRankId(text: string): number | undefined {
  const value = /^\s*\+?\d+\s*$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 9999 ? value : undefined;
}

function calculate(query: Query): Reply {
  const { "match-now": match_now, "wr-now": wr_now, "wr-future": wr_future } = query;
  if (wr_future <= wr_now || wr_future === 100) return badRequest(`wr-now=${wr_now}, wr-future=${wr_future}`);
  const required_no_lose_matches = Math.ceil((match_now * (wr_future - wr_now)) / (100 - wr_future));
  const percent = Number.isInteger(wr_future) ? wr_future.toFixed(1) : wr_future;
  const message = `To achieve a win rate of ${percent}%, you need ${required_no_lose_matches} consecutive wins without any losses.`;
  return { status: 200, body: { status: "success", match_now, wr_now, wr_future, required_no_lose_matches, message } };
}

export const OTHER_ENDPOINTS: readonly OtherEndpoint[] = [
  {
    path: "/api/academy/ranks/{rank_id}",
    summary: "One rank",
    parameters: LANG_ONLY,
    reply(_, { lang }, pathValue) {
      const id = parseRankId(pathValue);
      const problem = {
        name: "rank_id",
        in: "path" as const,
        received: pathValue,
        allowed: "an integer from 1 to 9999",
      };
      if (id === undefined) return invalid([problem]);
      const steps = RANK_STEPS.filter(({ start, end }) => start <= id && id <= end);
      const records = steps.map((step) => rankStepRecord(step, lang));
      return { status: 200, body: { code: 0, message: "OK", data: { records, total: records.length } } };
    },
  },
  {
    path: "/api/academy/heroes/ratings",
    summary: "Votes",
    parameters: LANG_ONLY,
    reply: ({ world }, { lang }) => ratingsReply(ratingList(world, lang)),
  },
  {
    path: "/api/academy/heroes/ratings/{subject}",
    summary: "One vote",
    parameters: LANG_ONLY,
    reply({ world }, { lang }, pathValue) {
      const problem = { name: "subject", in: "path" as const, received: pathValue, allowed: "7 characters" };
      if (pathValue.length !== 7) return invalid([problem]);
      const vote = rating(world, pathValue, lang);
      return vote
        ? ratingsReply(vote)
        : notFound(`subject ${pathValue}`, "GET /api/academy/heroes/ratings lists them.");
    },
  },
  {
    path: "/api/addon/win-rate-calculator",
    summary: "Win rate calculator",
    parameters: ["match-now", "wr-now", "wr-future"],
    reply: (_, query) => calculate(query),
  },
];
