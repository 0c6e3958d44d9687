import { drawing } from "../dom/svg.ts";
import type { ChartPoint } from "../sql/messages.ts";
import { figuresOf } from "./figures.ts";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 320, 64, 16, 16, 32];
const TICKS = 6;
const MOST_NAME_CHARS = 12;
/** More would be one band. */
const MOST_DOTS = 100;

/** A line through all points, from the least x to the greatest. */
export function drawLine(points: readonly ChartPoint[], words: string): SVGElement {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const xs = sorted.map(({ x }) => x);
  const ys = sorted.map(({ y }) => y);
  const ticks = roundNumbers(...ends(ys));
  const toX = scale(ends(xs), [LEFT, WIDTH - RIGHT]);
  const toY = scale(ends(ticks), [HEIGHT - BOTTOM, TOP]);
  const at = ({ x, y }: ChartPoint) => [toX(x).toFixed(1), toY(y).toFixed(1)];
  const path = sorted.map((point, index) => `${index === 0 ? "M" : "L"}${at(point).join(" ")}`).join("");
  const show = figuresOf(ys);
  const dots = sorted.length > MOST_DOTS ? [] : sorted.map((point) => drawDot(at(point), point, show));
  const frame = { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words };
  return drawing("svg", frame, [
    ...drawRisingAxis(ticks, toY),
    ...drawLyingAxis(sorted, toX),
    drawing("path", { class: "line1", d: path }),
    ...dots,
  ]);
}

/** A scale needs two ends. */
function ends(values: readonly number[]): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  // What is added to a large number must be more than it is exact to.
  const margin = low < high ? 0 : Math.max(1, Math.abs(low) / 1000);
  return [low - margin, high + margin];
}

const scale =
  ([low, high]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number) =>
    start + ((value - low) / (high - low)) * (end - start);

/** From below the least to above the greatest, in steps of 1, 2 or 5. d3-scale would be three times all other scripts of the page. */
function roundNumbers(low: number, high: number): number[] {
  const least = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

function drawDot([x = "", y = ""]: readonly string[], point: ChartPoint, show: (value: number) => string): SVGElement {
  const title = drawing("title", {}, `${point.label}: ${show(point.y)}`);
  return drawing("circle", { cx: x, cy: y, r: 3 }, [title]);
}

function drawRisingAxis(ticks: readonly number[], toY: (value: number) => number): SVGElement[] {
  const show = figuresOf(ticks);
  return ticks.flatMap((value) => [
    drawing("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: toY(value), y2: toY(value) }),
    drawing("text", { x: LEFT - 6, y: toY(value) + 4, "text-anchor": "end" }, show(value)),
  ]);
}

/** Named by some of the points: they are days or names as often as numbers. */
function drawLyingAxis(sorted: readonly ChartPoint[], toX: (value: number) => number): SVGElement[] {
  const steps = Math.min(TICKS, sorted.length) - 1;
  const places = Array.from({ length: steps + 1 }, (_, step) =>
    steps === 0 ? 0 : Math.round((step * (sorted.length - 1)) / steps),
  );
  return places.flatMap((place) => {
    const point = sorted[place];
    if (!point) return [];
    const anchor = place === 0 ? "start" : place === sorted.length - 1 ? "end" : "middle";
    const text = point.label.slice(0, MOST_NAME_CHARS);
    return [drawing("text", { x: toX(point.x), y: HEIGHT - 10, "text-anchor": anchor }, text)];
  });
}
