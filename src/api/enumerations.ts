/**
 * The 17 languages of the service, in the order of the specification, with the script a text in that language is
 * expected to be written in (the name is a Unicode script, as `\p{Script=…}` takes it).
 */
export const LANGUAGES = [
  { code: "en", name: "English", own: "English", script: "Latin" },
  { code: "id", name: "Indonesian", own: "Bahasa Indonesia", script: "Latin" },
  { code: "ru", name: "Russian", own: "Русский", script: "Cyrillic" },
  { code: "es", name: "Spanish", own: "Español", script: "Latin" },
  { code: "pt", name: "Portuguese", own: "Português", script: "Latin" },
  { code: "tr", name: "Turkish", own: "Türkçe", script: "Latin" },
  { code: "ar", name: "Arabic", own: "العربية", script: "Arabic" },
  { code: "de", name: "German", own: "Deutsch", script: "Latin" },
  { code: "fr", name: "French", own: "Français", script: "Latin" },
  { code: "it", name: "Italian", own: "Italiano", script: "Latin" },
  { code: "ja", name: "Japanese", own: "日本語", script: "Japanese" },
  { code: "ko", name: "Korean", own: "한국어", script: "Hangul" },
  { code: "th", name: "Thai", own: "ไทย", script: "Thai" },
  { code: "vi", name: "Vietnamese", own: "Tiếng Việt", script: "Latin" },
  { code: "zh-CN", name: "Chinese (simplified)", own: "简体中文", script: "Han" },
  { code: "zh-TW", name: "Chinese (traditional)", own: "繁體中文", script: "Han" },
  { code: "km", name: "Khmer", own: "ខ្មែរ", script: "Khmer" },
] as const;

export type Lang = (typeof LANGUAGES)[number]["code"];

/** The language that numbers are asked in and that names fall back to. */
export const BASE_LANG = "en" satisfies Lang;

export const LANG_CODES = LANGUAGES.map((language) => language.code);

/** Rank brackets. `bigrank` is the publisher's own code, which records carry as a string. */
export const RANKS = [
  { code: "all", name: "All ranks", bigrank: "101" },
  { code: "epic", name: "Epic", bigrank: "5" },
  { code: "legend", name: "Legend", bigrank: "6" },
  { code: "mythic", name: "Mythic", bigrank: "7" },
  { code: "honor", name: "Mythical Honor", bigrank: "8" },
  { code: "glory", name: "Mythical Glory and above", bigrank: "9" },
] as const;

export type Rank = (typeof RANKS)[number]["code"];

export const RANK_CODES = RANKS.map((rank) => rank.code);

/** Day windows that the rates of rank, counters and compatibility are taken over. The wire form is a string. */
export const DAY_WINDOWS = ["1", "3", "7", "15", "30"] as const;

/** Lengths of the daily series of a trend. */
export const TREND_WINDOWS = ["7", "15", "30"] as const;

/**
 * Roles and lanes. The id is the publisher's (`sort_id`, `road_sort_id` in the records); titles beside it are localised
 * text and never a key.
 */
export const ROLES = [
  { code: "tank", id: "1" },
  { code: "fighter", id: "2" },
  { code: "assassin", id: "3" },
  { code: "mage", id: "4" },
  { code: "marksman", id: "5" },
  { code: "support", id: "6" },
] as const;

export const LANES = [
  { code: "exp", id: "1" },
  { code: "mid", id: "2" },
  { code: "roam", id: "3" },
  { code: "jungle", id: "4" },
  { code: "gold", id: "5" },
] as const;

export const ROLE_CODES = ROLES.map((role) => role.code);
export const LANE_CODES = LANES.map((lane) => lane.code);
