/**
 * The 17 languages of the service, in the order of the specification, with the script a text in that language is
 * expected to be written in (the name is a Unicode script, as `\p{Script=…}` takes it).
 */
export const LANGUAGES = [
  { code: "en", name: "English", script: "Latin" },
  { code: "id", name: "Indonesian", script: "Latin" },
  { code: "ru", name: "Russian", script: "Cyrillic" },
  { code: "es", name: "Spanish", script: "Latin" },
  { code: "pt", name: "Portuguese", script: "Latin" },
  { code: "tr", name: "Turkish", script: "Latin" },
  { code: "ar", name: "Arabic", script: "Arabic" },
  { code: "de", name: "German", script: "Latin" },
  { code: "fr", name: "French", script: "Latin" },
  { code: "it", name: "Italian", script: "Latin" },
  { code: "ja", name: "Japanese", script: "Japanese" },
  { code: "ko", name: "Korean", script: "Hangul" },
  { code: "th", name: "Thai", script: "Thai" },
  { code: "vi", name: "Vietnamese", script: "Latin" },
  { code: "zh-CN", name: "Chinese (simplified)", script: "Han" },
  { code: "zh-TW", name: "Chinese (traditional)", script: "Han" },
  { code: "km", name: "Khmer", script: "Khmer" },
] as const;

export type Lang = (typeof LANGUAGES)[number]["code"];

/** The language that numbers are asked in and that names fall back to. */
export const BASE_LANG = "en" satisfies Lang;

export const LANG_CODES = LANGUAGES.map((language) => language.code);
