import { test as base, describe, expect } from "vitest";
import { createDraw, drawn } from "../helpers/draw.ts";
import { createProver, type Run } from "../helpers/mutation/crawls.ts";
import { parseLine } from "../helpers/mutation/mutations.ts";

const test = base.extend("prover", { scope: "file" }, async ({}, { onCleanup }) => {
  const prover = await createProver();
  onCleanup(() => prover[Symbol.asyncDispose]());
  return prover;
});

const draw = createDraw("odd-examples");

interface Example {
  name: string;
  line: string;
  nights?: Run["nights"];
  also?: readonly string[];
}

/** An example by its name: one crawl, which must be held and served as it was sent. By default one of each kind that is drawn. */
function proveAll(examples: readonly Example[]) {
  test.for(draw.some(examples, 1).map((example) => [example.name, example] as const))(
    `%s (${drawn})`,
    async ([, { line, nights = "first", also = [] }], { prover }) => {
      const mutation = parseLine(line);
      const proved = await prover.prove({ nights, other: "ja", mutations: [mutation], also });
      expect(proved).toMatchObject({ held: [mutation], refused: [] });
    },
  );
}

const kinds: [name: string, examples: () => void][] = [];
const kind = (name: string, examples: () => void) => kinds.push([name, examples]);

kind("A: a dataset that is widened to all languages is built", () => {
  proveAll([
    {
      name: "a hero's name in the relations is not that of the list",
      line: "/api/heroes/1/relations|data.hero.data.name|text|one",
    },
    {
      name: "a hero's name in one language is only in the list",
      line: "/api/heroes|data.hero.data.name|text|one|ja",
    },
    { name: "two heroes have one name", line: "/api/heroes|data.hero.data.name|collide|one" },
    {
      name: "a version differs by language",
      line: "/api/academy/meta/version|data.game_version|text|one|en",
      also: ["/api/academy/meta/version?lang=ja"],
    },
    {
      name: "a trend differs by language",
      line: "trends|data.win_rate[].win_rate|zero|all|en",
      also: ["/api/heroes/1/trends?lang=ja", "/api/heroes/3/trends?past-days=7&rank=all&lang=ja"],
    },
  ]);
});

kind("B: tags of a skill", () => {
  proveAll([
    {
      name: "one skill is twice in a hero, with other tags",
      line: "/api/heroes/1|data.hero.data.heroskilllist[].skilllist[].skillid|collide|one",
    },
    {
      name: "all skills of a hero have one id",
      line: "/api/heroes/1|data.hero.data.heroskilllist[].skilllist[].skillid|zero|all",
    },
  ]);
});

kind("C: combos", () => {
  proveAll([{ name: "a combo has the id of another hero's", line: "/api/heroes/1/skill-combos|id|foreign|one" }]);
});

kind("D: bookkeeping inside a combo", () => {
  const step = "/api/heroes/1/skill-combos|data.skill_id[]";
  proveAll([
    { name: "the source of a step is a text", line: `${step}.sourceId|text|one` },
    { name: "the source of a step is empty", line: `${step}.sourceId|empty-text|one` },
    { name: "the time of a step is a date", line: `${step}._createdAt|other-date|one` },
    { name: "the time of a step is not whole", line: `${step}._updatedAt|one-and-half|one` },
    { name: "the time of a step has twenty digits", line: `${step}._updatedAt|twenty-digits|one` },
    { name: "the time of a step is beyond all numbers", line: `${step}._createdAt|huge|one` },
    { name: "the source of a step is a list", line: `${step}.sourceId|empty-list|one` },
  ]);
});

kind("E: keys that come twice", () => {
  proveAll([
    {
      name: "before the series of a timeline",
      line: "/api/academy/heroes/2/win-rate/timeline?lane=exp&rank=all|data.time_win_rate|dup-key-before|one",
    },
    {
      name: "before the heroes beside one in the rank list",
      line: "/api/heroes/rank?days=7&rank=all|data.sub_hero|dup-key-before|one",
    },
    {
      name: "behind the heroes beside one in the rank list",
      line: "/api/heroes/rank?days=7&rank=all|data.sub_hero|dup-key-after|one",
    },
    {
      name: "in two spellings",
      line: "/api/heroes/rank?days=7&rank=all|data.sub_hero|dup-key-escaped|one",
    },
    {
      name: "the next honest night is published",
      line: "/api/heroes/1/stats?rank=all|data.main_hero_win_rate|dup-key-after|one",
      nights: "before",
    },
  ]);
});

kind("F: relations of a hero", () => {
  proveAll([{ name: "one more kind is a text", line: "/api/heroes/1|data.relation|extra-surrogate|one" }]);
});

kind("G: what nothing needs may be anything", () => {
  proveAll([
    { name: "G1: the store's time of a spell is not whole", line: "/api/academy/spells|_createdAt|one-and-half|one" },
    { name: "G1: the store's caption is null", line: "/api/heroes/1/skill-combos|caption|null|one" },
    {
      name: "G2: a rate of another hero is an empty text",
      line: "/api/heroes/1/stats?rank=all|data.sub_hero[].min_win_rate6|empty-text|one",
    },
    { name: "G3: a portrait is null", line: "/api/heroes|data.hero.data.smallmap|null|one" },
    {
      name: "G4: relations are padded with an empty text",
      line: "/api/heroes/1|data.relation.weak.target_hero|push-empty|one",
    },
    { name: "G4: lanes are padded with null", line: "/api/heroes/positions|data.hero.data.roadsort|push-null|one" },
    { name: "G4: roles are padded with 0", line: "/api/heroes/positions|data.hero.data.sortid|push-zero|one" },
    {
      name: "G5: the hero of a timeline has no name",
      line: "/api/academy/heroes/2/win-rate/timeline?lane=gold&rank=all|data.hero_name|null|one",
    },
    { name: "G5: the title of a combo is a number", line: "/api/heroes/1/skill-combos|data.title|zero|one" },
  ]);
});

kind("H: noise of the envelope", () => {
  proveAll([
    { name: "no message", line: "/api/academy/equipment|(envelope)|message-null|all" },
    { name: "a number for a message", line: "/api/heroes|(envelope)|message-number|all" },
    { name: "a byte order mark", line: "/api/heroes/1|(envelope)|bom|all" },
  ]);
});

kind("I: another shape than in the night before", () => {
  proveAll(
    [
      { name: "a picture is a text", line: "/api/academy/roles|data.emblem_detail.data.emblembg|text|one" },
      { name: "a portrait is a number", line: "/api/heroes|data.hero.data.smallmap|zero|one" },
      { name: "a skill is null", line: "/api/academy/equipment/expanded|data.equipskill2|null|one" },
      { name: "a portrait is gone from all", line: "/api/heroes|data.hero.data.smallmap|delete|all" },
      { name: "an id of the store is gone from all", line: "/api/heroes/positions|id|delete|all" },
    ].map((example) => ({ ...example, nights: "second" as const })),
  );
});

kind("what was left to decide", () => {
  proveAll([
    {
      name: "one slice with a stamp that is stuck is published",
      line: "/api/heroes/1/stats?rank=all|_updatedAt|stranger|one",
    },
    { name: "two records of one page with one id are published", line: "/api/academy/spells|id|collide|one" },
  ]);
});

kind("served as the upstream serves it", () => {
  proveAll([
    {
      name: "a name that comes twice in statistics, in Japanese",
      line: "/api/heroes/1/stats?rank=all|data.main_hero.data.name|dup-key-before|one",
      also: ["/api/heroes/1/stats?lang=ja"],
    },
    {
      name: "other digits of the same number, in a night in which something else changes too",
      line: "/api/heroes/rank?days=7&rank=all|data.main_heroid|as-float|all",
    },
    {
      name: "a number beyond all numbers where null was in the night before",
      line: "/api/heroes/1|dynamic|huge|one",
      nights: "second",
    },
    { name: "heroes whose ids are texts", line: "/api/heroes|data.hero_id|as-text|all" },
    { name: "heroes whose ids have decimals", line: "/api/heroes|data.hero_id|as-float|all" },
    { name: "a record that is no object", line: "/api/academy/spells||text|one" },
    { name: "a record that is null", line: "/api/academy/emblems||null|one" },
  ]);
});

kind("J: what is hashed is what the file holds", () => {
  proveAll([
    {
      name: "the days of a series are no text",
      line: "/api/heroes/2/trends?rank=all&past-days=7|data.win_rate[].date|surrogate|all|en",
      nights: "before",
    },
  ]);
});

for (const [name, examples] of draw.some(kinds, 3)) describe(name, examples);
