import type { Lang } from "../../api/enumerations.ts";
import { changeDigits, directionOf, figure, NO_FIGURE, percentDigits } from "./format.ts";
import { type Html, html } from "./html.ts";
import type { Messages } from "./words/messages.ts";

/** Elements have the exact value beside what is written: a dash for none. */
interface NumberFigures {
  /** A share of 1. */
  percent(share: number | null | undefined): Html;
  writePercent(share: number, digits?: number): string;
  /** Writes a share with no more digits than it has. */
  writeRoundPercent(share: number): string;
  /** A difference of two shares, in percentage points. */
  points(difference: number | null | undefined): Html;
  writePoints(difference: number, digits?: number): string;
  /** Points without their sign. */
  writeSize(difference: number): string;
  /** A change that is known to be one: as points, and never written as none. */
  writeChange(difference: number): string;
  count(whole: number | null | undefined): Html;
  /** A difference of two counts. */
  writeDifference(whole: number): string;
  bytes(size: number): Html;
  writeBytes(size: number): string;
  /** Writes a length such as `14 days`. */
  writeUnits(unit: "hour" | "day", passed: number): string;
}

interface TimeFigures {
  /** An ISO time, to the minute. */
  time(iso: string | null | undefined): Html;
  /** The same without its zone. */
  writeMinute(iso: string): string;
  /** The day of an ISO time. */
  day(iso: string | null | undefined): Html;
  writeDay(iso: string): string;
  /** A day without its year, for an axis. */
  writeShortDay(day: Date): string;
}

/** How numbers and times are written in a language. */
export interface Figures extends NumberFigures, TimeFigures {}

const figuresByLanguage = new Map<Lang, Figures>();

/** Makes the figures of a language once: a formatter costs more than all figures of a page. */
export function figuresIn(language: Lang): Figures {
  const kept = figuresByLanguage.get(language);
  if (kept) return kept;
  // Digits as in the names and texts of the game, in all languages.
  const locale = `${language}-u-nu-latn`;
  const made = { ...numbersIn(language, locale), ...timesIn(language, locale) };
  figuresByLanguage.set(language, made);
  return made;
}

type Write = (value: number, digits: number) => string;

/** The formatter of each number of digits is kept. */
function writerOf(locale: string, options: Intl.NumberFormatOptions): Write {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value, digits) => {
    const fixed = { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: digits };
    const format = formats.get(digits) ?? new Intl.NumberFormat(locale, { ...options, ...fixed });
    formats.set(digits, format);
    return format.format(value);
  };
}

function numbersIn(language: Lang, locale: string): NumberFigures {
  const [plain, shares] = [writerOf(locale, {}), writerOf(locale, { style: "percent" })];
  const unitsOf = (unit: string) => writerOf(locale, { style: "unit", unit });
  const [kilobytes, megabytes] = [unitsOf("kilobyte"), unitsOf("megabyte")];
  const whole = new Intl.NumberFormat(locale);
  const roundShare = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 });
  const passedIn = (unit: string) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  const passed = { hour: passedIn("hour"), day: passedIn("day") };
  // Between words from right to left a sign would stand behind its number.
  const isolate = directionOf(language) === "rtl" ? (text: string) => `\u2066${text}\u2069` : (text: string) => text;
  // Rounded as the number has it, not as its shortest text: 1.005 is less than it looks, and would be 1.01.
  const round = (value: number, digits: number) => Number(value.toFixed(digits));

  const writePercent: NumberFigures["writePercent"] = (share, digits = percentDigits(share)) =>
    shares(round(100 * share, digits) / 100, digits);

  const writePoints: NumberFigures["writePoints"] = (difference, digits = 1) => {
    const size = round(Math.abs(100 * difference), digits);
    const sign = size === 0 ? "±" : difference < 0 ? "−" : "+";
    return isolate(`${sign}${plain(size, digits)}`);
  };

  const writeBytes = (size: number) =>
    size < 1e5 ? kilobytes(round(size / 1e3, 1), 1) : megabytes(round(size / 1e6, 1), 1);

  return {
    percent: (share) => figure(share, writePercent),
    writePercent,
    writeRoundPercent: (share) => roundShare.format(share),
    points: (difference) => figure(difference, writePoints),
    writePoints,
    writeSize: (difference) => plain(round(Math.abs(100 * difference), 1), 1),
    writeChange: (difference) => writePoints(difference, changeDigits(difference)),
    count: (value) => figure(value, (one) => whole.format(one)),
    writeDifference: (value) =>
      value === 0 ? plain(0, 0) : isolate(`${value < 0 ? "−" : "+"}${plain(Math.abs(value), 0)}`),
    bytes: (size) => figure(size, writeBytes),
    writeBytes,
    writeUnits: (unit, value) => passed[unit].format(value),
  };
}

const [DAY_CHARS, MINUTE_CHARS] = [10, 16];

function timesIn(language: Lang, locale: string): TimeFigures {
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  const minutes = formatOf({ dateStyle: "medium", timeStyle: "short" });
  const days = formatOf({ dateStyle: "medium" });
  const shortDays = formatOf({ month: "short", day: "numeric" });
  /** Writes English times as in ISO 8601, where nobody has to guess the order of day and month. */
  const write = (iso: string, chars: number, format: Intl.DateTimeFormat) => {
    const moment = language === "en" ? undefined : momentOf(iso, chars);
    return moment ? format.format(moment) : iso.slice(0, chars).replace("T", " ");
  };
  const writeMinute = (iso: string) => write(iso, MINUTE_CHARS, minutes);
  const writeDay = (iso: string) => write(iso, DAY_CHARS, days);
  return {
    time: (iso) => (iso ? html`<time datetime="${iso}">${writeMinute(iso)} UTC</time>` : NO_FIGURE),
    writeMinute,
    day: (iso) => (iso ? html`<time datetime="${iso}">${writeDay(iso)}</time>` : NO_FIGURE),
    writeDay,
    writeShortDay: (day) => shortDays.format(day),
  };
}

/** Reads a moment in UTC; undefined if the text is not one: days come from the data, and any text may stand there. */
function momentOf(iso: string, chars: number): Date | undefined {
  const moment = new Date(iso);
  const isMoment = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(iso.slice(0, chars));
  return isMoment ? moment : undefined;
}

const HOUR_MS = 3_600_000;

/** The age in whole hours, from two days on in days, so that the text stays true for an hour. */
export function ageOf(iso: string, now: number, { language, mirror: { age } }: Messages): string {
  const hours = Math.max(0, Math.floor((now - Date.parse(iso)) / HOUR_MS));
  if (hours < 1) return age.underAnHour;
  const { writeUnits } = figuresIn(language);
  return age.old({ time: hours < 48 ? writeUnits("hour", hours) : writeUnits("day", Math.floor(hours / 24)) });
}
