import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { FRAME_ARABIC } from "./frame/arabic.ts";
import { FRAME_CHINESE_SIMPLIFIED } from "./frame/chinese-simplified.ts";
import { FRAME_CHINESE_TRADITIONAL } from "./frame/chinese-traditional.ts";
import { FRAME_ENGLISH, type FrameMessages } from "./frame/english.ts";
import { FRAME_FRENCH } from "./frame/french.ts";
import { FRAME_GERMAN } from "./frame/german.ts";
import { FRAME_INDONESIAN } from "./frame/indonesian.ts";
import { FRAME_ITALIAN } from "./frame/italian.ts";
import { FRAME_JAPANESE } from "./frame/japanese.ts";
import { FRAME_KOREAN } from "./frame/korean.ts";
import { FRAME_PORTUGUESE } from "./frame/portuguese.ts";
import { FRAME_RUSSIAN } from "./frame/russian.ts";
import { FRAME_SPANISH } from "./frame/spanish.ts";
import { FRAME_THAI } from "./frame/thai.ts";
import { FRAME_TURKISH } from "./frame/turkish.ts";
import { FRAME_VIETNAMESE } from "./frame/vietnamese.ts";
import { HEROES_ARABIC } from "./heroes/arabic.ts";
import { HEROES_CHINESE_SIMPLIFIED } from "./heroes/chinese-simplified.ts";
import { HEROES_CHINESE_TRADITIONAL } from "./heroes/chinese-traditional.ts";
import { HEROES_ENGLISH, type HeroMessages } from "./heroes/english.ts";
import { HEROES_FRENCH } from "./heroes/french.ts";
import { HEROES_GERMAN } from "./heroes/german.ts";
import { HEROES_INDONESIAN } from "./heroes/indonesian.ts";
import { HEROES_ITALIAN } from "./heroes/italian.ts";
import { HEROES_JAPANESE } from "./heroes/japanese.ts";
import { HEROES_KOREAN } from "./heroes/korean.ts";
import { HEROES_PORTUGUESE } from "./heroes/portuguese.ts";
import { HEROES_RUSSIAN } from "./heroes/russian.ts";
import { HEROES_SPANISH } from "./heroes/spanish.ts";
import { HEROES_THAI } from "./heroes/thai.ts";
import { HEROES_TURKISH } from "./heroes/turkish.ts";
import { HEROES_VIETNAMESE } from "./heroes/vietnamese.ts";
import { MIRROR_ARABIC } from "./mirror/arabic.ts";
import { MIRROR_CHINESE_SIMPLIFIED } from "./mirror/chinese-simplified.ts";
import { MIRROR_CHINESE_TRADITIONAL } from "./mirror/chinese-traditional.ts";
import { MIRROR_ENGLISH, type MirrorMessages } from "./mirror/english.ts";
import { MIRROR_FRENCH } from "./mirror/french.ts";
import { MIRROR_GERMAN } from "./mirror/german.ts";
import { MIRROR_INDONESIAN } from "./mirror/indonesian.ts";
import { MIRROR_ITALIAN } from "./mirror/italian.ts";
import { MIRROR_JAPANESE } from "./mirror/japanese.ts";
import { MIRROR_KOREAN } from "./mirror/korean.ts";
import { MIRROR_PORTUGUESE } from "./mirror/portuguese.ts";
import { MIRROR_RUSSIAN } from "./mirror/russian.ts";
import { MIRROR_SPANISH } from "./mirror/spanish.ts";
import { MIRROR_THAI } from "./mirror/thai.ts";
import { MIRROR_TURKISH } from "./mirror/turkish.ts";
import { MIRROR_VIETNAMESE } from "./mirror/vietnamese.ts";
import { PAIRS_ARABIC } from "./pairs/arabic.ts";
import { PAIRS_CHINESE_SIMPLIFIED } from "./pairs/chinese-simplified.ts";
import { PAIRS_CHINESE_TRADITIONAL } from "./pairs/chinese-traditional.ts";
import { PAIRS_ENGLISH, type PairMessages } from "./pairs/english.ts";
import { PAIRS_FRENCH } from "./pairs/french.ts";
import { PAIRS_GERMAN } from "./pairs/german.ts";
import { PAIRS_INDONESIAN } from "./pairs/indonesian.ts";
import { PAIRS_ITALIAN } from "./pairs/italian.ts";
import { PAIRS_JAPANESE } from "./pairs/japanese.ts";
import { PAIRS_KOREAN } from "./pairs/korean.ts";
import { PAIRS_PORTUGUESE } from "./pairs/portuguese.ts";
import { PAIRS_RUSSIAN } from "./pairs/russian.ts";
import { PAIRS_SPANISH } from "./pairs/spanish.ts";
import { PAIRS_THAI } from "./pairs/thai.ts";
import { PAIRS_TURKISH } from "./pairs/turkish.ts";
import { PAIRS_VIETNAMESE } from "./pairs/vietnamese.ts";

/** The words of the pages in one language: a message that is missing does not compile. */
export interface Messages {
  frame: FrameMessages;
  heroes: HeroMessages;
  mirror: MirrorMessages;
  pairs: PairMessages;
}

const catalogue = (
  frame: FrameMessages,
  heroes: HeroMessages,
  mirror: MirrorMessages,
  pairs: PairMessages,
): Messages => ({ frame, heroes, mirror, pairs });

const ENGLISH = catalogue(FRAME_ENGLISH, HEROES_ENGLISH, MIRROR_ENGLISH, PAIRS_ENGLISH);

/** Khmer has none: nobody who can write it well has read it. */
const CATALOGUES: Readonly<Record<Exclude<Lang, "km">, Messages>> = {
  [BASE_LANG]: ENGLISH,
  id: catalogue(FRAME_INDONESIAN, HEROES_INDONESIAN, MIRROR_INDONESIAN, PAIRS_INDONESIAN),
  ru: catalogue(FRAME_RUSSIAN, HEROES_RUSSIAN, MIRROR_RUSSIAN, PAIRS_RUSSIAN),
  es: catalogue(FRAME_SPANISH, HEROES_SPANISH, MIRROR_SPANISH, PAIRS_SPANISH),
  pt: catalogue(FRAME_PORTUGUESE, HEROES_PORTUGUESE, MIRROR_PORTUGUESE, PAIRS_PORTUGUESE),
  tr: catalogue(FRAME_TURKISH, HEROES_TURKISH, MIRROR_TURKISH, PAIRS_TURKISH),
  ar: catalogue(FRAME_ARABIC, HEROES_ARABIC, MIRROR_ARABIC, PAIRS_ARABIC),
  de: catalogue(FRAME_GERMAN, HEROES_GERMAN, MIRROR_GERMAN, PAIRS_GERMAN),
  fr: catalogue(FRAME_FRENCH, HEROES_FRENCH, MIRROR_FRENCH, PAIRS_FRENCH),
  it: catalogue(FRAME_ITALIAN, HEROES_ITALIAN, MIRROR_ITALIAN, PAIRS_ITALIAN),
  ja: catalogue(FRAME_JAPANESE, HEROES_JAPANESE, MIRROR_JAPANESE, PAIRS_JAPANESE),
  ko: catalogue(FRAME_KOREAN, HEROES_KOREAN, MIRROR_KOREAN, PAIRS_KOREAN),
  th: catalogue(FRAME_THAI, HEROES_THAI, MIRROR_THAI, PAIRS_THAI),
  vi: catalogue(FRAME_VIETNAMESE, HEROES_VIETNAMESE, MIRROR_VIETNAMESE, PAIRS_VIETNAMESE),
  "zh-CN": catalogue(
    FRAME_CHINESE_SIMPLIFIED,
    HEROES_CHINESE_SIMPLIFIED,
    MIRROR_CHINESE_SIMPLIFIED,
    PAIRS_CHINESE_SIMPLIFIED,
  ),
  "zh-TW": catalogue(
    FRAME_CHINESE_TRADITIONAL,
    HEROES_CHINESE_TRADITIONAL,
    MIRROR_CHINESE_TRADITIONAL,
    PAIRS_CHINESE_TRADITIONAL,
  ),
};

/** English if a language has no catalogue: `frame.language` says which it is. */
export const messagesIn = (lang: Lang): Messages => (lang === "km" ? ENGLISH : CATALOGUES[lang]);

/** Whether the pages speak a language, and do not only have names and texts in it. */
export const hasCatalogue = (lang: Lang): boolean => messagesIn(lang).frame.language === lang;
