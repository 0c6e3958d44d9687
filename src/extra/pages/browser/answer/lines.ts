import { lyingAxis, risingAxis, rounded } from "../../charts/plot.ts";
import { type Html, html } from "../../html.ts";
import type { ChartPoint } from "../sql/messages.ts";
import { figuresOf } from "./figures.ts";

const [WIDTH, HEIGHT] = [640, 320];
const AREA = { left: 64, right: WIDTH - 16, top: 16, bottom: HEIGHT - 32 };
const TICKS = 6;
/** More would be one band. */
const MOST_DOTS = 100;

/** A line through all points, from the least x to the greatest. */
export function drawLine(points: readonly ChartPoint[], words: string): Html {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const values = sorted.map(({ y }) => y);
  const ticks = roundNumbers(...ends(values));
  const toX = scale(ends(sorted.map(({ x }) => x)), [AREA.left, AREA.right]);
  const toY = scale(ends(ticks), [AREA.bottom, AREA.top]);
  const [show, showTick] = [figuresOf(values), figuresOf(ticks)];
  const path = sorted.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${toX(x)} ${toY(y)}`).join("");
  const dots = sorted.map(
    ({ label, x, y }) => html`<circle cx="${toX(x)}" cy="${toY(y)}" r="3"><title>${label}: ${show(y)}</title></circle>`,
  );
  const rising = ticks.map((value) => ({ at: toY(value), text: showTick(value) }));
  const lying = someOf(sorted).map(({ label, x }) => ({ at: toX(x), text: label }));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">${risingAxis(AREA, rising)}${lyingAxis(AREA, lying)}<path class="line1" d="${path}"/>${dots.length <= MOST_DOTS && dots}</svg>`;
}

/** A scale needs two ends. */
function ends(values: readonly number[]): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  // The margin must exceed the precision of a large number.
  const margin = low < high ? 0 : Math.max(1, Math.abs(low) / 1000);
  return [low - margin, high + margin];
}

const scale =
  ([low, high]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number) =>
    rounded(start + ((value - low) / (high - low)) * (end - start));

/**
 * Returns numbers from below the least to above the greatest, in steps of 1, 2 or 5. d3-scale would be three times all other scripts of the
 * page.
 */
function roundNumbers(low: number, high: number): number[] {
  const least = (high - low) / TICKS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The names of the axis: they are days or names as often as numbers. */
function someOf(sorted: readonly ChartPoint[]): ChartPoint[] {
  const steps = Math.min(TICKS, sorted.length) - 1;
  const places = Array.from({ length: steps + 1 }, (_, step) =>
    Math.round((step * (sorted.length - 1)) / (steps || 1)),
  );
  return places.flatMap((place) => sorted[place] ?? []);
}
