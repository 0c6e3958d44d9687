import { test } from "vitest";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";

const VOTES = [trouble("ratings,rating", "code")];
const RENAMED_OF_ONE = [trouble("stats", "renamed main_heroid", { hero: 5 })];
const ONE = [trouble("relations", "status 500", { hero: 3 })];

/** One story for each kind of part, and for each gate; `missing-*.proof.ts` have the others. */
const STORIES: Record<string, Story> = {
  "a: the votes are closed, after a night that has them": {
    endpoints: "heroes,rank,relations,versions,ratings,rating",
    nights: [
      { ends: 0 },
      {
        troubles: VOTES,
        ends: 7,
        closed: ["rating, ratings: 200, code 10407"],
        lacks: { "captured refused": 10 },
        troubled: 30,
      },
      {
        troubles: VOTES,
        ends: 0,
        closed: ["rating, ratings: 200, code 10407"],
        lacks: { "captured refused": 10 },
        troubled: 10,
      },
      { ends: 0 },
    ],
  },
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
