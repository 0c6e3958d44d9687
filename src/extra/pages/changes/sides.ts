import { cellsApart, numbersApart } from "../../../api/apart.ts";
import { BASE_LANG } from "../../../api/enumerations.ts";
import type { Figures } from "../figures.ts";
import { changeDigits, figure, MOST_CHARS, nameIn, percentDigits } from "../format.ts";
import type { Html } from "../html.ts";

type Sides = [before: Html, after: Html];

/** Writes before and after of a row with enough digits to look different. */
export const percentSides = (before: number, after: number, { writePercent }: Figures): Sides => {
  const digits = [percentDigits(before), percentDigits(after), changeDigits(after - before)];
  return toFigures(before, after, writePercent, Math.max(...digits));
};

export const pointSides = (before: number, after: number, { writePoints }: Figures): Sides =>
  toFigures(before, after, writePoints, 1);

function toFigures(
  before: number,
  after: number,
  write: (value: number, digits: number) => string,
  least: number,
): Sides {
  const [was, now] = numbersApart(before, after, write, least);
  return [figure(before, () => was), figure(after, () => now)];
}

type CellValue = string | number | null;

/** Writes two cells as names, cut to the length of a name around the place where they differ. */
export function nameSides(before: CellValue, after: CellValue): Sides {
  const [was, now] = cellsApart(before, after, MOST_CHARS.name);
  return [nameIn(BASE_LANG, was), nameIn(BASE_LANG, now)];
}
