import { element, toNodes } from "../dom/elements.ts";
import type { ChartPoint, Value } from "../sql/messages.ts";
import { WORDS } from "../sql/words.ts";
import { drawBars, MOST_BARS } from "./bars.ts";
import { figuresOf } from "./figures.ts";
import { drawLine } from "./lines.ts";

/** Numbers that say which or where, not how much. */
const COUNTERS = /(^|_)(id|place|position|days|minute)$/;
const DAY = /^\d{4}-\d\d-\d\d/;

/** The distance of two larger ones may be no number. */
const MOST = 1e300;

type Rows = readonly (readonly Value[])[];

/** A chart of two columns that the user chooses; nothing if a result has no numbers, or one row. */
export function chartOf(columns: readonly string[], rows: Rows): Node[] {
  const places = columns.map((_, index) => index);
  const has = (type: string) => (index: number) => rows.some((row) => typeof row[index] === type);
  const numbers = places.filter(has("number"));
  const across = places.find(has("string")) ?? places.find((index) => COUNTERS.test(columns[index] ?? "")) ?? 0;
  const others = numbers.filter((index) => index !== across);
  const up = others.find((index) => !COUNTERS.test(columns[index] ?? "")) ?? others[0] ?? numbers[0];
  if (up === undefined || rows.length < 2) return [];
  const toOption = (index: number) => ({ value: String(index), text: columns[index] ?? "" });
  const x = picker("chart-x", WORDS.chartX, places.map(toOption), String(across));
  const y = picker("chart-y", WORDS.chartY, numbers.map(toOption), String(up));
  const isSeries = !rows.some((row) => typeof row[across] === "string" && !DAY.test(row[across]));
  const kinds = [
    { value: "bars", text: WORDS.bars },
    { value: "line", text: WORDS.line },
  ];
  const kind = picker("chart-kind", WORDS.chartKind, kinds, isSeries ? "line" : "bars");
  const box = element("div", { class: "wide", role: "region", "aria-label": WORDS.chart, tabindex: "0" });
  const draw = () => {
    const [column, values] = [Number(x.field.value), Number(y.field.value)];
    box.replaceChildren(drawPoints(toPoints(rows, column, values), columns[column], columns[values], kind.field.value));
  };
  for (const { field } of [x, y, kind]) field.addEventListener("change", draw);
  draw();
  const choices = element("div", { class: "choices" }, x.choice, y.choice, kind.choice);
  return [element("details", {}, element("summary", {}, WORDS.asChart), choices, box)];
}

function drawPoints(points: readonly ChartPoint[], x = "", y = "", kind = "bars"): Node {
  if (points.length === 0) return element("p", {}, WORDS.noPoints);
  const words = WORDS.chartOf(y, x);
  if (kind === "line") return toNodes(drawLine(points, words));
  const told = points.length > MOST_BARS ? `${words} ${WORDS.firstBars(MOST_BARS, points.length)}` : words;
  return toNodes(drawBars(points, told));
}

/** Days and numbers are as far apart as they are; anything else is one step from the next. */
function toPoints(rows: Rows, x: number, y: number): ChartPoint[] {
  const column = rows.map((row) => row[x] ?? null);
  const show = figuresOf(column);
  const areDays = column.every(
    (value) => typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value)),
  );
  const areNumbers = column.every(isDrawable);
  return rows.flatMap((row, index): ChartPoint[] => {
    const [name, value] = [row[x] ?? null, row[y]];
    if (!isDrawable(value)) return [];
    const label = typeof name === "number" || typeof name === "bigint" ? show(name) : String(name ?? "");
    return [{ label, x: areDays ? Date.parse(String(name)) : areNumbers ? Number(name) : index, y: value }];
  });
}

const isDrawable = (value: Value | undefined): value is number => typeof value === "number" && Math.abs(value) < MOST;

interface Picker {
  field: HTMLSelectElement;
  choice: HTMLElement;
}

function picker(id: string, text: string, options: readonly { value: string; text: string }[], value: string): Picker {
  const field = element("select", { id }, ...options.map((one) => element("option", { value: one.value }, one.text)));
  field.value = value;
  const choice = element("span", { class: "choice" }, element("label", { for: id }, text), field);
  return { field, choice };
}
