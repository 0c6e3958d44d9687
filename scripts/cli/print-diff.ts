import { sanitizeLine } from "../../src/api/sanitize.ts";
import type { Diff } from "../../src/extra/nights/diff/diff.ts";
import { inTurns } from "../../src/extra/nights/diff/news.ts";
import { headline, preamble, type Section, toSections } from "../../src/extra/nights/diff/sections.ts";
import { literal, writeForTerminal, writeMarkdown } from "./print.ts";

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
  const write = markdown ? writeMarkdown : writeForTerminal;
  const isRolling = diff.before.rolling === 1 || diff.after.rolling === 1;
  const parts = toSections(diff.changes, isRolling ? diff.asked : undefined).flatMap((section) => {
    const more = section.rows.length - top;
    const shown = write({ ...section, rows: chooseRows(section, top) });
    return more > 0 ? [shown, `… and ${more} more; --top shows more, --json all`] : shown;
  });
  return `${[title, ...preamble(diff).map(clean), ...parts].join("\n\n")}\n`;
}

/** The first rows; each kind of several has its share. */
const chooseRows = ({ rows, kindOf = () => "" }: Section, top: number) =>
  inTurns(rows, (row) => kindOf(row as never), top);
