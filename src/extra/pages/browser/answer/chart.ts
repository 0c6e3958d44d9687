import { fitText } from "../../charts/text-width.ts";
import { type Html, html } from "../../html.ts";
import { element, toNodes } from "../dom/elements.ts";
import type { ChartPoint, Value } from "../sql/messages.ts";
import { WORDS } from "../sql/words.ts";
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

const MOST_BARS = 40;
const [WIDTH, BAR, NAMES, FIGURES, TOP] = [640, 22, 180, 80, 8];

/** A bar for each of the first points, one below the other. */
function drawBars(all: readonly ChartPoint[], words: string): Html {
  const bars = all.slice(0, MOST_BARS);
  const values = bars.map(({ y }) => y);
  const show = figuresOf(values);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = WIDTH - NAMES - FIGURES;
  const toX = (value: number) => NAMES + (high > low ? (value / (high - low) - low / (high - low)) * room : 0);
  const height = TOP + BAR * bars.length + TOP;
  const marks = bars.map(({ label, y: value }, index) => {
    const [y, start, end] = [TOP + BAR * index, toX(Math.min(0, value)), toX(Math.max(0, value))];
    const line = y + BAR / 2 + 4;
    return html`<text x="${NAMES - 8}" y="${line}" text-anchor="end">${fitText(label, NAMES - 16)}</text><rect class="${value < 0 ? "fall" : "rise"}" x="${start}" y="${y + 3}" width="${end - start}" height="${BAR - 6}"/><text x="${end + 6}" y="${line}">${show(value)}</text>`;
  });
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${words}">${marks}<line class="axis" x1="${toX(0)}" x2="${toX(0)}" y1="0" y2="${height}"/></svg>`;
}
