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

interface Catalogue {
  /** What offers the pages in this language, in its own words. */
  offer: string;
  load: () => Promise<Messages>;
}

type Part<M> = Promise<{ default: M }>;

async function gather(
  ...parts: [Part<FrameMessages>, Part<HeroMessages>, Part<MirrorMessages>, Part<PairMessages>]
): Promise<Messages> {
  const [frame, heroes, mirror, pairs] = await Promise.all(parts);
  return { frame: frame.default, heroes: heroes.default, mirror: mirror.default, pairs: pairs.default };
}

const ENGLISH = { frame: FRAME_ENGLISH, heroes: HEROES_ENGLISH, mirror: MIRROR_ENGLISH, pairs: PAIRS_ENGLISH };

/** Loaded when asked for: together they would take some 10 MB. Khmer has none: nobody who can write it well has read it. */
const CATALOGUES: Readonly<Record<Exclude<Lang, "km">, Catalogue>> = {
  [BASE_LANG]: { offer: "These pages in English", load: async () => ENGLISH },
  id: {
    offer: "Halaman ini dalam bahasa Indonesia",
    load: () =>
      gather(
        import("./frame/indonesian.ts"),
        import("./heroes/indonesian.ts"),
        import("./mirror/indonesian.ts"),
        import("./pairs/indonesian.ts"),
      ),
  },
  ru: {
    offer: "Эти страницы на русском",
    load: () =>
      gather(
        import("./frame/russian.ts"),
        import("./heroes/russian.ts"),
        import("./mirror/russian.ts"),
        import("./pairs/russian.ts"),
      ),
  },
  es: {
    offer: "Estas páginas en español",
    load: () =>
      gather(
        import("./frame/spanish.ts"),
        import("./heroes/spanish.ts"),
        import("./mirror/spanish.ts"),
        import("./pairs/spanish.ts"),
      ),
  },
  pt: {
    offer: "Estas páginas em português",
    load: () =>
      gather(
        import("./frame/portuguese.ts"),
        import("./heroes/portuguese.ts"),
        import("./mirror/portuguese.ts"),
        import("./pairs/portuguese.ts"),
      ),
  },
  tr: {
    offer: "Bu sayfaların Türkçesi",
    load: () =>
      gather(
        import("./frame/turkish.ts"),
        import("./heroes/turkish.ts"),
        import("./mirror/turkish.ts"),
        import("./pairs/turkish.ts"),
      ),
  },
  ar: {
    offer: "هذه الصفحات بالعربية",
    load: () =>
      gather(
        import("./frame/arabic.ts"),
        import("./heroes/arabic.ts"),
        import("./mirror/arabic.ts"),
        import("./pairs/arabic.ts"),
      ),
  },
  de: {
    offer: "Diese Seiten auf Deutsch",
    load: () =>
      gather(
        import("./frame/german.ts"),
        import("./heroes/german.ts"),
        import("./mirror/german.ts"),
        import("./pairs/german.ts"),
      ),
  },
  fr: {
    offer: "Ces pages en français",
    load: () =>
      gather(
        import("./frame/french.ts"),
        import("./heroes/french.ts"),
        import("./mirror/french.ts"),
        import("./pairs/french.ts"),
      ),
  },
  it: {
    offer: "Queste pagine in italiano",
    load: () =>
      gather(
        import("./frame/italian.ts"),
        import("./heroes/italian.ts"),
        import("./mirror/italian.ts"),
        import("./pairs/italian.ts"),
      ),
  },
  ja: {
    offer: "このページを日本語で表示",
    load: () =>
      gather(
        import("./frame/japanese.ts"),
        import("./heroes/japanese.ts"),
        import("./mirror/japanese.ts"),
        import("./pairs/japanese.ts"),
      ),
  },
  ko: {
    offer: "이 페이지를 한국어로 보기",
    load: () =>
      gather(
        import("./frame/korean.ts"),
        import("./heroes/korean.ts"),
        import("./mirror/korean.ts"),
        import("./pairs/korean.ts"),
      ),
  },
  th: {
    offer: "ดูหน้าเหล่านี้เป็นภาษาไทย",
    load: () =>
      gather(
        import("./frame/thai.ts"),
        import("./heroes/thai.ts"),
        import("./mirror/thai.ts"),
        import("./pairs/thai.ts"),
      ),
  },
  vi: {
    offer: "Xem trang này bằng tiếng Việt",
    load: () =>
      gather(
        import("./frame/vietnamese.ts"),
        import("./heroes/vietnamese.ts"),
        import("./mirror/vietnamese.ts"),
        import("./pairs/vietnamese.ts"),
      ),
  },
  "zh-CN": {
    offer: "用简体中文查看这些页面",
    load: () =>
      gather(
        import("./frame/chinese-simplified.ts"),
        import("./heroes/chinese-simplified.ts"),
        import("./mirror/chinese-simplified.ts"),
        import("./pairs/chinese-simplified.ts"),
      ),
  },
  "zh-TW": {
    offer: "以繁體中文顯示這些頁面",
    load: () =>
      gather(
        import("./frame/chinese-traditional.ts"),
        import("./heroes/chinese-traditional.ts"),
        import("./mirror/chinese-traditional.ts"),
        import("./pairs/chinese-traditional.ts"),
      ),
  },
};

const loaded = new Map<Lang, Messages>([[BASE_LANG, ENGLISH]]);

/** What offers the pages in a language; undefined if they do not speak it, and only have names and texts in it. */
export const offerOf = (lang: Lang): string | undefined => (lang === "km" ? undefined : CATALOGUES[lang].offer);

/** English if a language has no catalogue. */
const spokenFor = (lang: Lang) => (lang === "km" ? BASE_LANG : lang);

/** Loads the words of a language; undefined if they are loaded. */
export function loadMessages(lang: Lang): Promise<void> | undefined {
  const spoken = spokenFor(lang);
  if (loaded.has(spoken)) return undefined;
  return CATALOGUES[spoken].load().then((messages) => void loaded.set(spoken, messages));
}

/** English if a language has no catalogue: `frame.language` says which it is. Throws if `loadMessages` has not loaded them. */
export function messagesIn(lang: Lang): Messages {
  const messages = loaded.get(spokenFor(lang));
  if (!messages) throw new Error(`the words of the pages in ${lang} are not loaded`);
  return messages;
}
