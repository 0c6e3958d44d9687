import type { ScaleContinuousNumeric } from "d3-scale";
import { type Html, html } from "../html.ts";

/** Where the values of a plot lie, in its own units. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Tick {
  at: number;
  text: string;
}

const MOST_TICK_CHARS = 14;

export const rounded = (value: number) => Math.round(10 * value) / 10;

/** The round values of a scale of shares, in percent. */
export function percentTicks(scale: ScaleContinuousNumeric<number, number>, about: number): Tick[] {
  const write = scale.tickFormat(about, "%");
  return scale.ticks(about).map((value) => ({ at: rounded(scale(value)), text: write(value) }));
}

const short = (text: string) => (text.length > MOST_TICK_CHARS ? `${text.slice(0, MOST_TICK_CHARS)}…` : text);

/** Lines and figures from the bottom to the top. */
export const risingAxis = ({ left, right }: Area, ticks: readonly Tick[]): Html =>
  html`${ticks.map(
    ({ at, text }) =>
      html`<line class="axis" x1="${left}" y1="${at}" x2="${right}" y2="${at}"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${short(text)}</text>`,
  )}`;

/** The axis from left to right. */
export const lyingAxis = ({ top, bottom }: Area, ticks: readonly Tick[]): Html =>
  html`${ticks.map(
    ({ at, text }) =>
      html`<line class="axis" x1="${at}" y1="${top}" x2="${at}" y2="${bottom}"/><text x="${at}" y="${bottom + 16}" text-anchor="middle">${short(text)}</text>`,
  )}`;

/** A drawing that scrolls by itself if it is too wide; `words` are for those who do not see it. */
export const plot = (title: string, words: string, width: number, height: number, marks: Html): Html =>
  html`<div class="wide" role="region" aria-label="${title}" tabindex="0"><svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${words}">
<text class="title" x="4" y="14">${title}</text>
${marks}
</svg></div>`;
