import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { FRAME_ENGLISH } from "./frame/english.ts";
import { HEROES_ENGLISH } from "./heroes/english.ts";
import { MIRROR_ENGLISH } from "./mirror/english.ts";
import { PAIRS_ENGLISH } from "./pairs/english.ts";

export type FrameMessages = typeof FRAME_ENGLISH;
export type HeroMessages = typeof HEROES_ENGLISH;
export type PairMessages = typeof PAIRS_ENGLISH;
export type MirrorMessages = typeof MIRROR_ENGLISH;

/** The words of the pages in one language: a message that is missing does not compile. */
export interface Messages {
  frame: FrameMessages;
  mirror: MirrorMessages;
  heroes: HeroMessages;
  pairs: PairMessages;
}

const ENGLISH: Messages = {
  frame: FRAME_ENGLISH,
  mirror: MIRROR_ENGLISH,
  heroes: HEROES_ENGLISH,
  pairs: PAIRS_ENGLISH,
};

/** What has been written by somebody who knows the language, and read again. */
const CATALOGUES: Readonly<Partial<Record<Lang, Messages>>> = { [BASE_LANG]: ENGLISH };

/** The languages with words of their own; the first is English. */
export const TRANSLATED = Object.keys(CATALOGUES) as readonly Lang[];

/** English if a language has no catalogue: `frame.language` says which it is. */
export const messagesIn = (lang: Lang): Messages => CATALOGUES[lang] ?? ENGLISH;
