import type { ScaleContinuousNumeric } from "d3-scale";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import { fitText, widthOfText } from "./text-width.ts";

/** The area of the values in a plot, in its own units. */
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

const MOST_TICK_WIDTH = 120;
const TICK_GAP = 8;
const MOST_NAME_WIDTH = 160;

export const rounded = (value: number) => Math.round(10 * value) / 10;

/** The round values of a scale of shares, in percent. */
export function percentTicks(
  scale: ScaleContinuousNumeric<number, number>,
  about: number,
  { writePercent }: Figures,
): Tick[] {
  const digits = digitsOf(scale.tickFormat(about, "%")(0));
  return scale.ticks(about).map((value) => ({ at: rounded(scale(value)), text: writePercent(value, digits) }));
}

/** The library tells how many digits the steps need only by what it writes, as in `0.0%`. */
const digitsOf = (written: string): number => /\.(0*)%$/.exec(written)?.[1]?.length ?? 0;

/** A name in a line of other texts: its characters cannot change the direction of what follows. */
export const isolateName = (name: string): string =>
  `\u2068${fitText(name.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ""), MOST_NAME_WIDTH)}\u2069`;

/** Lines and figures from the bottom to the top. */
export const risingAxis = ({ left, right }: Area, ticks: readonly Tick[]): Html =>
  html`${ticks.map(
    ({ at, text }) =>
      html`<line class="axis" x1="${left}" y1="${at}" x2="${right}" y2="${at}"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${text}</text>`,
  )}`;

/** The axis from left to right, of values between which there are others. */
export const lyingAxis = (area: Area, ticks: readonly Tick[]): Html =>
  html`${withRoom(ticks).map(({ at, text }) => lyingTick(area, at, [text]))}`;

/** The axis of names with nothing between them: none is left out, a long one has two lines. */
export function namesAxis(area: Area, ticks: readonly Tick[]): Html {
  const step = (area.right - area.left) / Math.max(1, ticks.length - 1);
  return html`${ticks.map(({ at, text }) => lyingTick(area, at, inTwo(text, step - 2)))}`;
}

const LINE_HEIGHT = 14;

const lyingTick = ({ top, bottom }: Area, at: number, lines: readonly string[]): Html =>
  html`<line class="axis" x1="${at}" y1="${top}" x2="${at}" y2="${bottom}"/>${lines.map(
    (text, index) => html`<text x="${at}" y="${bottom + 19 + LINE_HEIGHT * index}" text-anchor="middle">${text}</text>`,
  )}`;

/** Parts a text at the space that leaves the shortest lines. */
function inTwo(text: string, most: number): string[] {
  const words = text.split(" ");
  const parted = words.slice(1).map((_, index) => [words.slice(0, index + 1), words.slice(index + 1)]);
  const widest = (lines: readonly string[]) => Math.max(...lines.map(widthOfText));
  const pairs = parted.map((lines) => lines.map((line) => line.join(" "))).sort((a, b) => widest(a) - widest(b));
  const [lines = [text]] = widthOfText(text) > most ? pairs : [];
  return lines.map((line) => fitText(line, most));
}

/** Keeps the ticks that do not run into the one before. */
function withRoom(ticks: readonly Tick[]): Tick[] {
  let end = Number.NEGATIVE_INFINITY;
  return ticks.flatMap((tick) => {
    const text = fitText(tick.text, MOST_TICK_WIDTH);
    const half = widthOfText(text) / 2;
    if (tick.at - half < end + TICK_GAP) return [];
    end = tick.at + half;
    return [{ at: tick.at, text }];
  });
}

export interface Plot {
  title: string;
  /** Describes the plot to those who do not see it. */
  words: string;
  /** A script shows this below the plot until somebody points at something. */
  hint: string;
  width: number;
  height: number;
  marks: Html;
  /** The marks have links: such a drawing is a group, and no picture. */
  hasLinks?: boolean;
  /** A note without which one cannot read it. */
  note?: string | undefined;
  /** Names of the lines, for a screen on which their ends are out of sight. */
  key?: Html | undefined;
}

/** A drawing that scrolls by itself if it is too wide, and below it a line for the values that somebody points at. */
export const plot = ({ title, words, hint, width, height, marks, hasLinks, note, key }: Plot): Html =>
  html`<div class="plot"><div class="wide" dir="ltr" role="region" aria-label="${title}" tabindex="0"><svg class="chart" viewBox="0 0 ${width} ${height}" role="${hasLinks ? "group" : "img"}" aria-label="${words}">
<text class="title" x="4" y="14">${title}</text>
${marks}
</svg></div>${key}${note !== undefined && html`<p><small>${note}</small></p>`}<p class="reading" aria-live="polite" data-hint="${hint}"></p></div>`;
