import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";

/** Shares of 1; null for a missing value. */
export interface Course {
  values: readonly (number | null)[];
  /** The value that they are above or below. */
  base: number | null;
}

const [WIDTH, HEIGHT, EDGE] = [72, 22, 2];
const MIDDLE = HEIGHT / 2;
/** A distance from the base below this is mostly chance, and is drawn as small as it is. */
const LEAST_DISTANCE = 0.01;

const isValue = (value: number | null): value is number => value !== null;

/** Small lines for the rows of a table that has the same in numbers: how far above or below its base each is, on one scale. */
export function sparks(courses: readonly Course[], { writePercent }: Figures): (Html | undefined)[] {
  const most = courses.reduce((all, { values, base }) => {
    const distances = base === null ? [] : values.filter(isValue).map((value) => Math.abs(value - base));
    return distances.reduce((a, b) => Math.max(a, b), all);
  }, LEAST_DISTANCE);
  const y = scaleLinear([-most, most], [HEIGHT - EDGE, EDGE]);
  return courses.map(({ values, base }) => {
    const [first, last] = [values.find(isValue), values.findLast(isValue)];
    if (base === null || first === undefined || last === undefined) return undefined;
    const x = scaleLinear([0, Math.max(1, values.length - 1)], [EDGE, WIDTH - EDGE]);
    const draw = line<number | null>()
      .x((_, index) => x(index))
      .y((value) => y((value ?? 0) - base))
      .defined(isValue)
      .digits(1);
    const words = `${writePercent(first, 1)} → ${writePercent(last, 1)}`;
    return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}"><line x1="0" x2="${WIDTH}" y1="${MIDDLE}" y2="${MIDDLE}"/><path d="${draw([...values]) ?? ""}"/></svg>`;
  });
}
