import { test } from "vitest";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";

const MANY = "heroes,rank,relations,stats,trends,counters,compatibility,versions";
const LITTLE = ["--languages", "en,ja", "--ranks", "all,epic,glory", "--days", "1,7", "--attempts", "3"];

/** Two heroes of three, others in each table: no part of the endpoint has them in common. */
const TWO_THIRDS = ["all", "epic", "glory"].flatMap((rank, row) =>
  ["1", "7"].map((days, column) =>
    trouble("compatibility", "status 500", {
      rank,
      days,
      hero: Array.from({ length: 60 }, (_, n) => n + 1).filter((hero) => (hero + row + column) % 3 > 0),
    }),
  ),
);

const STORIES: Record<string, Story> = {
  "w: hundreds of slices fail in a row while others answer": {
    heroes: 60,
    endpoints: "heroes,rank,relations,stats,trends,compatibility,equipment,spells",
    words: LITTLE,
    nights: [
      { ends: 0 },
      {
        troubles: TWO_THIRDS,
        ends: 7,
        closed: ["compatibility: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "captured server-error": 240 },
      },
      {
        troubles: TWO_THIRDS,
        ends: 0,
        closed: ["compatibility: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "captured server-error": 240 },
        troubled: 10,
      },
      { ends: 0 },
    ],
  },
  "the upstream dies among the slices of an endpoint that is refused afterwards": {
    heroes: 16,
    endpoints: MANY,
    words: LITTLE,
    nights: [
      { ends: 0 },
      { troubles: [trouble("", "reset", {}, { after: 110 })], ends: 3, says: "answers no more (unreachable)" },
      {
        after: 0,
        troubles: [trouble("counters", "detail")],
        ends: 7,
        closed: ["counters: 404"],
        lacks: { "captured refused": 96 },
      },
      { ends: 0 },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));
