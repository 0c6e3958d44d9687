import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { isAsked } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { planLanguageCheck } from "../../src/crawl/languages/samples.ts";
import { createQualityCounter, MAX_ISSUES } from "../../src/snapshot/build/quality.ts";
import type { NumberedSlice } from "../../src/snapshot/schema/row-source.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { fewNights } from "../helpers/few-nights.ts";
import { startMirror } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";
import { world } from "../helpers/world.ts";

interface Pairing {
  main_hero: { data: { head: string } };
  sub_hero: { hero: { data: { head: string } } }[];
}

const FAST = ["--rate", "5000", "--concurrency", "8"];
const LANGUAGES = ["en", "fr", "ja", "ru", "th"];
const FEW = ["--ranks", "all,epic", "--days", "1,7", "--languages", LANGUAGES.join(), "--allow-partial"];

async function crawlThrough(rewrite: Rewrite, data: string, endpoints: string) {
  await using upstream = await startUpstream(3, undefined, rewrite);
  const options = ["--upstream", upstream.url, "--data", data, ...FAST, ...FEW, "--endpoints", endpoints];
  const ended = await runCommand("crawl", options);
  expect(ended.stderr).toBe("");
  expect(ended.code).toBe(0);
  const { version } = JSON.parse(readFileSync(join(data, "latest.json"), "utf8")) as { version: string };
  return { ended, db: new SQLite(join(data, "snapshots", `${version}.sqlite`), { readonly: true }) };
}

const serve = async (data: string, path: string) =>
  JSON.parse((await runCommand("serve", ["--data", data, "--get", path])).stdout) as {
    data: { records: Record<string, never>[] };
  };

describe("the proof that numbers do not depend on the language", () => {
  test("is in the file: samples of each such endpoint in each other language, all equal", () => {
    const db = new SQLite(world.snapshot, { readonly: true });
    const proof = db
      .prepare(
        "SELECT dataset, count(*) AS samples, count(DISTINCT language_proof.lang) AS languages, count(difference) AS differences FROM language_proof JOIN coverage USING (slice_id) GROUP BY dataset",
      )
      .all();
    // Two slices of each; versions are one.
    const once = ENDPOINTS.filter((endpoint) => isAsked(endpoint) && endpoint.text !== "all");
    expect(proof).toEqual(
      once
        .map(({ dataset }) => dataset)
        .sort()
        .map((dataset) => ({ dataset, samples: dataset === "versions" ? 16 : 32, languages: 16, differences: 0 })),
    );
    db.close();
  });

  test("looks at other slices from night to night, and at the same ones when a crawl is resumed", () => {
    const plan = Array.from({ length: 100 }, (_, hero) => ({ dataset: "stats", hero, lang: "en" as const }));
    const draw = (seed: string) => planLanguageCheck(plan, ["en", "ru", "ja"], seed);
    expect(draw("one")).toHaveLength(4);
    expect(draw("one")).toEqual(draw("one"));
    expect(draw("one")).not.toEqual(draw("two"));
  });

  test("fails for an endpoint whose numbers differ, which is then asked and served in all languages", async () => {
    using folder = temporaryFolder();
    const rewrite: Rewrite = (path, body) =>
      path.includes("/api/heroes/") && path.includes("/counters") && path.includes("lang=ru")
        ? body.replaceAll(/"main_hero_win_rate":[\d.]+/g, '"main_hero_win_rate":0.125')
        : body;
    const { ended, db } = await crawlThrough(rewrite, folder.path, "heroes,stats,counters,hero");
    expect(ended.events.filter(({ event }) => event === "widened")).toEqual([
      {
        event: "widened",
        dataset: "counters",
        differences: 4,
        requests: 3 * 4 * LANGUAGES.length,
        example: expect.stringMatching(/lang=ru: \.0\.data\.main_hero_win_rate$/),
      },
    ]);
    expect(db.prepare("SELECT count(*) FROM coverage WHERE dataset = 'counters'").pluck().get()).toBe(
      3 * 4 * LANGUAGES.length,
    );
    expect(db.prepare("SELECT count(*) FROM language_proof WHERE difference IS NOT NULL").pluck().get()).toBe(4);
    db.close();
    const rate = async (lang: string) => {
      const { data } = await serve(folder.path, `/api/heroes/1/counters?lang=${lang}`);
      const [record] = data.records as unknown as { data: { main_hero_win_rate: number } }[];
      return record?.data.main_hero_win_rate;
    };
    expect(await rate("ru")).toBe(0.125);
    expect(await rate("fr")).not.toBe(0.125);
  });

  test("a portrait that differs as in the hero list is no difference, and is served", async () => {
    using folder = temporaryFolder();
    const rewrite: Rewrite = (path, body) =>
      path.includes("lang=ja") ? body.replaceAll("/img/mlbb/", "/img/ja/") : body;
    const ownPortraits: Rewrite = (path, body) => {
      if (!path.includes("lang=ja") || !/\/api\/heroes\?|\/rank|\/stats|\/counters|\/compatibility/.test(path))
        return body;
      if (/\/api\/heroes\?/.test(path)) return rewrite(path, body);
      return body.replaceAll(
        /("main_hero":\{"data":(?:\{"hero":\{"data":)?\{"head":"[^"]*?)\/img\/mlbb\//g,
        "$1/img/ja/",
      );
    };
    const { ended, db } = await crawlThrough(ownPortraits, folder.path, "heroes,rank,stats,counters,compatibility");
    expect(ended.events.filter(({ event }) => event === "widened")).toEqual([]);
    db.close();
    const { data } = await serve(folder.path, "/api/heroes/2/stats?lang=ja");
    const [found] = data.records as unknown as { data: Pairing }[];
    const record = found?.data;
    expect(record?.main_hero.data.head).toContain("/img/ja/");
    expect(record?.sub_hero[0]?.hero.data.head).not.toContain("/img/ja/");
  });
});

test("an answer is as old as the oldest of the lists that it is made with", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "older.sqlite");
  cpSync(fileOf(fewNights.data), file);
  const BEFORE = "2026-07-01T03:00:00.000Z";
  editFile(file, `UPDATE coverage SET asked_at = '${BEFORE}' WHERE dataset = 'heroes' AND lang = 'ja'`);
  await using mirror = await startMirror(file);
  const timeOf = async (path: string) => (await fetch(mirror.url + path)).headers.get("x-data-at");
  const english = await timeOf("/api/heroes/rank?days=1");
  expect([english === BEFORE, await timeOf("/api/heroes/rank?days=1&lang=ja")]).toEqual([false, BEFORE]);
});

describe("text quality", () => {
  test("of a language that is answered in English is called poor, in the run and in the file", async () => {
    using folder = temporaryFolder();
    await using english = await startUpstream(3);
    const texts = new Map<string, string>();
    for (const hero of [1, 2, 3]) {
      const path = `/api/heroes/${hero}/skill-combos?size=200&index=1&lang=`;
      texts.set(`${path}th`, await (await fetch(`${english.url}${path}en`)).text());
    }
    const { ended, db } = await crawlThrough(
      (path, body) => texts.get(path) ?? body,
      folder.path,
      "heroes,hero,skill-combos",
    );
    const [{ poor } = { poor: [] }] = ended.events.filter(({ event }) => event === "quality") as unknown as {
      poor: { dataset: string; lang: string }[];
    }[];
    expect(poor.map(({ dataset, lang }) => `${dataset} ${lang}`)).toEqual(["skill-combos th"]);
    const row = db
      .prepare(
        "SELECT texts, same_as_english, wrong_script FROM text_quality WHERE dataset = 'skill-combos' AND lang = 'th'",
      )
      .get() as Record<string, number>;
    expect((row.same_as_english ?? 0) + (row.wrong_script ?? 0)).toBe(row.texts);
    const listed = db
      .prepare("SELECT hero, issue, text, english FROM text_issue_list WHERE dataset = 'skill-combos' AND lang = 'th'")
      .all() as Record<string, string>[];
    expect(listed).toHaveLength(row.texts ?? 0);
    for (const { issue, text, english } of listed) {
      expect(["same_as_english", "wrong_script"]).toContain(issue);
      expect(text).toBe(english);
    }
    expect(new Set(listed.map(({ hero }) => hero))).toEqual(new Set(["Miya", "Balmond", "Saber"]));
    db.close();
  });

  test("tells missing, placeholder and wrong script apart", () => {
    const quality = createQualityCounter();
    const combo = (title: string, desc?: string) => ({ data: { title, desc } });
    const [en, ru] = (["en", "ru"] as const).map((lang, id) => ({
      id,
      slice: { dataset: "skill-combos", hero: 9, lang },
    })) as [NumberedSlice, NumberedSlice];
    const base = combo("TEAMFIGHT", "Use the second skill first, then the third.");
    quality.add(en, 4, "1", base);
    quality.add(en, 5, "4", base);
    quality.add(ru, 0, "1", combo("", "Use the second skill first, then the third."));
    quality.add(ru, 1, "2", combo("TBD", "Сначала второй навык, затем третий."));
    quality.add(ru, 2, "3", combo("TEAM", "123 + 4"));
    expect(quality.rows()[1]).toEqual({
      dataset: "skill-combos",
      lang: "ru",
      texts: 6,
      missing: 1,
      same_as_english: 1,
      wrong_script: 1,
      placeholder: 1,
    });
    const issues = () =>
      quality.issues().map(({ slice_id, position, english_position, path, issue }) => {
        expect(slice_id).toBe(ru.id);
        return [position, english_position, path, issue];
      });
    const found = [
      [0, 4, "data.title", "missing"],
      [0, 4, "data.desc", "same_as_english"],
      [1, null, "data.title", "placeholder"],
      [2, null, "data.title", "wrong_script"],
    ];
    expect(issues()).toEqual(found);
    // What is not there at all is missing too.
    quality.add(ru, 3, "4", combo("КОМАНДА"));
    expect(issues()).toEqual([...found, [3, 5, "data.desc", "missing"]]);
    for (let place = 0; place < MAX_ISSUES; place += 1) quality.add(ru, 4 + place, "5", combo("TBD"));
    expect(issues()).toHaveLength(MAX_ISSUES);
    expect(quality.rows()[1]).toMatchObject({ placeholder: 1 + MAX_ISSUES });
    // Texts beyond number are counted, and not remembered.
    const speciality = Array.from({ length: 200_000 }, () => "");
    const crowded = { data: { hero: { data: { name: "Миya", speciality } } } };
    quality.add({ id: 7, slice: { dataset: "hero", hero: 9, lang: "ru" } }, 0, "1", crowded);
    expect(quality.rows()[2]).toMatchObject({ texts: 200_001, missing: 200_000 });
    expect(quality.issues().filter(({ slice_id }) => slice_id === 7)).toHaveLength(MAX_ISSUES);
  });
});
