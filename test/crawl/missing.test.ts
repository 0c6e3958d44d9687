import { test } from "vitest";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";

const RENAMED_OF_ONE = [trouble("stats", "renamed main_heroid", { hero: 5 })];

/** A hero's part of an endpoint, slices without a part, and a gate; `missing-*.proof.ts` have the others. */
const STORIES: Record<string, Story> = {
  "i: a needed field is renamed in one endpoint, for one hero": {
    endpoints: "heroes,relations,stats",
    nights: [
      { ends: 0 },
      {
        troubles: RENAMED_OF_ONE,
        ends: 7,
        closed: ["hero 5 in stats: wrong-shape"],
        lacks: { "captured wrong-shape": 3 },
        troubled: 9,
      },
      {
        troubles: RENAMED_OF_ONE,
        ends: 0,
        closed: ["hero 5 in stats: wrong-shape"],
        lacks: { "captured wrong-shape": 3 },
        troubled: 3,
      },
    ],
  },
  "k: two rank lists fail": {
    endpoints: "heroes,rank,relations",
    words: ["--languages", "en,ja", "--ranks", "all,epic,legend,mythic,honor,glory", "--attempts", "3"],
    nights: [
      { ends: 0 },
      {
        troubles: [trouble("rank", "status 500", { rank: "glory", days: ["1", "3"] })],
        ends: 0,
        lacks: { "captured server-error": 2 },
      },
    ],
  },
  "m: a small upstream dies": {
    heroes: 3,
    endpoints: "heroes,stats",
    words: ["--languages", "en,ja", "--ranks", "all", "--attempts", "3"],
    nights: [
      {
        troubles: [trouble("stats", "status 500")],
        ends: 3,
        closed: ["stats: 500, code INTERNAL_SERVER_ERROR"],
        says: "an outage of the upstream: 1 of 2 endpoints gave nothing (stats)",
      },
      { ends: 0 },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));
