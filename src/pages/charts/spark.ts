import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { type Html, html } from "../html.ts";

const [WIDTH, HEIGHT, EDGE] = [72, 22, 2];
const HALF = 0.5;

const isValue = (value: number | null): value is number => value !== null;

/** Small lines of shares for the rows of a table that has the same in numbers, all on one scale, with a line at 50%. */
export function sparks(all: readonly (readonly (number | null)[])[]): (Html | undefined)[] {
  const known = all.flatMap((values) => values.filter(isValue));
  const [low, high] = [known.reduce((a, b) => Math.min(a, b), HALF), known.reduce((a, b) => Math.max(a, b), HALF)];
  const y = scaleLinear([low, high], [HEIGHT - EDGE, EDGE]);
  const half = y(HALF).toFixed(1);
  return all.map((values) => {
    const [first, last] = [values.find(isValue), values.findLast(isValue)];
    if (first === undefined || last === undefined) return undefined;
    const x = scaleLinear([0, Math.max(1, values.length - 1)], [EDGE, WIDTH - EDGE]);
    const draw = line<number | null>()
      .x((_, place) => x(place))
      .y((value) => y(value ?? 0))
      .defined(isValue)
      .digits(1);
    return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${(100 * first).toFixed(1)}% to ${(100 * last).toFixed(1)}%"><line x1="0" x2="${WIDTH}" y1="${half}" y2="${half}"/><path d="${draw([...values]) ?? ""}"/></svg>`;
  });
}
