import { styleText } from "node:util";
import Table from "cli-table3";
import { runsApart, type TextRun } from "../../src/api/apart.ts";
import { sanitizeLine } from "../../src/api/sanitize.ts";
import type { Diff } from "../../src/extra/nights/diff/diff.ts";
import { inTurns } from "../../src/extra/nights/diff/news.ts";
import {
  headline,
  preamble,
  type Section,
  type SectionCell,
  toSections,
} from "../../src/extra/nights/diff/sections.ts";

export interface PrintOptions {
  markdown: boolean;
  /** Rows of each part at most. */
  top: number;
}

/** The report for people: tables for a terminal, or Markdown for release notes. */
export function renderDiff(diff: Diff, { markdown, top }: PrintOptions): string {
  const clean = markdown ? literal : sanitizeLine;
  const line = clean(headline(diff));
  if (!diff.changes) return `${line}\n`;
  const title = markdown ? `# ${line}` : line;
  const render = markdown ? renderMarkdown : renderTerminal;
  const isRolling = diff.before.rolling === 1 || diff.after.rolling === 1;
  const parts = toSections(diff.changes, isRolling ? diff.asked : undefined).map((section) => {
    const more = section.rows.length - top;
    const rest = more > 0 ? `… and ${more} more; --top shows more, --json all` : undefined;
    return [render({ ...section, rows: chooseRows(section, top) }), rest].filter(Boolean).join("\n\n");
  });
  return `${[title, ...preamble(diff).map(clean), ...parts].join("\n\n")}\n`;
}

/** The first rows; each kind of several has its share. */
function chooseRows({ rows, kinds = [] }: Section, top: number) {
  const places = rows.map((row, index) => ({ row, kind: kinds[index] ?? "" }));
  return inTurns(places, ({ kind }) => kind, top).map(({ row }) => row);
}

function renderTerminal({ title, note, head, rows }: Section): string {
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  table.push(...rows.map((row) => row.map((entry) => showEntry(entry, sanitizeLine, colourRun))));
  return [styleText("bold", title), note, table.toString()].filter(Boolean).join("\n");
}

function renderMarkdown({ title, note, head, rows }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const body = rows.map((row) => line(row.map((entry) => showEntry(entry, literal, markRun))));
  const table = [line(head.map(literal)), line(head.map(() => "---")), ...body].join("\n");
  return [`## ${title}`, note && literal(note), table].filter(Boolean).join("\n\n");
}

function showEntry(entry: SectionCell, clean: (text: string) => string, show: (run: TextRun) => string): string {
  if (typeof entry === "string") return clean(entry);
  return runsApart(entry)
    .map(([what, text], index) => show([what, clean(what === "=" ? shorten(text, index, entry) : text)]))
    .join("");
}

/** Unchanged text only shows the place: a long run is cut to what is next to a change. */
function shorten(text: string, index: number, runs: readonly TextRun[]): string {
  const [first, last] = [index === 0, index === runs.length - 1];
  const letters = [...text];
  if (letters.length <= (first || last ? CONTEXT : 2 * CONTEXT)) return text;
  return `${first ? "" : letters.slice(0, CONTEXT).join("")}…${last ? "" : letters.slice(-CONTEXT).join("")}`;
}

const CONTEXT = 30;

const colourRun = ([what, text]: TextRun) =>
  what === "=" ? text : what === "-" ? styleText("red", `[-${text}-]`) : styleText("green", `{+${text}+}`);

const markRun = ([what, text]: TextRun) =>
  what === "=" ? text : what === "-" ? `<del>${text}</del>` : `<ins>${text}</ins>`;

/** Texts of the upstream must not bring markup of their own into a page. */
const literal = (text: string) =>
  sanitizeLine(text)
    .replaceAll(/[\\`*_{}[\]#|~!$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(LINKED, `$&${NOTHING}`);

/**
 * A page of GitHub makes mentions and links of plain words too, after all markup is read, so that no escape keeps it
 * from that; a space without width in the middle of them does.
 */
const LINKED = /@|:(?=\/\/)|www(?=\.)|(?<=#|\bGH-)(?=\d)/gi;
const NOTHING = "&#8203;";
