import { element } from "../dom/elements.ts";
import { barChart } from "./bars.ts";
import { toCsv } from "./csv.ts";
import type { Answer, Value } from "./messages.ts";

export type Rows = Extract<Answer, { kind: "rows" }>;

const MOST_CELL_CHARS = 300;

/** A result as people read it: how much there is, a table, a chart where it has numbers with names, and the same as CSV. */
export function showResult({ columns, rows, more }: Rows): Node[] {
  if (columns.length === 0) return [element("p", {}, "Done; this kind of statement has no rows.")];
  const caption = `${rows.length === 1 ? "1 row" : `${rows.length} rows`}${more ? "; there are more rows than shown" : ""}`;
  return [table(caption, columns, rows), ...barChart(columns, rows), csvLink(columns, rows, more)];
}

function table(caption: string, columns: readonly string[], rows: readonly Value[][]): HTMLElement {
  const heads = columns.map((name) => element("th", { scope: "col" }, name));
  const body = rows.map((row) => element("tr", {}, ...row.map(cell)));
  return element(
    "div",
    { class: "wide", role: "region", "aria-label": "Result", tabindex: "0" },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...body),
    ),
  );
}

function cell(value: Value): HTMLElement {
  if (value === null) return element("td", { class: "none" }, "null");
  if (typeof value !== "string") return element("td", { class: "number" }, String(value));
  const shown = value.length > MOST_CELL_CHARS ? `${value.slice(0, MOST_CELL_CHARS)}…` : value;
  return element("td", {}, element("bdi", {}, shown));
}

function csvLink(columns: readonly string[], rows: readonly Value[][], more: boolean): HTMLElement {
  const button = element("button", { type: "button" }, more ? "The rows shown as CSV" : "CSV");
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([toCsv(columns, rows)], { type: "text/csv" }));
    element("a", { href: address, download: "result.csv" }).click();
    URL.revokeObjectURL(address);
  });
  return element("p", {}, button);
}
