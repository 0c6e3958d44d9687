import { hash } from "node:crypto";
import { MAX_LINE_CHARS } from "../../api/body/bounds.ts";
import type { Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { BASE_LANG, LANGUAGES } from "../../api/enumerations.ts";
import type { NumberedSlice } from "../schema/row-source.ts";

/** The quality of the texts of one dataset in one language; each column counts texts. */
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

/** A text with an issue: a row of the table `text_issue`. */
export interface IssueRow {
  slice_id: number;
  /** The position of the record in the archive. */
  position: number;
  english_position: number | null;
  path: string;
  issue: Issue;
}

/** The most issues of an endpoint in a language that are kept one by one; more are only counted. */
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

/** Tells whether a text is a sentence: names are often the same in all languages, a sentence is not. */
const isSentence = (text: string) => text.trim().includes(" ") && text.length >= 20;

interface English {
  position: number;
  texts: readonly string[];
  /** Paths in the first of the records. */
  paths: readonly string[];
}

/** The most paths of a record that are remembered. Real ones have a hundred texts; one may have millions. */
const MAX_PATHS = 1000;

/** Called with each text, and with its path if that was asked for. */
type Visit = (text: string, path: string) => void;

/** Makes a counter of texts, record by record. The English records of a dataset must come before those in other languages. */
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
    /** `position` is the record's in its slice; `key` is shared with the English record. */
    add({ id: slice_id, slice }: NumberedSlice, position: number, key: string, record: unknown) {
      const { dataset, lang } = slice;
      const paths = textsOf.get(dataset) ?? [];
      if (paths.length === 0) return;
      const texts: string[] = [];
      const firstPaths: string[] = [];
      const isEnglish = lang === BASE_LANG;
      visitTexts(record, paths, isEnglish, (text, path) => {
        texts.push(toKept(text));
        if (isEnglish && firstPaths.length < MAX_PATHS) firstPaths.push(path);
      });
      const id = `${dataset} ${key}`;
      if (isEnglish) english.set(id, { position, texts, paths: firstPaths });
      const base = english.get(id);
      const row = rowOf(slice);
      const keep = (path: string, issue: Issue) => {
        const count = kept.get(row) ?? 0;
        if (count >= MAX_ISSUES) return;
        kept.set(row, count + 1);
        const english_position = base?.position ?? null;
        issues.push({ slice_id, position, english_position, path, issue });
      };
      const isAligned = base?.texts.length === texts.length;
      row.texts += texts.length;
      const issueByText = new Map<number, Issue>();
      for (const [index, text] of texts.entries()) {
        const issue = findIssue(text, lang, isAligned ? base.texts[index] : undefined);
        if (!issue) continue;
        row[issue] += 1;
        if (issueByText.size < MAX_ISSUES) issueByText.set(index, issue);
      }
      let index = 0;
      if (issueByText.size > 0)
        visitTexts(record, paths, true, (_, path) => {
          const issue = issueByText.get(index++);
          if (issue) keep(path, issue);
        });
      if (!base || isAligned) return;
      const there = new Set<string>();
      visitTexts(record, paths, true, (_, path) => void (there.size < MAX_PATHS && there.add(path)));
      // With more paths than are remembered, one that is not among them may yet be there.
      if (there.size === MAX_PATHS) return;
      for (const [index, path] of base.paths.entries())
        if (base.texts[index]?.trim() && !there.has(path)) keep(path, "missing");
    },
    rows: () => [...rows.values()],
    issues: () => issues,
  };
}

/** Returns the text to keep, or its hash, which is as good to compare with: the stories of all heroes are not kept. */
const toKept = (text: string) => (text.length > MAX_LINE_CHARS ? hash("sha256", text) : text);

/** Finds the issue of a text. `english`: the same text in English, if it is known. */
function findIssue(text: string, lang: string, english: string | undefined): Issue | undefined {
  if (text.trim() === "") return "missing";
  if (PLACEHOLDER.test(text)) return "placeholder";
  if (lang !== BASE_LANG && isSentence(text) && english === text) return "same_as_english";
  return /\p{L}/u.test(text) && !scriptOf.get(lang)?.test(text) ? "wrong_script" : undefined;
}

/** Visits the texts of a record one by one: a hostile one has more than may be held with their paths. */
function visitTexts(record: unknown, paths: readonly (readonly string[])[], withPaths: boolean, visit: Visit) {
  const descend = (node: unknown, path: readonly string[], depth: number, above: string): void => {
    const step = path[depth];
    if (step === undefined) {
      if (typeof node === "string") visit(node, above);
      return;
    }
    if (node === null || typeof node !== "object") return;
    const list = step.endsWith("[]");
    const name = list ? step.slice(0, -2) : step;
    const next = (node as Record<string, unknown>)[name];
    // The form of a path behind `$.` in `json_extract`.
    const below = withPaths ? (above ? `${above}.${name}` : name) : "";
    if (!list) descend(next, path, depth + 1, below);
    if (!list || !Array.isArray(next)) return;
    // The strings in an array of objects are padding, not texts.
    const hasObjects = next.some((element) => typeof element === "object");
    for (const [index, element] of next.entries())
      if (!hasObjects || typeof element === "object")
        descend(element, path, depth + 1, withPaths ? `${below}[${index}]` : "");
  };
  for (const path of paths) descend(record, path, 0, "");
}

/** The share of the texts of a dataset in a language that may be bad before the run warns. */
const MAX_POOR_SHARE = 0.2;

export const isPoor = (row: QualityRow): boolean => row.texts > 0 && flawedShare(row) > MAX_POOR_SHARE;

export const flawedShare = ({ texts, missing, same_as_english, wrong_script, placeholder }: QualityRow): number =>
  (missing + same_as_english + wrong_script + placeholder) / texts;
