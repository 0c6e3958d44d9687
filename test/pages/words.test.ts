/** The words of the pages: what is in their files, and what is shown where a language lacks some. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkWords, renderPlaces } from "../../scripts/docs/words.ts";
import { LANG_CODES, type Lang } from "../../src/api/enumerations.ts";
import { type Html, html } from "../../src/extra/pages/html.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import { type Catalogue, toMessages } from "../../src/extra/pages/words/messages.ts";
import { attributeOf, elementsOf, faultsOfDocument, parseHtml } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { readUrl, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const WORDS = join("src", "extra", "pages", "words");

const read = (folder: string, lang: string): Catalogue =>
  JSON.parse(readFileSync(join(folder, WORDS, `${lang}.json`), "utf8"));

const textsIn = (catalogue: Catalogue): string[] =>
  Object.values(catalogue).flatMap((text) => (typeof text === "string" ? text : textsIn(text)));

describe("the files of words", () => {
  test("have nothing wrong in them, whatever they lack", () => {
    expect(checkWords(join(ROOT, WORDS)).wrong).toEqual([]);
    expect(renderPlaces()).toBe(readFileSync(join(ROOT, WORDS, "places.ts"), "utf8"));
    expect(textsIn(read(ROOT, "en")).length).toBeGreaterThan(300);
  });

  test("have no English sentence in another language", () => {
    const sentences = textsIn(read(ROOT, "en")).filter((text) => text.split(" ").length > 4 && !text.includes("{{"));
    expect(sentences.length).toBeGreaterThan(60);
    for (const lang of LANG_CODES.filter((code) => code !== "en" && wordsIn(code).language === code)) {
      const own = new Set(textsIn(read(ROOT, lang)));
      expect(sentences.filter((text) => own.has(text), lang)).toEqual([]);
    }
  });
});

/** These are no messages of the pages. */
interface Said {
  language: Lang;
  found(values: { what: string | number | Html; where: string | number }): string | Html;
  heroes(values: { count: number; rank: string }): string;
  group: { said: string };
}

describe("a message", () => {
  const english = {
    ...{ plain: "Tom & Jerry", found: "Found {{what}} in {{where}}." },
    ...{ heroes_one: "{{count}} hero of {{rank}}", heroes_other: "{{count}} heroes of {{rank}}" },
    group: { said: "Said" },
  };
  const russian = {
    ...{ found: "{{where}}: {{what}}", group: {} },
    ...{ heroes_one: "{{count}} герой, {{rank}}", heroes_few: "{{count}} героя, {{rank}}" },
    ...{ heroes_many: "{{count}} героев, {{rank}}", heroes_other: "{{count}} героя, {{rank}}" },
  };
  const say = (own: Catalogue, lang: Lang) => toMessages(english, own, lang) as unknown as Said;
  const [words, own] = [say(english, "en"), say(russian, "ru")];

  test("is text if its values are, and HTML if one of them is", () => {
    expect(words.found({ what: "<b>", where: "{{what}}" })).toBe("Found <b> in {{what}}.");
    expect(words.found({ what: html`<b>1</b>`, where: "<i>" })).toEqual(html`Found <b>1</b> in ${"<i>"}.`);
    expect(own.found({ what: 1, where: 2 })).toBe("2: 1");
  });

  test("has the form of its number, by the rules of its language", () => {
    expect([0, 1, 2].map((count) => words.heroes({ count, rank: "Epic" }))).toEqual([
      ...["0 heroes of Epic", "1 hero of Epic", "2 heroes of Epic"],
    ]);
    const many = [1, 2, 5, 21, 1.5].map((count) => own.heroes({ count, rank: "" }));
    expect(many).toEqual(["1 герой, ", "2 героя, ", "5 героев, ", "21 герой, ", "1.5 героя, "]);
  });

  test("is English where a language lacks it, in the form that English has", () => {
    const lacking = say({ heroes_one: "{{count}}" }, "ja");
    expect(lacking.heroes({ count: 1, rank: "Epic" })).toContain("1 hero of Epic");
    expect(own.group.said).toContain("Said");
    expect(own.language).toBe("ru");
  });

  test("does not compile without a value", () => {
    // @ts-expect-error: no rank
    expect(wordsIn("en").frame.andAbove({})).toBe(" and above");
    // @ts-expect-error: no such message
    expect(wordsIn("en").frame.nothing).toBe(undefined);
  });
});

/** A file as it is changed here. */
// biome-ignore lint/suspicious/noExplicitAny: its groups hold texts and groups
type Words = Record<string, any>;

describe("a checkout whose languages lack messages", () => {
  const folder = temporaryFolder();
  const { path } = folder;
  const change = (lang: string, edit: (catalogue: Words) => void) => {
    const file = join(path, WORDS, `${lang}.json`);
    const catalogue = JSON.parse(readFileSync(file, "utf8"));
    edit(catalogue);
    writeFileSync(file, JSON.stringify(catalogue));
  };
  const check = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/docs/words.ts"], {
      cwd: path,
      encoding: "utf8",
    });
    return { status, stdout: stdout.split("\n").slice(0, -1), stderr };
  };
  let url: string;
  let stop: () => Promise<unknown>;
  const open = async (address: string) => parseHtml(await (await fetch(url + address)).text());

  beforeAll(async () => {
    for (const name of ["package.json", "tsconfig.json", "src", "scripts", ".assets", "data/QUESTIONS.md"])
      cpSync(join(ROOT, name), join(path, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(path, "node_modules"));
    change("de", ({ frame, heroes }) => {
      delete frame.search.find;
      delete frame.allRanks;
      delete heroes.tiers.heading;
      delete heroes.charts.firstRole;
      delete heroes.hero.error;
    });
    writeFileSync(join(path, WORDS, "ar.json"), "{}");
    writeFileSync(join(path, WORDS, "km.json"), '{ "offer": "ទំព័រ", "frame": { "skip": "រំលង" } }');
    const child = spawn(process.execPath, ["scripts/serve.ts", "--data", world.data, "--port", "0"], { cwd: path });
    const ended = new Promise<unknown>((resolve) => child.once("exit", resolve));
    stop = () => {
      child.kill();
      return ended;
    };
    url = await readUrl({ child, ended: ended.then(() => ({ stderr: "" })) });
  });
  afterAll(async () => {
    await stop();
    folder[Symbol.dispose]();
  });

  test("shows them in English, with language and direction", async () => {
    const page = await open("/tiers?lang=de");
    const [heading] = elementsOf(page, "h1");
    const [english] = elementsOf(heading as never, "span");
    expect([english?.text, attributeOf(english, "lang"), attributeOf(english, "dir")]).toEqual([
      "Tier list",
      "en",
      "ltr",
    ]);
    expect(elementsOf(page, "summary").map(({ text }) => text)).toContain(wordsIn("de").heroes.tiers.numbers);
    // Where no element may stand, the text has its direction alone.
    const [title] = elementsOf(page, "title");
    expect(title?.text).toMatch(/^\u2066Tier list\u2069: \u2066All ranks\u2069, 7 Tage/);
    const [find] = elementsOf(page, "input").filter((one) => attributeOf(one, "type") === "search");
    expect(attributeOf(find, "placeholder")).toBe("\u2066Find a hero\u2069");
    expect(elementsOf(page, "option").map(({ text }) => text)).toContain("\u2066All ranks\u2069");
    expect(faultsOfDocument(page)).toEqual([]);
  });

  test.for(PAGES.filter(({ english }) => !english).map(({ route }) => route.replace("{id}", "1")))(
    "answers %s without a word of its own",
    async (route) => {
      const page = await open(`${route}?lang=ar`);
      expect(faultsOfDocument(page)).toEqual([]);
      expect(page.text).not.toMatch(/[\ufdd0-\ufdef]/);
      const [root] = elementsOf(page, "html");
      expect([attributeOf(root, "lang"), attributeOf(root, "dir")]).toEqual(["ar", "rtl"]);
      expect(elementsOf(page, "span").filter((one) => attributeOf(one, "lang") === "en").length).toBeGreaterThan(20);
    },
  );

  test("speaks a language that has got a file", async () => {
    const page = await open("/?lang=km");
    const [root] = elementsOf(page, "html");
    const [skip] = elementsOf(page, "a");
    expect([attributeOf(root, "lang"), skip?.text]).toEqual(["km", "រំលង"]);
    const links = elementsOf(await open("/"), "a");
    const offers = links.map((one) => [attributeOf(one, "hreflang"), attributeOf(one, "data-offer")]);
    expect(offers).toContainEqual(["km", "ទំព័រ"]);
    // A file without an offer has the language's own name.
    expect(offers).toContainEqual(["ar", "العربية"]);
  });

  test("is told what they lack, and fails only for what does not fit", () => {
    const count = textsIn(read(ROOT, "en")).length;
    const line = (lang: string, lacks: number, all: number, names: string) =>
      expect.stringMatching(
        new RegExp(
          `^src/extra/pages/words/${lang}\\.json: lacks ${lacks} of ${all} messages, which are shown in English: ${names}$`,
        ),
      );
    expect(check()).toEqual({
      status: 0,
      stdout: [
        line("ar", count + 8, count + 8, "offer, .* and others"),
        line("de", 5, count, "frame.search.find, frame.allRanks, .*"),
        line("km", count - 4, count - 2, "frame.madeUp.label, .* and others"),
      ],
      stderr: "",
    });
    change("de", ({ frame, heroes }) => {
      frame.andAbove = "ab {{rang}}";
      frame.nothing = "nichts";
      frame.any = 5;
      heroes.tiers.rule = "{half} und {{half}}";
      heroes.tiers.heroes_one = "ein Held, {{state}}";
      heroes.tiers.heroes_other = "Helden, {{state}} {{count}}";
    });
    writeFileSync(join(path, WORDS, "kh.json"), "{}");
    writeFileSync(join(path, WORDS, "th.json"), '{ "frame": ');
    const { status, stderr } = check();
    expect(status).toBe(1);
    expect(stderr.split("\n").slice(0, -1)).toEqual([
      "src/extra/pages/words/de.json: frame.andAbove lacks {{rank}}",
      "src/extra/pages/words/de.json: frame.andAbove has {{rang}}, which the English message lacks",
      "src/extra/pages/words/de.json: frame.any is no text",
      "src/extra/pages/words/de.json: frame.nothing is no message of en.json",
      "src/extra/pages/words/de.json: heroes.tiers.rule has a brace outside a placeholder",
      expect.stringMatching(/^src\/extra\/pages\/words\/kh\.json: kh is not a language of the API; they are: en, .*km/),
      expect.stringMatching(/^src\/extra\/pages\/words\/th\.json: is not JSON: ./),
    ]);
  });
});
