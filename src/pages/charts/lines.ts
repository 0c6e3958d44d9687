import { type Html, html } from "../html.ts";

/** One line; null where a day has no value. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
}

/** Shares of 1 by day. */
export interface Lines {
  title: string;
  days: readonly string[];
  /** In colours, with their names; the styles know so many as `MOST_LINES`. */
  lines: readonly Line[];
  /** All in one grey. */
  others?: readonly Line[];
}

export const MOST_LINES = 4;

const [WIDTH, HEIGHT] = [720, 260];
const EDGE = { left: 56, right: 120, top: 12, bottom: 24 };
const LABEL_STEP = 14;
const MOST_LABEL_CHARS = 16;

const rounded = (value: number) => Math.round(10 * value) / 10;
const inPercent = (share: number) => `${(100 * share).toFixed(1)}%`;
const isValue = (value: number | null): value is number => value !== null;

/** Lines over time. What it shows must stand in a table beside it. */
export function lineChart({ title, days, lines, others = [] }: Lines): Html | undefined {
  const values = [...lines, ...others].flatMap((line) => line.values.filter(isValue));
  if (values.length === 0 || days.length < 2) return undefined;
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const right = WIDTH - EDGE.right;
  const x = (place: number) => rounded(EDGE.left + (place * (right - EDGE.left)) / (days.length - 1));
  const y = (value: number) =>
    rounded(EDGE.top + ((high - value) * (HEIGHT - EDGE.top - EDGE.bottom)) / (high - low || 1));
  const points = (line: Line) =>
    line.values.flatMap((value, place) => (value === null ? [] : `${x(place)},${y(value)}`)).join(" ");
  const rule = (value: number) =>
    html`<line class="axis" x1="${EDGE.left}" y1="${y(value)}" x2="${right}" y2="${y(value)}"/><text x="${EDGE.left - 6}" y="${y(value) + 4}" text-anchor="end">${inPercent(value)}</text>`;
  return html`<div class="wide" role="region" aria-label="${title}" tabindex="0"><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${describe(title, days, lines, others.length)}">
${rule(high)}${rule(low)}
<text x="${EDGE.left}" y="${HEIGHT - 4}">${days[0]}</text><text x="${right}" y="${HEIGHT - 4}" text-anchor="end">${days.at(-1)}</text>
${others.map((line) => html`<polyline class="other" points="${points(line)}"/>`)}
${lines.map((line, place) => html`<polyline class="line${place + 1}" points="${points(line)}"/>`)}
${labels(lines, y).map(
  ({ name, place, at }) =>
    html`<text class="name${place + 1}" x="${right + 8}" y="${at + 4}">${name.slice(0, MOST_LABEL_CHARS)}</text>`,
)}
</svg></div>`;
}

/** Names at the ends of their lines, apart from each other. */
function labels(lines: readonly Line[], y: (value: number) => number) {
  const ends = lines.flatMap(({ name, values }, place) => {
    const last = values.findLast(isValue);
    return last === undefined ? [] : [{ name, place, at: y(last) }];
  });
  ends.sort((a, b) => a.at - b.at);
  const lowest = HEIGHT - EDGE.bottom;
  for (const [place, end] of ends.entries()) {
    const before = ends[place - 1];
    if (before) end.at = Math.max(end.at, before.at + LABEL_STEP);
  }
  for (const [place, end] of [...ends.entries()].reverse())
    end.at = rounded(Math.min(end.at, lowest - LABEL_STEP * (ends.length - 1 - place)));
  return ends;
}

/** For those who do not see it. */
function describe(title: string, days: readonly string[], lines: readonly Line[], others: number): string {
  const each = lines.map(({ name, values }) => {
    const known = values.filter(isValue);
    const [first = 0, last = 0] = [known[0], known.at(-1)];
    return `${name} from ${inPercent(first)} to ${inPercent(last)}`;
  });
  const rest = others > 0 ? [`${others} others in grey`] : [];
  return `${title}, ${days[0]} to ${days.at(-1)}: ${[...each, ...rest].join("; ")}`;
}
