import type { Value } from "../sql/messages.ts";

/** The decimals of shares and other small numbers, and of larger ones. */
const [DECIMALS, DECIMALS_OF_LARGE] = [4, 2];
const LARGE = 10;
/** If all numbers of a column are below this, the largest has four digits that are not 0. */
const SMALL = 0.01;
const DIGITS_OF_SMALL = 4;
/** Numbers below this are shown as they are. */
const TINY = 1e-8;
/** A double from here on has no places after the point. */
const HUGE = 2 ** 53;

/** Writes the numbers of a column: rounded to what they bear, all with the same places after the point, and with a real minus. */
export function figuresOf(column: readonly Value[]): (value: number | bigint) => string {
  const sizes = column.filter(isFraction).map(Math.abs);
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  if (largest > 0 && largest < TINY) return (value) => withMinus(String(value));
  const limit = decimalsUpTo(largest);
  const decimals = sizes.reduce((most, size) => Math.max(most, lastDecimal(size, limit)), 0);
  return (value) => {
    const isRounded = typeof value === "number" && Number.isFinite(value) && Math.abs(value) < HUGE;
    return withMinus(isRounded ? value.toFixed(decimals) : String(value));
  };
}

const withMinus = (figure: string): string => figure.replace(/^-(?=[\d.I])/, "−").replace(/^−(0(\.0+)?)$/, "$1");

const isFraction = (value: Value): value is number =>
  typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value);

function decimalsUpTo(largest: number): number {
  if (largest >= LARGE) return DECIMALS_OF_LARGE;
  if (largest >= SMALL || largest === 0) return DECIMALS;
  return DIGITS_OF_SMALL - 1 - Math.floor(Math.log10(largest));
}

/** Places that a number needs: all, if it is rounded to them. */
function lastDecimal(size: number, limit: number): number {
  const fixed = size.toFixed(limit);
  return Number(fixed) === size ? (fixed.replace(/\.?0+$/, "").split(".")[1]?.length ?? 0) : limit;
}
