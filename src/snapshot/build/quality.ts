import { ENDPOINTS } from "../../api/endpoints.ts";
import { BASE_LANG, LANGUAGES } from "../../api/enumerations.ts";

/** How the texts of one dataset look in one language; each column counts texts. */
export interface QualityRow {
  dataset: string;
  lang: string;
  texts: number;
  missing: number;
  same_as_english: number;
  wrong_script: number;
  placeholder: number;
}

const SCRIPTS: Record<string, RegExp> = {
  Latin: /\p{Script=Latin}/u,
  Cyrillic: /\p{Script=Cyrillic}/u,
  Arabic: /\p{Script=Arabic}/u,
  Japanese: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  Hangul: /\p{Script=Hangul}/u,
  Thai: /\p{Script=Thai}/u,
  Han: /\p{Script=Han}/u,
  Khmer: /\p{Script=Khmer}/u,
};

const scriptOf = new Map(LANGUAGES.map(({ code, script }) => [code as string, SCRIPTS[script] ?? /\p{L}/u]));
const textsOf = new Map(ENDPOINTS.map(({ dataset, texts = [] }) => [dataset, texts.map((path) => path.split("."))]));

const PLACEHOLDER = /^\s*(?:tbd|todo|n\/a|null|undefined|none|xxx+|\?+|-+|\.+)\s*$|lorem ipsum|\{\d+\}|%[sd]|@__/i;

/** Texts that are sentences: names are often the same in all languages, a sentence is not. */
const isSentence = (text: string) => text.trim().includes(" ") && text.length >= 20;

/** Counts texts record by record. The English records of a dataset must come before those in other languages. */
export function createQualityCounter() {
  const rows = new Map<string, QualityRow>();
  const english = new Map<string, string[]>();

  return {
    add(dataset: string, lang: string, key: string, record: unknown) {
      const paths = textsOf.get(dataset) ?? [];
      if (paths.length === 0) return;
      const texts = paths.flatMap((path) => readTexts(record, path, 0));
      if (lang === BASE_LANG) english.set(`${dataset} ${key}`, texts);
      const base = english.get(`${dataset} ${key}`);
      const id = `${dataset} ${lang}`;
      const row = rows.get(id) ?? {
        dataset,
        lang,
        texts: 0,
        missing: 0,
        same_as_english: 0,
        wrong_script: 0,
        placeholder: 0,
      };
      rows.set(id, row);
      for (const [place, text] of texts.entries()) {
        row.texts += 1;
        if (text.trim() === "") row.missing += 1;
        else if (PLACEHOLDER.test(text)) row.placeholder += 1;
        else if (lang !== BASE_LANG && isSentence(text) && base?.length === texts.length && base[place] === text)
          row.same_as_english += 1;
        else if (/\p{L}/u.test(text) && !scriptOf.get(lang)?.test(text)) row.wrong_script += 1;
      }
    },
    rows: () => [...rows.values()],
  };
}

function readTexts(node: unknown, path: readonly string[], place: number): string[] {
  const step = path[place];
  if (step === undefined) return typeof node === "string" ? [node] : [];
  if (node === null || typeof node !== "object") return [];
  const list = step.endsWith("[]");
  const next = (node as Record<string, unknown>)[list ? step.slice(0, -2) : step];
  if (!list) return readTexts(next, path, place + 1);
  // The strings in an array of objects are padding, not texts.
  const elements = Array.isArray(next) ? next : [];
  const objects = elements.filter((element) => typeof element === "object");
  return (objects.length > 0 ? objects : elements).flatMap((element) => readTexts(element, path, place + 1));
}

/** Share of the texts of a dataset in a language that may be bad before the run warns. */
const MAX_POOR_SHARE = 0.2;

export const isPoor = ({ texts, missing, same_as_english, wrong_script, placeholder }: QualityRow) =>
  texts > 0 && (missing + same_as_english + wrong_script + placeholder) / texts > MAX_POOR_SHARE;
