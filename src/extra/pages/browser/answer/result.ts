import { element } from "../dom/elements.ts";
import type { Answer, Value } from "../sql/messages.ts";
import { WORDS } from "../sql/words.ts";
import { chartOf } from "./chart.ts";
import { toCsv } from "./csv.ts";
import { figuresOf } from "./figures.ts";
import { toJson } from "./json.ts";

export type Rows = Extract<Answer, { kind: "rows" }>;

const MOST_CELL_CHARS = 300;

/** A result as people read it: how much there is, a table, a chart where it has numbers, and the same as CSV and JSON. */
export function showResult({ columns, rows, more }: Rows): Node[] {
  if (columns.length === 0) return [element("p", {}, WORDS.done)];
  const caption = more ? WORDS.moreRows(rows.length) : WORDS.rows(rows.length);
  const files = element(
    "p",
    { class: "files" },
    fileButton(more ? WORDS.shownAsCsv : WORDS.csv, "result.csv", "text/csv", () => toCsv(columns, rows)),
    fileButton(more ? WORDS.shownAsJson : WORDS.json, "result.json", "application/json", () => toJson(columns, rows)),
  );
  return [table(caption, columns, rows), files, ...chartOf(columns, rows)];
}

function table(caption: string, columns: readonly string[], rows: readonly Value[][]): HTMLElement {
  const figures = columns.map((_, index) => figuresOf(rows.map((row) => row[index] ?? null)));
  const isNumber = (index: number) => rows.some((row) => typeof row[index] === "number");
  const heads = columns.map((name, index) =>
    element("th", { scope: "col", ...(isNumber(index) && { class: "number" }) }, name),
  );
  const body = rows.map((row) =>
    element("tr", {}, ...row.map((value, index) => cell(value, figures[index] ?? String))),
  );
  return element(
    "div",
    { class: "wide", role: "region", "aria-label": WORDS.result, tabindex: "0" },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...body),
    ),
  );
}

function cell(value: Value, figure: (value: number | bigint) => string): HTMLElement {
  if (value === null) return element("td", { class: "none" }, "null");
  if (typeof value !== "string") {
    const [shown, exact] = [figure(value), String(value)];
    const isExact = shown.replace("−", "-") === exact;
    return element("td", { class: "number", ...(!isExact && { title: exact }) }, shown);
  }
  const shown = value.length > MOST_CELL_CHARS ? `${value.slice(0, MOST_CELL_CHARS)}…` : value;
  return element("td", {}, element("bdi", {}, shown));
}

function fileButton(text: string, download: string, type: string, write: () => string): HTMLElement {
  const button = element("button", { type: "button" }, text);
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([write()], { type }));
    element("a", { href: address, download }).click();
    URL.revokeObjectURL(address);
  });
  return button;
}
