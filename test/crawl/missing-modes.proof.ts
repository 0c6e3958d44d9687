import { test } from "vitest";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";

const ONE = [trouble("relations", "status 500", { hero: 3 })];
const UNKNOWN = [trouble("", "detail", { hero: [9, 10] })];
const UNKNOWN_AS_CLOSED = ["hero 10: 404", "hero 9: 404"];

const STORIES: Record<string, Story> = {
  "a hole that was asked for by a clock ahead holds no later night back": {
    nights: [
      { troubles: ONE, clock: 40, ends: 0, lacks: { "failed server-error": 1 } },
      { troubles: ONE, ends: 0, lacks: { "failed server-error": 1 } },
      { ends: 0 },
    ],
  },
  "a short list has a total that is wrong by one": {
    nights: [{ ends: 0 }, { troubles: [trouble("rank", "total +1")], ends: 0 }],
  },
  "heroes whom the other routes do not know cost no table its turn, with texts reused": {
    nights: [
      { ends: 0 },
      {
        heroes: 10,
        troubles: UNKNOWN,
        words: ["--reuse"],
        ends: 7,
        closed: UNKNOWN_AS_CLOSED.map((part) => `${part}; new in the list`),
        lacks: { "failed refused": 14 },
      },
      { troubles: UNKNOWN, words: ["--reuse"], ends: 0, closed: UNKNOWN_AS_CLOSED, lacks: { "failed refused": 14 } },
      { words: ["--reuse"], ends: 0 },
    ],
  },
  "fewer languages are no loss, and more of them neither": {
    nights: [{ ends: 0 }, { words: ["--languages", "en,ja"], ends: 0 }, { ends: 0 }],
  },
  "three heroes may leave, and a fourth may not": {
    nights: [
      { ends: 0 },
      { heroes: 5, ends: 0 },
      { heroes: 1, ends: 5, says: "more than 5 % would be lost: heroes from 5 to 1" },
      { heroes: 5, ends: 0 },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));
