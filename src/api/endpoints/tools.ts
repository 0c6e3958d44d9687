import type { Endpoint } from "../endpoint.ts";
import { calculateWins } from "../request/calculator.ts";
import { LANG, MATCH_NOW, WR_FUTURE, WR_NOW } from "../request/parameters.ts";
import { SUBJECT } from "../request/path-parameter.ts";

/** What the service answers without pages. */
export const toolEndpoints = [
  {
    dataset: "ratings",
    path: "/api/academy/heroes/ratings",
    summary: "Votes on heroes, each with its leaders",
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
    summary: "One vote with all its candidates",
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
    summary: "How many matches must be won on end to reach a win rate",
    parameters: [MATCH_NOW, WR_NOW, WR_FUTURE],
    wrapping: "body",
    compute: calculateWins,
    text: "none",
    record: "calculatorAnswer",
    key: [],
  },
] as const satisfies readonly Endpoint[];
