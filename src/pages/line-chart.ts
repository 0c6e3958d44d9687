import { type Html, html } from "./html.ts";

export interface ChartPoint {
  label: string;
  /** A share of 1. */
  value: number;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [640, 180, 56, 24, 12];

const rounded = (value: number) => Math.round(10 * value) / 10;
const inPercent = (share: number) => `${(100 * share).toFixed(1)}%`;

/** One line over time; its numbers must stand in a table beside it. */
export function lineChart(title: string, points: readonly ChartPoint[]): Html | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return undefined;
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high - low || 0.01;
  const x = (place: number) => rounded(LEFT + (place * (WIDTH - LEFT - 8)) / (points.length - 1));
  const y = (value: number) => rounded(TOP + ((high - value) * (HEIGHT - TOP - BOTTOM)) / span);
  const line = values.map((value, place) => `${x(place)},${y(value)}`).join(" ");
  const words = `${title}, ${first.label} to ${last.label}: from ${inPercent(first.value)} to ${inPercent(last.value)}, lowest ${inPercent(low)}, highest ${inPercent(high)}`;
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">
<line class="axis" x1="${LEFT}" y1="${y(high)}" x2="${WIDTH - 8}" y2="${y(high)}"/><line class="axis" x1="${LEFT}" y1="${y(low)}" x2="${WIDTH - 8}" y2="${y(low)}"/>
<text x="${LEFT - 6}" y="${y(high) + 4}" text-anchor="end">${inPercent(high)}</text><text x="${LEFT - 6}" y="${y(low) + 4}" text-anchor="end">${inPercent(low)}</text>
<polyline points="${line}"/>
<text x="${LEFT}" y="${HEIGHT - 4}">${first.label}</text><text x="${WIDTH - 8}" y="${HEIGHT - 4}" text-anchor="end">${last.label}</text>
</svg>`;
}
