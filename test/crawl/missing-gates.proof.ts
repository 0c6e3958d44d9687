import { test } from "vitest";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";

const SIX = "heroes,rank,relations,stats,trends,counters";
const HALF = [trouble("relations,stats,trends", "detail")];
const NO_RECORDS = [trouble("rank,relations,stats,trends,ratings,rating,versions", "empty")];
const HALF_CLOSED = ["stats, trends, relations: 404"];
const ONE = [trouble("relations", "status 500", { hero: 3 })];
const OUTAGE =
  "an outage of the upstream: 3 of 6 endpoints gave nothing (stats, trends, relations); nothing was published";

const STORIES: Record<string, Story> = {
  "v: half of the endpoints are closed for good": {
    endpoints: SIX,
    nights: [
      { ends: 0 },
      { troubles: HALF, ends: 3, closed: HALF_CLOSED, says: OUTAGE },
      { after: 0, troubles: HALF, ends: 3, closed: HALF_CLOSED, says: "publish it as it is with --max-missing 100" },
      {
        after: 0,
        troubles: HALF,
        words: ["--max-missing", "100"],
        ends: 7,
        closed: HALF_CLOSED,
        lacks: { "captured refused": 56 },
      },
      { troubles: HALF, ends: 0, closed: HALF_CLOSED, lacks: { "captured refused": 56 }, troubled: 9 },
    ],
  },
  "q: answers without records for all but the lists, in a first night": {
    nights: [
      {
        troubles: NO_RECORDS,
        ends: 3,
        closed: ["stats, trends: empty"],
        says: "49 of 73 slices are newly missing; nothing was published",
      },
    ],
  },
  "q: answers without records for all but the lists": {
    nights: [
      { ends: 0 },
      {
        troubles: NO_RECORDS,
        ends: 3,
        closed: ["days 7: empty", "stats, relations: empty", "days 1 in rank: empty"],
        says: "63 of 73 slices are newly missing; nothing was published",
      },
      { after: 0, ends: 0 },
    ],
  },
  "x: pages are refused for their size, and then a total is wrong by one": {
    heroes: 60,
    endpoints: "heroes,rank",
    words: ["--languages", "en,ja", "--ranks", "all", "--days", "1,7", "--attempts", "3"],
    nights: [
      { troubles: [trouble("heroes,rank", "size-refused 50")], ends: 0, troubled: 2 },
      { troubles: [trouble("rank", "total +1")], ends: 0 },
      { troubles: [trouble("rank", "total -1")], ends: 0 },
    ],
  },
  "y: three endpoints are dead in a first night": {
    endpoints: `${SIX},compatibility,equipment,spells,emblems,versions`,
    nights: [
      {
        troubles: [trouble("equipment,spells,emblems", "unavailable")],
        ends: 7,
        closed: ["emblems, equipment, spells: 503"],
        lacks: { "failed unavailable": 15 },
      },
      {
        troubles: [trouble("equipment,spells,emblems", "unavailable"), trouble("", "status 403", {}, { after: 150 })],
        ends: 3,
        says: "no longer answers (refused); nothing was published",
        lacks: { "failed unavailable": 15 },
      },
      { after: 0, ends: 0 },
    ],
  },
  "u: nothing may be missing, and one slice is": {
    words: ["--languages", "en,ja", "--ranks", "all", "--days", "1,7", "--attempts", "3", "--max-missing", "0"],
    nights: [
      { ends: 0 },
      { troubles: ONE, ends: 3, says: "publish it as it is with --max-missing 4" },
      {
        after: 0,
        troubles: ONE,
        ends: 3,
        says: "1 of 33 slices are missing, and at most 0 may be (relations hero=3 server-error)",
      },
      { after: 0, words: ["--max-missing", "4"], troubles: ONE, ends: 0, lacks: { "captured server-error": 1 } },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));
