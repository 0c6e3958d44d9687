import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BASE_LANG, LANG_CODES, LANGUAGES, type Lang } from "../../../api/enumerations.ts";
import { PROJECT } from "../../../base/project.ts";
import { type Catalogue, type Messages, toMessages } from "./messages.ts";

const FOLDER = join(PROJECT, "src", "extra", "pages", "words");

const fileOf = (lang: Lang) => join(FOLDER, `${lang}.json`);

/** The languages that have a file of words. */
const SPOKEN: readonly Lang[] = LANG_CODES.filter((code) => existsSync(fileOf(code)));

const readCatalogue = (lang: Lang): Catalogue => JSON.parse(readFileSync(fileOf(lang), "utf8"));

const kept = new Map<Lang, Messages>();

/** Reads the messages when they are asked for; in English if a language has no file: `language` says which it is. */
export function messagesIn(lang: Lang): Messages {
  if (!SPOKEN.includes(lang)) return messagesIn(BASE_LANG);
  const messages = kept.get(lang) ?? toMessages(readCatalogue(BASE_LANG), readCatalogue(lang), lang);
  kept.set(lang, messages);
  return messages;
}

let offers: ReadonlyMap<Lang, string> | undefined;

/** Offers the pages in a language, in its own words; undefined if they do not speak it, and only have names and texts in it. */
export function offerOf(lang: Lang): string | undefined {
  offers ??= readOffers();
  return offers.get(lang);
}

/** Each page has them all. */
const readOffers = () =>
  new Map(
    LANGUAGES.filter(({ code }) => SPOKEN.includes(code)).map(({ code, own }) => {
      const { offer } = readCatalogue(code);
      return [code, typeof offer === "string" ? offer : own];
    }),
  );
