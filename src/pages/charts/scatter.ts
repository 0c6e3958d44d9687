import { scaleLinear, scaleSqrt } from "d3-scale";
import { type Html, html } from "../html.ts";
import { lyingAxis, percentTicks, plot, risingAxis, rounded } from "./plot.ts";

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

const [WIDTH, HEIGHT] = [560, 380];
const AREA = { left: 56, right: WIDTH - 24, top: 48, bottom: HEIGHT - 40 };
const [X_TICKS, Y_TICKS] = [6, 6];
const MOST_LABELS = 24;
const MOST_LABEL_CHARS = 14;
/** About the size of a character of a label. */
const [CHAR_WIDTH, LINE_HEIGHT] = [6.5, 12];

const inPercent = (share: number) => `${(100 * share).toFixed(share < 0.01 ? 2 : 1)}%`;

/**
 * Each hero as a dot, those on the outside with their names. Along x by the square root, as most rates are small. What it shows
 * must stand in a table beside it.
 */
export function scatter({ title, xName, yName, dots }: Scatter): Html | undefined {
  if (dots.length < 2) return undefined;
  const [xs, ys] = [dots.map((dot) => Math.max(0, dot.x)), dots.map((dot) => dot.y)];
  const [most, low, high] = [Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const toX = scaleSqrt([0, most || 1], [AREA.left, AREA.right]).nice(X_TICKS);
  const toY = scaleLinear([low, high], [AREA.bottom, AREA.top]).nice(Y_TICKS);
  const placed = dots.map((dot, index) => ({ ...dot, left: rounded(toX(xs[index] ?? 0)), top: rounded(toY(dot.y)) }));
  const words = `${title}: ${dots.length} heroes; ${yName} from ${inPercent(low)} to ${inPercent(high)}, ${xName} up to ${inPercent(most)}`;
  return plot(
    title,
    words,
    WIDTH,
    HEIGHT,
    html`${risingAxis(AREA, percentTicks(toY, Y_TICKS))}
${lyingAxis(AREA, percentTicks(toX, X_TICKS))}
<text x="${AREA.right}" y="${HEIGHT - 6}" text-anchor="end">${xName} (square root) →</text><text x="4" y="34">${yName} ↑</text>
${placed.map(({ name, left, top }) => html`<circle cx="${left}" cy="${top}" r="3"><title>${name.slice(0, 2 * MOST_LABEL_CHARS)}</title></circle>`)}
${labelled(placed).map(({ text, at, top }) => html`<text x="${at}" y="${rounded(top + 4)}">${text}</text>`)}`,
  );
}

interface Placed extends Dot {
  left: number;
  top: number;
}

/** Names of the outermost dots that have room for one. */
function labelled(dots: readonly Placed[]) {
  const [midX, midY] = [(AREA.left + AREA.right) / 2, (AREA.top + AREA.bottom) / 2];
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
