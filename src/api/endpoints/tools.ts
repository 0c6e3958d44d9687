import type { Endpoint } from "../endpoint.ts";
import { calculateWins } from "../request/calculator.ts";
import { LANG, MATCH_NOW, WR_FUTURE, WR_NOW } from "../request/parameters.ts";
import { SUBJECT } from "../request/path-parameter.ts";

/** What the service answers without pages. */
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
