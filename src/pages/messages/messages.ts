import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { FRAME_ENGLISH, type FrameMessages } from "./frame/english.ts";
import { HEROES_ENGLISH, type HeroMessages } from "./heroes/english.ts";
import { MIRROR_ENGLISH, type MirrorMessages } from "./mirror/english.ts";
import { PAIRS_ENGLISH, type PairMessages } from "./pairs/english.ts";

/** The words of the pages in one language: a message that is missing does not compile. */
export interface Messages {
  frame: FrameMessages;
  heroes: HeroMessages;
  mirror: MirrorMessages;
  pairs: PairMessages;
}

type Part<M> = Promise<{ default: M }>;

async function gather(
  ...parts: [Part<FrameMessages>, Part<HeroMessages>, Part<MirrorMessages>, Part<PairMessages>]
): Promise<Messages> {
  const [frame, heroes, mirror, pairs] = await Promise.all(parts);
  return { frame: frame.default, heroes: heroes.default, mirror: mirror.default, pairs: pairs.default };
}

const ENGLISH = { frame: FRAME_ENGLISH, heroes: HEROES_ENGLISH, mirror: MIRROR_ENGLISH, pairs: PAIRS_ENGLISH };

/** What offers the pages in a language, in its own words. Khmer has no catalogue: nobody who can write it well has read it. */
const OFFERS: Readonly<Record<Exclude<Lang, "km">, string>> = {
  [BASE_LANG]: "These pages in English",
  id: "Halaman ini dalam bahasa Indonesia",
  ru: "Эти страницы на русском",
  es: "Estas páginas en español",
  pt: "Estas páginas em português",
  tr: "Bu sayfaların Türkçesi",
  ar: "هذه الصفحات بالعربية",
  de: "Diese Seiten auf Deutsch",
  fr: "Ces pages en français",
  it: "Queste pagine in italiano",
  ja: "このページを日本語で表示",
  ko: "이 페이지를 한국어로 보기",
  th: "ดูหน้าเหล่านี้เป็นภาษาไทย",
  vi: "Xem trang này bằng tiếng Việt",
  "zh-CN": "用简体中文查看这些页面",
  "zh-TW": "以繁體中文顯示這些頁面",
};

/** Loaded when asked for: together they would take some 10 MB. */
const CATALOGUES: Readonly<Record<Exclude<Lang, typeof BASE_LANG | "km">, () => Promise<Messages>>> = {
  id: () =>
    gather(
      import("./frame/indonesian.ts"),
      import("./heroes/indonesian.ts"),
      import("./mirror/indonesian.ts"),
      import("./pairs/indonesian.ts"),
    ),
  ru: () =>
    gather(
      import("./frame/russian.ts"),
      import("./heroes/russian.ts"),
      import("./mirror/russian.ts"),
      import("./pairs/russian.ts"),
    ),
  es: () =>
    gather(
      import("./frame/spanish.ts"),
      import("./heroes/spanish.ts"),
      import("./mirror/spanish.ts"),
      import("./pairs/spanish.ts"),
    ),
  pt: () =>
    gather(
      import("./frame/portuguese.ts"),
      import("./heroes/portuguese.ts"),
      import("./mirror/portuguese.ts"),
      import("./pairs/portuguese.ts"),
    ),
  tr: () =>
    gather(
      import("./frame/turkish.ts"),
      import("./heroes/turkish.ts"),
      import("./mirror/turkish.ts"),
      import("./pairs/turkish.ts"),
    ),
  ar: () =>
    gather(
      import("./frame/arabic.ts"),
      import("./heroes/arabic.ts"),
      import("./mirror/arabic.ts"),
      import("./pairs/arabic.ts"),
    ),
  de: () =>
    gather(
      import("./frame/german.ts"),
      import("./heroes/german.ts"),
      import("./mirror/german.ts"),
      import("./pairs/german.ts"),
    ),
  fr: () =>
    gather(
      import("./frame/french.ts"),
      import("./heroes/french.ts"),
      import("./mirror/french.ts"),
      import("./pairs/french.ts"),
    ),
  it: () =>
    gather(
      import("./frame/italian.ts"),
      import("./heroes/italian.ts"),
      import("./mirror/italian.ts"),
      import("./pairs/italian.ts"),
    ),
  ja: () =>
    gather(
      import("./frame/japanese.ts"),
      import("./heroes/japanese.ts"),
      import("./mirror/japanese.ts"),
      import("./pairs/japanese.ts"),
    ),
  ko: () =>
    gather(
      import("./frame/korean.ts"),
      import("./heroes/korean.ts"),
      import("./mirror/korean.ts"),
      import("./pairs/korean.ts"),
    ),
  th: () =>
    gather(
      import("./frame/thai.ts"),
      import("./heroes/thai.ts"),
      import("./mirror/thai.ts"),
      import("./pairs/thai.ts"),
    ),
  vi: () =>
    gather(
      import("./frame/vietnamese.ts"),
      import("./heroes/vietnamese.ts"),
      import("./mirror/vietnamese.ts"),
      import("./pairs/vietnamese.ts"),
    ),
  "zh-CN": () =>
    gather(
      import("./frame/chinese-simplified.ts"),
      import("./heroes/chinese-simplified.ts"),
      import("./mirror/chinese-simplified.ts"),
      import("./pairs/chinese-simplified.ts"),
    ),
  "zh-TW": () =>
    gather(
      import("./frame/chinese-traditional.ts"),
      import("./heroes/chinese-traditional.ts"),
      import("./mirror/chinese-traditional.ts"),
      import("./pairs/chinese-traditional.ts"),
    ),
};

const loaded = new Map<Lang, Messages>([
  [BASE_LANG, ENGLISH],
  ["km", ENGLISH],
]);

/** What offers the pages in a language; undefined if they do not speak it, and only have names and texts in it. */
export const offerOf = (lang: Lang): string | undefined => (lang === "km" ? undefined : OFFERS[lang]);

/** Loads the words of a language; undefined if they are loaded. */
export function loadMessages(lang: Lang): Promise<void> | undefined {
  if (lang === BASE_LANG || lang === "km" || loaded.has(lang)) return undefined;
  return CATALOGUES[lang]().then((messages) => void loaded.set(lang, messages));
}

/** English if a language has no catalogue: `frame.language` says which it is. Throws if `loadMessages` has not loaded them. */
export function messagesIn(lang: Lang): Messages {
  const messages = loaded.get(lang);
  if (!messages) throw new Error(`the words of the pages in ${lang} are not loaded`);
  return messages;
}
