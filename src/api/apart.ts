import { sanitizeLine } from "./sanitize.ts";

/** Stands for the second of two numbers that are the same. */
export const THE_SAME = "the same";

const MAX_DIGITS = 20;

/** Writes two numbers with as many digits behind the point as it takes to print them differently, and at least `least`. */
export function numbersApart(
  before: number,
  after: number,
  write: (value: number, digits: number) => string,
  least: number,
): [string, string] {
  for (let digits = least; before !== after && digits <= MAX_DIGITS; digits += 1) {
    const sides: [string, string] = [write(before, digits), write(after, digits)];
    if (sides[0] !== sides[1]) return sides;
  }
  return [write(before, least), THE_SAME];
}

/** The most characters that are shown beside a difference in a text that is too long to be shown whole. */
const CONTEXT_CHARS = 30;

type Cell = string | number | null;

/**
 * Writes two different cells as texts of at most so many characters that look different: as they are, else from where they differ, else
 * with escapes for invisible characters.
 */
export function cellsApart(before: Cell, after: Cell, most = Number.POSITIVE_INFINITY): [string, string] {
  const plain: [string, string] = [showCell(before), showCell(after)];
  const exact: [string, string] = [quoteCell(before), quoteCell(after)];
  const forms = [cutBoth(plain, 0, most), cutToDifference(plain, most), cutToDifference(exact, most)];
  return forms.find(([left, right]) => lookOf(left) !== lookOf(right)) ?? exact;
}

const showCell = (cell: Cell) => (cell === null ? "nothing" : String(cell));

const quoteCell = (cell: Cell) => (typeof cell === "string" ? `"${escapeUnseen(cell)}"` : showCell(cell));

/** Reduces a text to what a reader sees of it. */
const lookOf = (text: string) => sanitizeLine(text).replaceAll(/\s+/g, " ").trim().normalize("NFC");

/** Escapes all characters that are not plainly visible: those outside ASCII, and spaces that are not between words. */
const escapeUnseen = (text: string) =>
  text.replaceAll(/[^ -~]|["\\]|(?<=\s|^) | (?=\s|$)/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);

function cutToDifference(sides: [string, string], most: number): [string, string] {
  const [before, after] = sides;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return cutBoth(sides, Math.max(0, same - CONTEXT_CHARS), most);
}

const cutBoth = ([before, after]: [string, string], start: number, most: number): [string, string] => [
  cut(before, start, most),
  cut(after, start, most),
];

function cut(text: string, start: number, most: number): string {
  const rest = start > 0 ? `…${text.slice(start)}` : text;
  return rest.length > most ? `${rest.slice(0, most - 1)}…` : rest;
}

/** A run of text that was kept, removed or inserted. */
export type TextRun = ["=" | "-" | "+", string];

/** Makes runs in which a reader sees what changed: invisible characters are escaped, but no more of them than that takes. */
export function runsApart(runs: readonly TextRun[]): readonly TextRun[] {
  const escapeWhere = (isUnseen: (text: string) => boolean) =>
    runs.map(([what, text]): TextRun => [what, what !== "=" && isUnseen(text) ? escapeUnseen(text) : text]);
  const whole: TextRun[] = [
    ["-", escapeUnseen(sideOf(runs, "-"))],
    ["+", escapeUnseen(sideOf(runs, "+"))],
  ];
  const forms = [escapeWhere((text) => lookOf(text) === ""), escapeWhere(() => true), whole];
  return forms.find((form) => lookOf(sideOf(form, "-")) !== lookOf(sideOf(form, "+"))) ?? runs;
}

/** The same for a reader: unchanged text only shows the place, so that a long run is cut to what is next to a change. */
export const shownRuns = (runs: readonly TextRun[]): TextRun[] =>
  runsApart(runs).map(([what, text], index, { length }) => [
    what,
    what === "=" ? shorten(text, index === 0, index === length - 1) : text,
  ]);

function shorten(text: string, first: boolean, last: boolean): string {
  const letters = [...text];
  if (letters.length <= (first || last ? CONTEXT_CHARS : 2 * CONTEXT_CHARS)) return text;
  return `${first ? "" : letters.slice(0, CONTEXT_CHARS).join("")}…${last ? "" : letters.slice(-CONTEXT_CHARS).join("")}`;
}

/** Joins the kept runs and the removed ones, or the kept and the inserted ones. */
const sideOf = (runs: readonly TextRun[], side: "-" | "+") =>
  runs.flatMap(([what, text]) => (what === "=" || what === side ? text : [])).join("");
