import { type Slice, sliceKey } from "../../api/endpoint.ts";
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

type Issue = "missing" | "same_as_english" | "wrong_script" | "placeholder";

/** A text that is not as it should be: a row of the table `text_issue`. */
export interface IssueRow {
  dataset: string;
  lang: string;
  slice: string;
  /** Of the record, as in the archive. */
  position: number;
  english_position: number | null;
  path: string;
  issue: Issue;
}

/** Issues of an endpoint in a language that are kept one by one; more are only counted. */
export const MAX_ISSUES = 1000;

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

interface English {
  position: number;
  texts: readonly Text[];
}

interface Text {
  path: string;
  text: string;
}

/** Looks at texts record by record. The English records of a dataset must come before those in other languages. */
export function createQualityCounter() {
  const rows = new Map<string, QualityRow>();
  const english = new Map<string, English>();
  const issues: IssueRow[] = [];
  const kept = new Map<QualityRow, number>();

  function rowOf({ dataset, lang }: Slice): QualityRow {
    const id = `${dataset} ${lang}`;
    const none = { texts: 0, missing: 0, same_as_english: 0, wrong_script: 0, placeholder: 0 };
    const row = rows.get(id) ?? { dataset, lang, ...none };
    rows.set(id, row);
    return row;
  }

  return {
    /** `position` is the record's in its slice; `key` what it has in common with the English one. */
    add(slice: Slice, position: number, key: string, record: unknown) {
      const { dataset, lang } = slice;
      const paths = textsOf.get(dataset) ?? [];
      if (paths.length === 0) return;
      const texts = paths.flatMap((path) => readTexts(record, path, 0, ""));
      const id = `${dataset} ${key}`;
      if (lang === BASE_LANG) english.set(id, { position, texts });
      const base = english.get(id);
      const row = rowOf(slice);
      const keep = (path: string, issue: Issue) => {
        const count = kept.get(row) ?? 0;
        if (count >= MAX_ISSUES) return;
        kept.set(row, count + 1);
        const english_position = base?.position ?? null;
        issues.push({ dataset, lang, slice: sliceKey(slice), position, english_position, path, issue });
      };
      const isAligned = base?.texts.length === texts.length;
      for (const [place, { path, text }] of texts.entries()) {
        row.texts += 1;
        const issue = findIssue(text, lang, isAligned ? base.texts[place]?.text : undefined);
        if (!issue) continue;
        row[issue] += 1;
        keep(path, issue);
      }
      if (!base || lang === BASE_LANG) return;
      const there = new Set(texts.map(({ path }) => path));
      for (const { path, text } of base.texts) if (text.trim() !== "" && !there.has(path)) keep(path, "missing");
    },
    rows: () => [...rows.values()],
    issues: () => issues,
  };
}

/** `english`: the same text in English, where it is known which that is. */
function findIssue(text: string, lang: string, english: string | undefined): Issue | undefined {
  if (text.trim() === "") return "missing";
  if (PLACEHOLDER.test(text)) return "placeholder";
  if (lang !== BASE_LANG && isSentence(text) && english === text) return "same_as_english";
  return /\p{L}/u.test(text) && !scriptOf.get(lang)?.test(text) ? "wrong_script" : undefined;
}

/** The texts at a path, each with its own, as `json_extract` takes it behind `$.`. */
function readTexts(node: unknown, path: readonly string[], place: number, above: string): Text[] {
  const step = path[place];
  if (step === undefined) return typeof node === "string" ? [{ path: above, text: node }] : [];
  if (node === null || typeof node !== "object") return [];
  const list = step.endsWith("[]");
  const name = list ? step.slice(0, -2) : step;
  const next = (node as Record<string, unknown>)[name];
  const at = above ? `${above}.${name}` : name;
  if (!list) return readTexts(next, path, place + 1, at);
  // The strings in an array of objects are padding, not texts.
  const elements = Array.isArray(next) ? [...next.entries()] : [];
  const objects = elements.filter(([, element]) => typeof element === "object");
  return (objects.length > 0 ? objects : elements).flatMap(([index, element]) =>
    readTexts(element, path, place + 1, `${at}[${index}]`),
  );
}

/** Share of the texts of a dataset in a language that may be bad before the run warns. */
const MAX_POOR_SHARE = 0.2;

export const isPoor = ({ texts, missing, same_as_english, wrong_script, placeholder }: QualityRow) =>
  texts > 0 && (missing + same_as_english + wrong_script + placeholder) / texts > MAX_POOR_SHARE;
