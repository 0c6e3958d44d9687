import { scaleLinear, scaleSqrt } from "d3-scale";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { placeLabels } from "./labels.ts";
import { isolateName, lyingAxis, percentTicks, plot, risingAxis, rounded } from "./plot.ts";

interface Dot {
  name: string;
  /** The page of the hero. */
  address: string;
  /** The code of a shape that is in the key beside the plot, and its word. */
  shape: string;
  kind: string;
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

const [WIDTH, HEIGHT] = [560, 400];
const AREA = { left: 56, right: WIDTH - 24, top: 54, bottom: HEIGHT - 44 };
/** Names may reach a little out of the area, but not into the words around it. */
const LABELS = { left: AREA.left + 2, right: WIDTH - 4, top: AREA.top - 14, bottom: AREA.bottom + 2 };
const [X_TICKS, Y_TICKS] = [6, 6];
const MOST_LABELS = 30;

/**
 * Each hero as a dot that is a link, those on the outside with their names. Along x by the square root, as most rates are small.
 * What it shows must stand in a table beside it, which has the same links for the keyboard.
 */
export function scatter({ messages, figures }: PageContext, { title, xName, yName, dots }: Scatter): Html | undefined {
  const { charts: words } = messages.heroes;
  if (dots.length < 2) return undefined;
  const { writePercent } = figures;
  const [xs, ys] = [dots.map((dot) => Math.max(0, dot.x)), dots.map((dot) => dot.y)];
  const [most, low, high] = [Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const toX = scaleSqrt([0, most || 1], [AREA.left, AREA.right]).nice(X_TICKS);
  const toY = scaleLinear([low, high], [AREA.bottom, AREA.top]).nice(Y_TICKS);
  const placed = dots.map((dot, index) => ({ ...dot, left: rounded(toX(xs[index] ?? 0)), top: rounded(toY(dot.y)) }));
  const inWords = ({ name, kind, x, y }: Dot) =>
    [isolateName(name), isolateName(kind), `${yName} ${writePercent(y)}`, `${xName} ${writePercent(x)}`].join(" · ");
  return plot({
    title,
    words: [
      words.dots({ title, heroes: dots.length }),
      words.span({ rate: yName, low: writePercent(low), high: writePercent(high) }),
      words.upTo({ rate: xName, most: writePercent(most) }),
    ].join("; "),
    hint: words.hint,
    width: WIDTH,
    height: HEIGHT,
    hasLinks: true,
    marks: html`${risingAxis(AREA, percentTicks(toY, Y_TICKS, figures))}
${lyingAxis(AREA, percentTicks(toX, X_TICKS, figures))}
<text x="${AREA.right}" y="${HEIGHT - 6}" text-anchor="end">${words.squareRoot({ rate: xName })} →</text><text x="4" y="36">${yName} ↑</text>
${placed.map(
  (dot) =>
    html`<a class="mark ${dot.shape}" href="${dot.address}" tabindex="-1"><title>${inWords(dot)}</title><use href="#shape-${dot.shape}" x="${dot.left}" y="${dot.top}"/></a>`,
)}
${placeLabels(placed, LABELS, MOST_LABELS).map(
  ({ text, left, base, width }) =>
    html`<text class="label" x="${rounded(left)}" y="${rounded(base)}" data-room="${width}">${text}</text>`,
)}`,
  });
}
