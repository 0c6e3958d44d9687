import { element } from "../dom/elements.ts";
import type { Value } from "./messages.ts";

const MOST_BARS = 40;
const MOST_NAME_CHARS = 24;
const [WIDTH, BAR, NAMES, FIGURES, TOP] = [640, 22, 180, 80, 8];
/** Numbers that say which or where, not how much. */
const COUNTERS = /(^|_)(id|place|position|days|minute)$/;

interface Bar {
  name: string;
  value: number;
}

/** Bars of a column of numbers by the first one of texts; nothing if a result lacks one of them. */
export function barChart(columns: readonly string[], rows: readonly (readonly Value[])[]): Node[] {
  const has = (type: string) => (index: number) => rows.some((row) => typeof row[index] === type);
  const places = columns.map((_, index) => index);
  const name = places.find(has("string"));
  const numbers = places.filter(has("number")).filter((index) => index !== name);
  if (name === undefined || numbers.length === 0 || rows.length < 2) return [];
  const picker = element(
    "select",
    { id: "bars" },
    ...numbers.map((index) => element("option", { value: String(index) }, columns[index] ?? "")),
  );
  picker.value = String(numbers.find((index) => !COUNTERS.test(columns[index] ?? "")) ?? numbers[0]);
  const box = element("div", { class: "wide", role: "region", "aria-label": "Chart", tabindex: "0" });
  const draw = () => {
    const number = Number(picker.value);
    const bars = rows.flatMap((row): Bar[] => {
      const value = row[number];
      return typeof value === "number" && Number.isFinite(value) ? [{ name: String(row[name] ?? ""), value }] : [];
    });
    box.replaceChildren(drawBars(bars, `${columns[number]} by ${columns[name]}`));
  };
  picker.addEventListener("change", draw);
  draw();
  const label = element("label", { for: "bars" }, "Numbers of");
  return [
    element("details", {}, element("summary", {}, "As a chart"), element("p", { class: "choice" }, label, picker), box),
  ];
}

function drawBars(all: readonly Bar[], title: string): SVGElement {
  const bars = all.slice(0, MOST_BARS);
  const [low, high] = [Math.min(0, ...bars.map(({ value }) => value)), Math.max(0, ...bars.map(({ value }) => value))];
  const room = WIDTH - NAMES - FIGURES;
  const toX = (value: number) => NAMES + (high > low ? (value / (high - low) - low / (high - low)) * room : 0);
  const height = TOP + BAR * bars.length + TOP;
  const left = all.length > bars.length ? `, the first ${MOST_BARS} of ${all.length}` : "";
  return svg(
    "svg",
    {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${height}`,
      role: "img",
      "aria-label": `${title}${left}; the table above has the numbers`,
    },
    [
      ...bars.flatMap(({ name, value }, index) => {
        const [y, start, end] = [TOP + BAR * index, toX(Math.min(0, value)), toX(Math.max(0, value))];
        const line = y + BAR / 2 + 4;
        return [
          svg("text", { x: NAMES - 8, y: line, "text-anchor": "end" }, cut(name)),
          svg("rect", { class: value < 0 ? "fall" : "rise", x: start, y: y + 3, width: end - start, height: BAR - 6 }),
          svg("text", { x: end + 6, y: line }, String(value)),
        ];
      }),
      svg("line", { class: "axis", x1: toX(0), x2: toX(0), y1: 0, y2: height }),
    ],
  );
}

const cut = (name: string) => (name.length > MOST_NAME_CHARS ? `${name.slice(0, MOST_NAME_CHARS - 1)}…` : name);

function svg(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inside: string | SVGElement[] = [],
): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.append(...(typeof inside === "string" ? [inside] : inside));
  return made;
}
