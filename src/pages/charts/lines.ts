import { scaleLinear, scaleUtc } from "d3-scale";
import { line } from "d3-shape";
import { type Html, html } from "../html.ts";
import { lyingAxis, percentTicks, plot, risingAxis, rounded, type Tick } from "./plot.ts";

/** One line; null for a step without a value. */
export interface Line {
  name: string;
  values: readonly (number | null)[];
}

/** What the lines go along: for each of their values a number, and the round ones with their words. */
export interface Steps {
  places: readonly number[];
  ticks: readonly Tick[];
  /** The first and the last, in words. */
  ends: readonly [string, string];
}

/** Shares of 1. */
export interface Lines {
  title: string;
  /** Without them nothing is drawn. */
  steps: Steps | undefined;
  /** Lines in colours, with their names; the styles know five. */
  lines: readonly Line[];
  /** All in one grey. */
  others?: readonly Line[];
}

/** Lines in colours at most, one for each chosen hero. */
export const MOST_LINES = 4;

const [WIDTH, HEIGHT] = [600, 270];
const AREA = { left: 52, right: WIDTH - 112, top: 30, bottom: HEIGHT - 26 };
const [X_TICKS, Y_TICKS] = [5, 5];
const LABEL_STEP = 14;
const MOST_LABEL_CHARS = 15;

const inPercent = (share: number) => `${(100 * share).toFixed(1)}%`;
const isValue = (value: number | null): value is number => value !== null;

/** Days as `2026-11-23`; undefined if one of them is not a day. */
export function alongDays(days: readonly string[]): Steps | undefined {
  const places = days.map((day) => Date.parse(day));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || places.some(Number.isNaN)) return undefined;
  const scale = scaleUtc([first, last], [first, last]);
  const write = scale.tickFormat(X_TICKS, "%b %-d");
  const ticks = scale.ticks(X_TICKS).map((day) => ({ at: day.getTime(), text: write(day) }));
  return { places, ticks, ends: [days[0] ?? "", days.at(-1) ?? ""] };
}

/** Each with its name, one as far from the next as from the one before. */
export const alongNames = (names: readonly string[]): Steps => ({
  places: names.map((_, index) => index),
  ticks: names.map((text, at) => ({ at, text })),
  ends: [names[0] ?? "", names.at(-1) ?? ""],
});

/** What it shows must stand in a table beside it. */
export function lineChart({ title, steps, lines, others = [] }: Lines): Html | undefined {
  const values = [...lines, ...others].flatMap((line) => line.values.filter(isValue));
  if (steps === undefined || values.length === 0 || steps.places.length < 2) return undefined;
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const { places, ticks, ends } = steps;
  const x = scaleLinear([places[0] ?? 0, places.at(-1) ?? 1], [AREA.left, AREA.right]);
  const y = scaleLinear([low, high], [AREA.bottom, AREA.top]).nice(Y_TICKS);
  const draw = line<number | null>()
    .x((_, index) => x(places[index] ?? 0))
    .y((value) => y(value ?? 0))
    .defined(isValue)
    .digits(1);
  const path = (name: string, { values }: Line) => html`<path class="${name}" d="${draw([...values]) ?? ""}"/>`;
  return plot(
    title,
    describe(title, ends, lines, others.length),
    WIDTH,
    HEIGHT,
    html`${risingAxis(AREA, percentTicks(y, Y_TICKS))}
${lyingAxis(
  AREA,
  ticks.map(({ at, text }) => ({ at: rounded(x(at)), text })),
)}
${others.map((line) => path("other", line))}
${lines.map((line, index) => path(`line${index + 1}`, line))}
${labels(lines, y).map(
  ({ name, index, at }) =>
    html`<text class="name${index + 1}" x="${AREA.right + 6}" y="${at + 4}">${name.slice(0, MOST_LABEL_CHARS)}</text>`,
)}`,
  );
}

/** Names at the ends of their lines, apart from each other. */
function labels(lines: readonly Line[], y: (value: number) => number) {
  const ends = lines.flatMap(({ name, values }, index) => {
    const last = values.findLast(isValue);
    return last === undefined ? [] : [{ name, index, at: y(last) }];
  });
  ends.sort((a, b) => a.at - b.at);
  for (const [index, end] of ends.entries()) {
    const before = ends[index - 1];
    if (before) end.at = Math.max(end.at, before.at + LABEL_STEP);
  }
  for (const [index, end] of [...ends.entries()].reverse())
    end.at = rounded(Math.min(end.at, AREA.bottom - LABEL_STEP * (ends.length - 1 - index)));
  return ends;
}

/** Describes the chart for people who do not see it. */
function describe(title: string, ends: Steps["ends"], lines: readonly Line[], others: number): string {
  const each = lines.map(({ name, values }) => {
    const known = values.filter(isValue);
    const [first = 0, last = 0] = [known[0], known.at(-1)];
    return `${name} from ${inPercent(first)} to ${inPercent(last)}`;
  });
  const rest = others > 0 ? [`${others} others in grey`] : [];
  return `${title}, ${ends.join(" to ")}: ${[...each, ...rest].join("; ")}`;
}
