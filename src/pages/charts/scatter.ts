import { type Html, html } from "../html.ts";

export interface Dot {
  name: string;
  /** Shares of 1. */
  x: number;
  y: number;
}

export interface Scatter {
  title: string;
  xName: string;
  yName: string;
  dots: readonly Dot[];
}

const [WIDTH, HEIGHT] = [560, 360];
const EDGE = { left: 56, right: 16, top: 30, bottom: 40 };
const MOST_LABELS = 24;
const MOST_LABEL_CHARS = 14;
/** Of a label, about. */
const [CHAR_WIDTH, LINE_HEIGHT] = [6.5, 12];

const rounded = (value: number) => Math.round(10 * value) / 10;
const inPercent = (share: number) => `${(100 * share).toFixed(share < 0.01 ? 2 : 1)}%`;

/**
 * Each hero as a dot, those on the outside with their names. Along x by the square root, as most rates are small. What it shows
 * must stand in a table beside it.
 */
export function scatter({ title, xName, yName, dots }: Scatter): Html | undefined {
  if (dots.length < 2) return undefined;
  const [xs, ys] = [dots.map((dot) => Math.sqrt(Math.max(0, dot.x))), dots.map((dot) => dot.y)];
  const [right, bottom] = [WIDTH - EDGE.right, HEIGHT - EDGE.bottom];
  const toX = scale(0, Math.max(...xs), EDGE.left, right);
  const toY = scale(Math.min(...ys), Math.max(...ys), bottom, EDGE.top);
  const placed = dots.map((dot, place) => ({ ...dot, left: toX(xs[place] ?? 0), top: toY(dot.y) }));
  const [low, high, most] = [Math.min(...ys), Math.max(...ys), Math.max(...xs) ** 2];
  const words = `${title}: ${dots.length} heroes; ${yName} from ${inPercent(low)} to ${inPercent(high)}, ${xName} up to ${inPercent(most)}`;
  return html`<div class="wide" role="region" aria-label="${title}" tabindex="0"><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">
<line class="axis" x1="${EDGE.left}" y1="${bottom}" x2="${right}" y2="${bottom}"/><line class="axis" x1="${EDGE.left}" y1="${EDGE.top}" x2="${EDGE.left}" y2="${bottom}"/>
<text x="${EDGE.left - 6}" y="${EDGE.top + 4}" text-anchor="end">${inPercent(high)}</text><text x="${EDGE.left - 6}" y="${bottom}" text-anchor="end">${inPercent(low)}</text>
<text x="${EDGE.left}" y="${bottom + 16}">0%</text><text x="${right}" y="${bottom + 16}" text-anchor="end">${inPercent(most)}</text>
<text x="${right}" y="${HEIGHT - 6}" text-anchor="end">${xName} (square root) →</text><text x="4" y="12">${yName} ↑</text>
${placed.map(({ name, left, top }) => html`<circle cx="${left}" cy="${top}" r="3"><title>${name.slice(0, 2 * MOST_LABEL_CHARS)}</title></circle>`)}
${labelled(placed).map(({ text, at, top }) => html`<text x="${at}" y="${rounded(top + 4)}">${text}</text>`)}
</svg></div>`;
}

const scale = (from: number, to: number, start: number, end: number) => (value: number) =>
  rounded(start + ((value - from) * (end - start)) / (to - from || 1));

interface Placed extends Dot {
  left: number;
  top: number;
}

/** Names of the outermost dots that have room for one. */
function labelled(dots: readonly Placed[]) {
  const [midX, midY] = [(EDGE.left + WIDTH) / 2, HEIGHT / 2];
  const distance = ({ left, top }: Placed) => ((left - midX) / WIDTH) ** 2 + ((top - midY) / HEIGHT) ** 2;
  const labels: { text: string; at: number; top: number; width: number }[] = [];
  for (const dot of dots.toSorted((a, b) => distance(b) - distance(a))) {
    if (labels.length === MOST_LABELS) break;
    const text = dot.name.slice(0, MOST_LABEL_CHARS);
    const width = CHAR_WIDTH * text.length;
    const at = dot.left + 6 + width < WIDTH ? dot.left + 6 : rounded(dot.left - 6 - width);
    const isFree = labels.every(
      (label) => Math.abs(label.top - dot.top) > LINE_HEIGHT || at > label.at + label.width || label.at > at + width,
    );
    if (isFree) labels.push({ text, at, top: dot.top, width });
  }
  return labels;
}
