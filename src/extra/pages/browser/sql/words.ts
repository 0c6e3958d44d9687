import type { Cost } from "./messages.ts";

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} kB`;

/** All that the console says, but for the words of SQLite. */
export const WORDS = {
  reading: "Reading …",
  stopped: "Stopped.",
  linkReady: "The query of this link is ready: look at it, then run it.",
  linkBroken: "The query of this link cannot be read.",
  exampleReady: "The query is ready: run it.",
  inserted: (name: string) => `The query has ${name} now.`,
  cost: ({ requests, bytes, milliseconds }: Cost) =>
    requests === 1
      ? `1 request, ${kilobytes(bytes)}, ${milliseconds} ms.`
      : `${requests} requests, ${kilobytes(bytes)}, ${milliseconds} ms.`,
  spent: (bytes: number) => `The query has read ${megabytes(bytes)} and is not finished. Go on?`,
  spentOfWhole: (bytes: number, whole: number) =>
    `The query has read ${megabytes(bytes)} and is not finished. It goes through whole tables of about ${megabytes(whole)}. Go on?`,
  goOn: (bytes: number) => `Read up to ${megabytes(bytes)}`,
  place: (line: number, column: number) => `Line ${line}, column ${column}:`,
  meant: (name: string) => `Did you mean ${name}?`,
  useName: (name: string) => `Use ${name}`,
  done: "Done; this kind of statement has no rows.",
  rows: (count: number) => (count === 1 ? "1 row" : `${count} rows`),
  moreRows: (count: number) => `${count} rows; there are more rows than shown`,
  result: "Result",
  csv: "CSV",
  json: "JSON",
  shownAsCsv: "The rows shown as CSV",
  shownAsJson: "The rows shown as JSON",
  asChart: "As a chart",
  chart: "Chart",
  chartX: "x",
  chartY: "y",
  chartKind: "Kind",
  bars: "Bars",
  line: "Line",
  noPoints: "There is no number to draw.",
  chartOf: (y: string, x: string) => `${y} by ${x}; the table above has the numbers.`,
  firstBars: (shown: number, all: number) => `The first ${shown} of ${all} are drawn.`,
};
