import { test as base, expect } from "vitest";
import type { Lang } from "../../src/api/enumerations.ts";
import { ODD_KINDS } from "../helpers/mutation/kinds.ts";
import type { Mutation } from "../helpers/mutation/mutate.ts";
import { startProver, type WhichNight } from "../helpers/mutation/prover.ts";

const test = base.extend("prover", { scope: "file" }, async ({}, { onCleanup }) => {
  const prover = await startProver();
  onCleanup(() => prover[Symbol.asyncDispose]());
  return prover;
});

interface Night {
  what: string;
  nights: WhichNight;
  /** Lines that say where something is odd, by what it is. */
  odd: Readonly<Record<string, string>>;
  also?: readonly string[];
}

const STEP = "data.skill_id[]";
const RANK = "/api/heroes/rank?days=7&rank=all";

const NIGHTS: readonly Night[] = [
  {
    what: "types, digits, keys and lists are odd",
    nights: "first",
    odd: {
      "heroes have ids that are texts": "/api/heroes|data.hero_id|as-text|all",
      "two heroes have one name": "/api/heroes|data.hero.data.name|collide|one",
      "a portrait is null": "/api/heroes|data.hero.data.smallmap|null|one",
      "lanes are padded with null": "/api/heroes/positions|data.hero.data.roadsort|push-null|one",
      "roles are padded with 0": "/api/heroes/positions|data.hero.data.sortid|push-zero|one:1",
      "the heroes beside one are there twice": `${RANK}|data.sub_hero|dup-key-before|one`,
      "the heroes beside one are there twice, the odd ones behind": `${RANK}|data.sub_hero|dup-key-after|one:1`,
      "the heroes beside one are there in two spellings": `${RANK}|data.sub_hero|dup-key-escaped|one:2`,
      "heroes have the same numbers with decimals": `${RANK}|data.main_heroid|as-float|all`,
      "one skill is twice in a hero, with other tags":
        "/api/heroes/1|data.hero.data.heroskilllist[].skilllist[].skillid|collide|one",
      "all skills of a hero have one id": "/api/heroes/2|data.hero.data.heroskilllist[].skilllist[].skillid|zero|all",
      "one more kind of relation is half a character": "/api/heroes/1|data.relation|extra-surrogate|one",
      "there are members that are written alike": "/api/heroes/1|data|like-keys|one",
      "relations are padded with an empty text": "/api/heroes/2|data.relation.weak.target_hero|push-empty|one",
      "there is a member that JavaScript reads otherwise": "/api/heroes/2|data|proto-key|one",
      "a hero's name in the relations is not that of the list": "/api/heroes/1/relations|data.hero.data.name|text|one",
      "a combo has the id of another hero's": "/api/heroes/1/skill-combos|id|foreign|one",
      "the source of a step is a text": `/api/heroes/1/skill-combos|${STEP}.sourceId|text|one`,
      "the source of a step is empty": `/api/heroes/2/skill-combos|${STEP}.sourceId|empty-text|one`,
      "the source of a step is a list": `/api/heroes/3/skill-combos|${STEP}.sourceId|empty-list|one`,
      "the time of a step is a date": `/api/heroes/1/skill-combos|${STEP}._createdAt|other-date|one`,
      "the time of a step is beyond all numbers": `/api/heroes/2/skill-combos|${STEP}._createdAt|huge|one`,
      "the time of a step is not whole": `/api/heroes/1/skill-combos|${STEP}._updatedAt|one-and-half|one`,
      "the time of a step has twenty digits": `/api/heroes/2/skill-combos|${STEP}._updatedAt|twenty-digits|one`,
      "the store's caption is null": "/api/heroes/2/skill-combos|caption|null|one",
      "the title of a combo is a number": "/api/heroes/3/skill-combos|data.title|zero|one",
      "a rate of another hero is an empty text":
        "/api/heroes/1/stats?rank=all|data.sub_hero[].min_win_rate6|empty-text|one",
      "a name comes twice in statistics, in Japanese too":
        "/api/heroes/1/stats?rank=all|data.main_hero.data.name|dup-key-before|one",
      "a stamp is stuck": "/api/heroes/1/stats?rank=all|_updatedAt|stranger|one",
      "a rate has more digits than a number":
        "/api/heroes/2/counters?days=7&rank=all|data.main_hero_win_rate|many-digits|one",
      "a rate is minus zero": "/api/heroes/2/counters?days=7&rank=all|data.sub_hero[].increase_win_rate|minus-zero|one",
      "an id has an exponent": "/api/heroes/1/compatibility?days=7&rank=all|id|as-exponent|one",
      "the series of a timeline is there twice":
        "/api/academy/heroes/2/win-rate/timeline?lane=exp&rank=all|data.time_win_rate|dup-key-before|one",
      "the hero of a timeline has no name":
        "/api/academy/heroes/2/win-rate/timeline?lane=gold&rank=all|data.hero_name|null|one",
      "the store's time of a spell is not whole": "/api/academy/spells|_createdAt|one-and-half|one",
      "two records of one page have one id": "/api/academy/spells|id|collide|one:3",
      "a spell is no object": "/api/academy/spells||text|one:5",
      "a record is null": "/api/academy/emblems||null|one",
      "members stand in another order": "/api/academy/emblems||key-order|one:1",
      "there is a member of which nobody knows": "/api/academy/equipment||extra-key|all",
    },
    also: ["/api/heroes/1/stats?lang=ja"],
  },
  {
    what: "texts are odd, and the next one is honest",
    nights: "before",
    odd: {
      "heroes have ids with decimals": "/api/heroes|data.hero_id|as-float|all",
      "stories are mark-up": "hero|data.hero.data.story|html|one",
      "a text is a number": "/api/heroes/1|data.hero.data.difficulty|as-number|one",
      "roles are gone": "/api/heroes/1|data.hero.data.sortid|emptied|one",
      "a tale is very long": "/api/heroes/2|data.hero.data.tale|long-text|one",
      "the texts of a combo are written from the right": "skill-combos|data.desc|rtl|all",
      "a text has a NUL": "/api/heroes/1/relations|data.hero.data.name|nul|one",
      "a time is a word": "/api/academy/spells|_createdAt|true|one",
      "a rate is negative": "/api/heroes/2/stats?rank=all|data.main_hero_win_rate|minus-one|one",
      "a rate is there twice": "/api/heroes/1/stats?rank=all|data.main_hero_win_rate|dup-key-after|one",
      "a picture is an object": "/api/academy/equipment/expanded|data.equipicon|empty-object|one",
      "a hero is there twice beside one": `${RANK}|data.sub_hero|twice|one`,
      "lanes are in another order": "/api/heroes/positions|data.hero.data.roadsort|reversed|all",
      "a day of a series is a very long text":
        "/api/heroes/1/trends?rank=all&past-days=7|data.win_rate[].date|long-text|one",
      "the days of a series are no text":
        "/api/heroes/2/trends?rank=all&past-days=7|data.win_rate[].date|surrogate|all|en",
    },
  },
  {
    what: "languages differ where only lists should",
    nights: "first",
    odd: {
      "a hero's name in one language is only in the list": "/api/heroes|data.hero.data.name|text|one|ja",
      "a version differs by language": "/api/academy/meta/version|data.game_version|text|one|en",
      "a trend differs by language": "trends|data.win_rate[].win_rate|zero|all|en",
    },
    also: [
      "/api/academy/meta/version?lang=ja",
      "/api/heroes/1/trends?lang=ja",
      "/api/heroes/3/trends?past-days=7&rank=all&lang=ja",
    ],
  },
  {
    what: "answers have another shape than in the night before",
    nights: "second",
    odd: {
      "a picture is a text": "/api/academy/roles|data.emblem_detail.data.emblembg|text|one",
      "a portrait is a number": "/api/heroes|data.hero.data.smallmap|zero|one",
      "a head is gone from all": "/api/heroes|data.hero.data.head|delete|all",
      "a skill is null": "/api/academy/equipment/expanded|data.equipskill2|null|one",
      "an id of the store is gone from all": "/api/heroes/positions|id|delete|all",
      "a number is beyond all numbers where null was": "/api/heroes/1|dynamic|huge|one",
    },
  },
];

/** Reads what `toOddLine` writes. */
function parseOddLine(line: string): Mutation {
  const [at = "", path = "", kind = "", which = "one", lang] = line.split("|");
  const [how = "", draw = "0"] = which.split(":");
  if (how !== "one" && how !== "all") throw new Error(`${line}: one or all, not ${which}`);
  return { at, path, kind, how, draw: Number(draw), ...(lang && { lang: lang as Lang }) };
}

test.for(NIGHTS)(
  "a night in which $what is published, and served as it was sent",
  async ({ nights, odd, also }, { prover }) => {
    expect(await prover.prove(Object.values(odd).map(parseOddLine), nights, also)).toEqual([]);
  },
);

test("each kind of odd value is among them", () => {
  const tried = new Set(NIGHTS.flatMap(({ odd }) => Object.values(odd).map((line) => parseOddLine(line).kind)));
  expect(Object.keys(ODD_KINDS).filter((kind) => !tried.has(kind))).toEqual([]);
});
