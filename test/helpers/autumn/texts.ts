import { LANGUAGES, type Lang } from "../../../src/api/enumerations.ts";
import { hash, pick, upTo } from "./draws.ts";

/** Some letters of each script that a language is written in. */
const LETTERS: Readonly<Record<string, string>> = {
  Latin: "aeioulmnrstdgk",
  Cyrillic: "аеиоулмнрстдгк",
  Arabic: "ابتجدرسعفقلمنهوي",
  Japanese: "アイウエオカキクケコサシスセソタチツテトナニ",
  Hangul: "가나다라마바사아자차카타파하고노도로",
  Thai: "กขคงจชตทนบปมยรลวสหอ",
  Han: "天地人山水火木金土日月星石田雨",
  Khmer: "កខគងចឆជញដថទនបផពភមយរលវសហអ",
};

const scripts = new Map<Lang, string>(LANGUAGES.map(({ code, script }) => [code, script]));

/** Words without a meaning in the script of a language, always the same for the same thing. */
export function words(lang: Lang, count: number, ...thing: readonly (string | number)[]): string {
  const letters = [...(LETTERS[scripts.get(lang) ?? ""] ?? "a")];
  const word = (at: number) =>
    upTo(3 + (hash(lang, at, ...thing) % 4))
      .map((place) => pick(letters, lang, at, place, ...thing))
      .join("");
  return upTo(count).map(word).join(" ");
}

const NAMES = ["Arden", "Brisa", "Corvo", "Dalia", "Edric", "Fenna", "Garro", "Hesta", "Ilmar", "Jorun", "Kelda"];

/** Languages in Latin script keep the English name of a hero. */
export const heroName = (id: number, lang: Lang) =>
  scripts.get(lang) === "Latin" ? (NAMES[id - 1] ?? `Hero ${id}`) : words(lang, 2, "name", id);

/** The publisher's notes are Chinese in every language. */
export const note = (...thing: readonly (string | number)[]) => words("zh-CN", 1, "note", ...thing);

/** The address of a picture. It depends on nothing but what it shows. */
export const picture = (kind: string, id: number, ending = "png") =>
  `https://pictures.example/web/${kind.replaceAll(" ", "-")}/100_${hash(kind, id).toString(16).padStart(8, "0")}.${ending}`;

const PICTURE = /^https?:\/\/[^?#]+\.(?:png|jpe?g|webp|gif|avif|bmp|svg)$/i;

/** For `JSON.stringify`. */
export const throughProxy = (_key: string, value: unknown) =>
  typeof value === "string" && PICTURE.test(value) ? `https://wsrv.nl/?url=${encodeURIComponent(value)}` : value;
