import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
import { type Html, html } from "../html.ts";

/** A kind of dots, with its word in the language of the page; the code names its style. */
export interface DotKind {
  code: string;
  word: Html;
}

/** Kinds are told apart without colours too. Their areas are such that all look alike in size and none is higher than 12.5. */
const SHAPES: Readonly<Record<string, readonly [shape: SymbolType, area: number]>> = {
  tank: [symbolSquare, 56],
  fighter: [symbolTriangle, 48],
  assassin: [symbolDiamond, 42],
  mage: [symbolCircle, 56],
  marksman: [symbolCross, 56],
  support: [symbolStar, 42],
  other: [symbolWye, 42],
};

/** The code of a shape: that of a kind which has one, else of all others. */
export const dotShape = (kind: string | null): string =>
  kind !== null && Object.hasOwn(SHAPES, kind) ? kind : "other";

function outline(code: string): string | null {
  const [shape, area] = SHAPES[code] ?? [symbolWye, 42];
  return symbol(shape, area).digits(1)();
}

const ORDER = Object.keys(SHAPES);

/** The shapes with their words. The dots of the page use them, so it stands on a page once. */
export const shapeKey = (title: string, kinds: readonly DotKind[]): Html =>
  html`<ul class="key" aria-label="${title}">${kinds
    .toSorted((a, b) => ORDER.indexOf(a.code) - ORDER.indexOf(b.code))
    .map(
      ({ code, word }) =>
        html`<li class="${code}"><svg viewBox="-8 -8 16 16" aria-hidden="true"><path id="shape-${code}" d="${outline(code)}"/></svg>${word}</li>`,
    )}</ul>`;
