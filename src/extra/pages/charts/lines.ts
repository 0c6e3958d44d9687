import { scaleLinear, scaleUtc } from "d3-scale";
import { line } from "d3-shape";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Messages } from "../words/messages.ts";
import { isolateName, lyingAxis, namesAxis, percentTicks, plot, risingAxis, rounded, type Tick } from "./plot.ts";
import { fitText } from "./text-width.ts";

/** One line; null for a step without a value. */
interface Line {
  name: string;
  values: readonly (number | null)[];
}

/** The steps that the lines go along: for each value a number and its words, and the round ones with theirs. */
export interface Steps {
  places: readonly number[];
  names: readonly string[];
  ticks: readonly Tick[];
  axis: typeof lyingAxis;
}

/** The lines of a chart, in shares of 1. */
export interface Lines {
  title: string;
  /** The chart is not drawn without them. */
  steps: Steps | undefined;
  /** Lines in colours, with their names; the styles know five. */
  lines: readonly Line[];
  /** All in one grey. */
  others?: readonly Line[];
}

/** Lines in colours at most, one for each chosen hero. */
export const MOST_LINES = 4;

const [WIDTH, HEIGHT] = [600, 284];
const AREA = { left: 52, right: WIDTH - 112, top: 30, bottom: HEIGHT - 40 };
const [X_TICKS, Y_TICKS] = [5, 5];
const LABEL_STEP = 15;
const NAME_GAP = 8;
const NAME_WIDTH = WIDTH - AREA.right - NAME_GAP - 2;
/** A rate of 2,500 matches strays by a point around its true value (√(0.25 ÷ 2,500)): within two points a line shows mostly chance. */
const LEAST_SPAN = 0.02;

const isValue = (value: number | null): value is number => value !== null;

/** Days as `2026-11-23`; undefined if one of them is not a day. */
export function alongDays(days: readonly string[], { writeDay, writeShortDay }: Figures): Steps | undefined {
  const places = days.map((day) => Date.parse(day));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined || places.some(Number.isNaN)) return undefined;
  const scale = scaleUtc([first, last], [first, last]);
  const ticks = scale.ticks(X_TICKS).map((day) => ({ at: day.getTime(), text: writeShortDay(day) }));
  return { places, names: days.map(writeDay), ticks, axis: lyingAxis };
}

/** Makes a step for each name, one as far from the next as from the one before. */
export const alongNames = (names: readonly string[]): Steps => ({
  places: names.map((_, index) => index),
  names,
  ticks: names.map((text, at) => ({ at, text })),
  axis: namesAxis,
});

/** Draws lines. Their values must stand in a table beside the chart. */
export function lineChart(
  { messages, figures }: PageContext,
  { title, steps, lines, others = [] }: Lines,
): Html | undefined {
  const { charts: words } = messages.heroes;
  const values = [...lines, ...others].flatMap((line) => line.values.filter(isValue));
  if (steps === undefined || values.length === 0 || steps.places.length < 2) return undefined;
  const { places, ticks, axis } = steps;
  const x = scaleLinear([places[0] ?? 0, places.at(-1) ?? 1], [AREA.left, AREA.right]);
  const y = scaleLinear(spanOf(values), [AREA.bottom, AREA.top]).nice(Y_TICKS);
  const [low = 0, high = 1] = y.domain();
  const draw = line<number | null>()
    .x((_, index) => x(places[index] ?? 0))
    .y((value) => y(value ?? 0))
    .defined(isValue)
    .digits(1);
  const path = (name: string, { values }: Line) => html`<path class="${name}" d="${draw([...values]) ?? ""}"/>`;
  const range =
    low > 0 ? words.range({ low: figures.writePercent(low, 1), high: figures.writePercent(high, 1) }) : undefined;
  return plot({
    title,
    words: [describe(title, steps.names, lines, others.length, words, figures), range]
      .filter((part) => part !== undefined)
      .join(". "),
    hint: words.hint,
    width: WIDTH,
    height: HEIGHT,
    note: range,
    key: lines.length > 1 ? nameKey(lines) : undefined,
    marks: html`${stepMarks(steps, lines, figures, x, y)}
${risingAxis(AREA, percentTicks(y, Y_TICKS, figures))}
${axis(
  AREA,
  ticks.map(({ at, text }) => ({ at: rounded(x(at)), text })),
)}
${others.map((line) => path("other", line))}
${lines.map((line, index) => path(`line${index + 1}`, line))}
${endNames(lines, y).map(
  ({ name, index, at }) =>
    html`<text class="name${index + 1}" x="${AREA.right + NAME_GAP}" y="${at + 4}" data-room="${NAME_WIDTH}">${fitText(name, NAME_WIDTH)}</text>`,
)}`,
  });
}

/** The drawing itself says the names to who does not see it. */
const nameKey = (lines: readonly Line[]): Html =>
  html`<ul class="key narrow" aria-hidden="true">${lines.map(
    ({ name }, index) =>
      html`<li><svg viewBox="0 0 24 16" aria-hidden="true"><path class="line${index + 1}" d="M1 8h22"/></svg><bdi>${name}</bdi></li>`,
  )}</ul>`;

/** Returns the least and the most value, moved apart if they are next to each other. */
function spanOf(values: readonly number[]): [low: number, high: number] {
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const lack = Math.max(0, LEAST_SPAN - (high - low));
  const from = Math.min(low, Math.max(0, low - lack / 2));
  return [from, Math.max(high, from + LEAST_SPAN)];
}

type Scale = (value: number) => number;

/** Makes a band to point at for each step, with the points of all coloured lines and their values in words. */
function stepMarks(
  { places, names }: Steps,
  lines: readonly Line[],
  { writePercent }: Figures,
  x: Scale,
  y: Scale,
): Html[] {
  const at = places.map((place) => rounded(x(place)));
  return at.map((left, index) => {
    const [start, end] = [(left + (at[index - 1] ?? left)) / 2, (left + (at[index + 1] ?? left)) / 2];
    const points = lines.map(({ name, values }, line) => ({ name, line: line + 1, value: values[index] ?? null }));
    const words = points.map(
      ({ name, value }) => `${isolateName(name)}\u00a0${value === null ? "–" : writePercent(value)}`,
    );
    return html`<g class="mark" data-x="${left}"><title>${[isolateName(names[index] ?? ""), ...words].join(" · ")}</title><rect x="${rounded(start)}" y="${AREA.top}" width="${rounded(end - start)}" height="${AREA.bottom - AREA.top}"/>${points.map(
      ({ line, value }) =>
        value !== null && html`<circle class="name${line}" cx="${left}" cy="${rounded(y(value))}" r="2"/>`,
    )}</g>`;
  });
}

/** Names at the ends of their lines, apart from each other. */
function endNames(lines: readonly Line[], y: Scale) {
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
function describe(
  title: string,
  names: readonly string[],
  lines: readonly Line[],
  others: number,
  words: Messages["heroes"]["charts"],
  { writePercent }: Figures,
): string {
  const each = lines.flatMap(({ name, values }) => {
    const [first, last] = [values.find(isValue), values.findLast(isValue)];
    if (first === undefined || last === undefined) return [];
    return [words.course({ name: isolateName(name), first: writePercent(first, 1), last: writePercent(last, 1) })];
  });
  const rest = others > 0 ? [words.others({ lines: others })] : [];
  return words.lines({ title, first: names[0] ?? "", last: names.at(-1) ?? "", parts: [...each, ...rest].join("; ") });
}
