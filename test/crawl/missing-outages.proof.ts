import { test } from "vitest";
import type { Slices } from "../../src/extra/sample/service/slice.ts";
import type { Trouble } from "../../src/extra/sample/troubles/troubles.ts";
import { type Story, tell, trouble } from "../helpers/missing-stories.ts";

const MANY = "heroes,rank,relations,stats,trends,counters,compatibility,versions";
const LITTLE = ["--languages", "en,ja", "--ranks", "all,epic,glory", "--days", "1,7"];

/** Another slice each night. */
const oneOf = (night: number): Trouble => {
  const slices: [dataset: string, part: Slices][] = [
    ["stats", { rank: "epic" }],
    ["trends", { rank: "epic" }],
    ["counters", { rank: "epic", days: "7" }],
    ["compatibility", { rank: "epic", days: "1" }],
    ["relations", {}],
  ];
  const [dataset, part] = slices[night % slices.length] ?? ["", {}];
  return trouble(dataset, "status 500", { ...part, hero: ((night * 5) % 12) + 1 });
};

/** Counters of one hero are left, and two thirds of the statistics. */
const BROKEN = [
  trouble("counters", "status 500", { hero: Array.from({ length: 15 }, (_, n) => n + 2) }),
  trouble("stats", "status 500", { hero: [1, 2, 3, 4, 5, 6], rank: "all" }),
  trouble("stats", "status 500", { hero: [6, 7, 8, 9, 10, 11], rank: "epic" }),
  trouble("stats", "status 500", { hero: [12, 13, 14, 15, 16], rank: "glory" }),
];

const STORIES: Record<string, Story> = {
  "b: the upstream dies after a third, and after nine tenths": {
    endpoints: MANY,
    nights: [
      {
        troubles: [trouble("", "reset", {}, { after: 60 })],
        ends: 3,
        says: "no longer answers (unreachable); nothing was published",
      },
      {
        after: 0,
        troubles: [trouble("", "reset")],
        ends: 4,
        says: "no longer answers (unreachable); nothing was published",
      },
      {
        after: 0,
        troubles: [trouble("", "status 502", {}, { after: 100 })],
        ends: 3,
        says: "9 of 164 slices are missing",
      },
      { after: 0, ends: 0 },
      { troubles: [trouble("", "silence")], words: ["--timeout", "1"], ends: 4, says: "gave no hero list (timeout" },
    ],
  },
  "c: 30 % of all answers are 502": {
    endpoints: MANY,
    words: LITTLE,
    nights: [{ troubles: [trouble("", "status 502", {}, { share: 0.3 })], ends: 0 }],
  },
  "l: with a budget a table has one slice that never comes": {
    endpoints: MANY,
    heroes: 12,
    nights: [
      { ends: 0 },
      ...Array.from({ length: 6 }, () => ({
        troubles: [trouble("counters", "status 500", { hero: 5, rank: "all", days: "7" })],
        words: ["--budget", "130"],
        ends: 0,
        lacks: { "captured server-error": 1 },
      })),
    ],
  },
  "n: with a budget what has opened has its turns": {
    endpoints: MANY,
    nights: [
      { ends: 0 },
      {
        words: ["--budget", "100"],
        troubles: [trouble("counters", "detail")],
        ends: 7,
        closed: ["counters: 404"],
        lacks: { "captured refused": 8 },
      },
      { words: ["--budget", "100"], ends: 0 },
      { words: ["--budget", "100"], ends: 0 },
    ],
  },
  "p: a brown-out of the last tenth": {
    endpoints: MANY,
    nights: [
      { troubles: [trouble("", "status 502", {}, { after: 145, upTo: 170 })], ends: 0 },
      { troubles: [trouble("", "status 502", {}, { after: 145 })], ends: 3, says: "no longer answers (server-error)" },
      { after: 0, ends: 0 },
    ],
  },
  "t: ever other slices fail": {
    endpoints: MANY,
    heroes: 12,
    nights: Array.from({ length: 8 }, (_, night) => ({
      troubles: [oneOf(night)],
      ends: 0,
      lacks: night === 0 ? { "failed server-error": 1 } : { "captured server-error": 1 },
    })),
  },
  "j: all lists of heroes but the English one fail, in a first night": {
    nights: [
      {
        troubles: [trouble("heroes", "status 500", { lang: ["ja", "km", "de", "th"] })],
        ends: 7,
        closed: ["heroes: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "failed server-error": 4 },
        troubled: 12,
      },
    ],
  },
  "w: one endpoint answers for one hero of sixteen, another lacks a third": {
    endpoints: `${MANY},equipment,spells,emblems`,
    heroes: 16,
    nights: [
      { ends: 0 },
      {
        ends: 7,
        troubles: BROKEN,
        closed: ["counters, stats: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "captured server-error": 107 },
      },
      {
        troubles: BROKEN,
        ends: 0,
        closed: ["counters, stats: 500, code INTERNAL_SERVER_ERROR"],
        lacks: { "captured server-error": 107 },
      },
      { ends: 0 },
    ],
  },
};

test.for(Object.entries(STORIES))("%s", ([, story]) => tell(story));
