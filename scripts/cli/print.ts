import { styleText } from "node:util";
import Table from "cli-table3";
import { cellsApart, numbersApart, shownRuns, type TextRun } from "../../src/api/apart.ts";
import { sanitizeLine } from "../../src/api/sanitize.ts";
import { describeBytes, describeDuration, signedPoints } from "../../src/base/words.ts";
import { type AnyReport, type LineKinds, NUMBERS } from "../../src/snapshot/report/report.ts";
import { io } from "./io.ts";

export const print = (text: string) => io().stdout.write(`${text}\n`);

/** Prints reports for people, with an empty line between them; one without rows says nothing. */
export function printReports(...reports: readonly AnyReport[]) {
  const told = reports.filter(({ rows }) => rows.length > 0);
  if (told.length > 0) print(told.map(writeForTerminal).join("\n\n"));
}

/** The most characters of one side of a change; the JSON has all of them. */
const MOST_SIDE_CHARS = 120;

const percent = (share: number, digits: number) => `${(100 * share).toFixed(digits)} %`;
const minute = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** How a line of text has a value of each kind. */
const WRITE: { [Kind in Exclude<keyof LineKinds, "runs">]: (value: NonNullable<LineKinds[Kind]>) => string } = {
  text: String,
  word: String,
  count: String,
  lack: String,
  share: (share) => percent(share, 1),
  points: signedPoints,
  bytes: describeBytes,
  day: (iso) => iso.slice(0, 10),
  time: minute,
  times: (times) => [...new Set(times)].flatMap((time) => (time === null ? [] : minute(time))).join(" to "),
  age: describeDuration,
  deviations: (score) => `${Math.abs(score).toFixed(1)} ×`,
  shareSide: ([before, after, told]) => numbersApart(before, after, percent, 2)[told],
  pointsSide: ([before, after, told]) => numbersApart(before, after, signedPoints, 2)[told],
  wordSide: ([before, after, told]) => cellsApart(before, after, MOST_SIDE_CHARS)[told],
};

/** Returns the cells of the rows; `clean` takes from a text what would steer its reader, `mark` shows what came and went. */
const cellsOf = ({ columns, rows }: AnyReport, clean: (text: string) => string, mark: (run: TextRun) => string) =>
  rows.map((row) =>
    columns.map(({ kind, of }) => {
      const value = typeof of === "string" ? (row as Record<string, unknown>)[of] : of(row as never);
      if (value === null || value === undefined) return "";
      if (kind !== "runs") return clean((WRITE[kind] as (value: unknown) => string)(value));
      return shownRuns(value as LineKinds["runs"])
        .map(([what, text]) => mark([what, clean(text)]))
        .join("");
    }),
  );

export function writeForTerminal(report: AnyReport): string {
  const { caption, note, columns } = report;
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ kind }) => (NUMBERS.has(kind) ? "right" : "left")),
    style: { head: [], border: [], compact: true },
  });
  table.push(...cellsOf(report, sanitizeLine, colourRun));
  return [styleText("bold", caption), note, table.toString()].filter(Boolean).join("\n");
}

const colourRun = ([what, text]: TextRun) =>
  what === "=" ? text : what === "-" ? styleText("red", `[-${text}-]`) : styleText("green", `{+${text}+}`);

export function writeMarkdown(report: AnyReport): string {
  const { caption, note, columns } = report;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = [
    columns.map((column) => literal(column.head)),
    columns.map(({ kind }) => (NUMBERS.has(kind) ? "--:" : "---")),
  ];
  const table = [...head, ...cellsOf(report, literal, markRun)].map(line).join("\n");
  return [`## ${caption}`, note && literal(note), table].filter(Boolean).join("\n\n");
}

const markRun = ([what, text]: TextRun) =>
  what === "=" ? text : what === "-" ? `<del>${text}</del>` : `<ins>${text}</ins>`;

/** Texts of the upstream must not bring markup of their own into a page. */
export const literal = (text: string) =>
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
