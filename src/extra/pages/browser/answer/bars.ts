import { fitText } from "../../charts/text-width.ts";
import { type Html, html } from "../../html.ts";
import type { ChartPoint } from "../sql/messages.ts";
import { figuresOf } from "./figures.ts";

export const MOST_BARS = 40;
const [WIDTH, BAR, NAMES, FIGURES, TOP] = [640, 22, 180, 80, 8];

/** A bar for each of the first points, one below the other. */
export function drawBars(all: readonly ChartPoint[], words: string): Html {
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
