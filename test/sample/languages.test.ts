import { afterAll, describe, expect, test } from "vitest";
import { LANG_CODES, LANGUAGES, type Lang } from "../../src/api/enumerations.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { ask, askOne, askPage, type Rec } from "../helpers/ask-sample.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const whole = await startSample();
afterAll(whole.close);

const withLang = (path: string, lang: Lang) => `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;

describe("languages", () => {
  /** Replaces each record's own name and returns the names. */
  function takeNames(page: { records: Rec[] }, path: string): string[] {
    return page.records.map(({ data }) => {
      const owner: { data: Record<string, unknown> } = data[path as "hero"];
      const { name } = owner.data;
      owner.data.name = "";
      return String(name);
    });
  }

  /** All but the texts: numbers, addresses, keys. */
  function withoutTexts(value: Json): Json {
    if (typeof value === "string") return value.startsWith("http") || /^[\d,.-]*$/.test(value) ? value : "text";
    if (Array.isArray(value)) return value.map(withoutTexts);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutTexts(inner)]));
  }

  async function localNames(lang: Lang): Promise<string[]> {
    return takeNames(await askPage(whole, `/api/heroes?size=200&order=asc&lang=${lang}`), "hero");
  }

  test.for([
    ["/api/heroes/rank?size=40&days=3&rank=honor", "main_hero"],
    ["/api/heroes/61/stats?rank=epic", "main_hero"],
    ["/api/heroes/61/counters?days=7", "main_hero"],
    ["/api/heroes/61/compatibility?days=30&rank=glory", "main_hero"],
    ["/api/heroes/61/relations", "hero"],
  ] as const)("change nothing but the hero's name in %s", async ([path, owner]) => {
    const english = await askPage(whole, path);
    const englishNames = takeNames(english, owner);
    for (const lang of LANG_CODES) {
      const other = await askPage(whole, withLang(path, lang));
      const names = takeNames(other, owner);
      expect(other, lang).toEqual(english);
      if (["ru", "ja", "km", "zh-TW"].includes(lang)) expect(names).not.toEqual(englishNames);
    }
  });

  const WITHOUT_TEXT = ["/api/heroes/61/trends?past-days=15", "/api/academy/meta/version"];
  test.for(WITHOUT_TEXT)("change nothing in %s", async (path) => {
    const { text } = await ask(whole, path);
    for (const lang of LANG_CODES) expect((await ask(whole, withLang(path, lang))).text).toBe(text);
  });

  test.for([
    ["/api/heroes?size=200", 14],
    ["/api/heroes/positions?size=50", 17],
    ["/api/heroes/61", 17],
    ["/api/heroes/127", 17],
    ["/api/heroes/61/skill-combos", 17],
    ["/api/academy/heroes/catalog?size=50", 17],
  ] as const)("change texts, but no number and no address, in %s", async ([path, atLeast]) => {
    const english = (await ask(whole, path)).body;
    const texts = new Set<string>();
    for (const lang of LANG_CODES) {
      const { text, body } = await ask(whole, withLang(path, lang));
      expect(withoutTexts(body), lang).toEqual(withoutTexts(english));
      texts.add(text);
    }
    expect(texts.size).toBeGreaterThanOrEqual(atLeast);
  });

  test("say the same of a skill: the numbers in its description are those of the English one", async () => {
    const numbersOf = async (lang: Lang) => {
      const { data } = await askOne(whole, `/api/heroes/61?lang=${lang}`);
      const skills = data.hero.data.heroskilllist.flatMap(({ skilllist }) => skilllist);
      return skills.map(({ skilldesc }) => skilldesc.match(/[\d.]*\d/g)?.sort());
    };
    const english = await numbersOf("en");
    for (const lang of LANG_CODES) expect(await numbersOf(lang), lang).toEqual(english);
  });

  test.for(LANGUAGES.filter(({ script }) => script !== "Latin"))("write $code in its own script", async (language) => {
    const scripts = language.script === "Japanese" ? ["Han", "Hiragana", "Katakana"] : [language.script];
    const own = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "u");
    const { data } = await askOne(whole, `/api/heroes/84?lang=${language.code}`);
    const { story, name, sortlabel, roadsortlabel, speciality, heroskilllist } = data.hero.data;
    const skill = heroskilllist[0]?.skilllist[0];
    const texts = [name, story, sortlabel[0], roadsortlabel[0], ...speciality, skill?.skillname, skill?.skilldesc];
    for (const text of [...texts, skill?.skilltag[0]?.tagname, data.relation.weak.desc]) expect(text).toMatch(own);
    for (const local of await localNames(language.code)) expect(local).toMatch(own);
  });

  test("have one name for each hero, told apart by letters and digits alone", async () => {
    for (const lang of LANG_CODES) {
      const names = await localNames(lang);
      const plain = names.map((name) =>
        name
          .normalize("NFC")
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]/gu, ""),
      );
      expect(new Set(plain).size, lang).toBe(133);
    }
    const [simplified, traditional] = [await localNames("zh-CN"), await localNames("zh-TW")];
    expect(simplified.filter((name, i) => name !== traditional[i]).length).toBeGreaterThan(100);
  });
});
