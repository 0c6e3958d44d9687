import type { Matrix } from "./csv.ts";

/** Room for the names of groups, above and at the left. */
export const MARGIN = 20;

const [FEWEST_PIXELS, MOST_PIXELS] = [5, 24];

/** The side of a cell, so that all cells have room if possible. */
export const cellSize = (width: number, count: number): number =>
  Math.min(MOST_PIXELS, Math.max(FEWEST_PIXELS, Math.floor((width - MARGIN) / count)));

type Colour = readonly [red: number, green: number, blue: number];

/** A colour of the stylesheet, `#rrggbb`. */
const colourOf = (styles: CSSStyleDeclaration, name: string): Colour => {
  const whole = Number.parseInt(styles.getPropertyValue(name).trim().slice(1), 16);
  return [whole >> 16, (whole >> 8) & 255, whole & 255];
};

const toCss = (colour: readonly number[]) => `rgb(${colour.map(Math.round).join(" ")})`;

/** Each cell in a colour, from low over none to high, which end at the limit; those without a value have a dot. */
export function paint(
  canvas: HTMLCanvasElement,
  matrix: Matrix,
  limit: number,
  size: number,
  groups: readonly (string | undefined)[],
): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const styles = getComputedStyle(canvas);
  const [low, none, high] = [colourOf(styles, "--bad"), colourOf(styles, "--paper"), colourOf(styles, "--good")];
  const side = MARGIN + size * matrix.heroes.length;
  canvas.width = canvas.height = Math.round(side * devicePixelRatio);
  canvas.style.width = canvas.style.height = `${side}px`;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  for (const [y, row] of matrix.values.entries()) {
    for (const [x, value] of row.entries()) {
      const [left, top] = [MARGIN + x * size, MARGIN + y * size];
      if (value === undefined) {
        context.fillStyle = styles.getPropertyValue("--soft");
        context.fillRect(left + size / 2 - 1, top + size / 2 - 1, 2, 2);
        continue;
      }
      const [end, share] = [value < 0 ? low : high, Math.min(1, Math.abs(value) / limit)];
      context.fillStyle = toCss(none.map((from, part) => from + ((end[part] ?? 0) - from) * share));
      context.fillRect(left, top, size, size);
    }
  }
  paintGroups(context, size, groups, styles);
}

/** Paints the names of groups along both sides if there is room, parted by lines: over all cells between words, else at the side alone. */
function paintGroups(
  context: CanvasRenderingContext2D,
  size: number,
  groups: readonly (string | undefined)[],
  styles: CSSStyleDeclaration,
): void {
  const starts = groups.flatMap((group, first) => (group !== groups[first - 1] ? [{ group, first }] : []));
  const reach = groups.some((group = "") => group.length > 1) ? MARGIN + size * groups.length : MARGIN;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const [index, { group, first }] of starts.entries()) {
    const edge = MARGIN + first * size;
    const room = ((starts[index + 1]?.first ?? groups.length) - first) * size;
    context.fillStyle = styles.getPropertyValue("--soft");
    if (first > 0) {
      context.fillRect(0, edge - 0.5, reach, 1);
      context.fillRect(edge - 0.5, 0, 1, reach);
    }
    if (group === undefined || context.measureText(group).width > room - 1) continue;
    context.fillStyle = styles.getPropertyValue("--ink");
    context.textAlign = "center";
    context.fillText(group, edge + room / 2, MARGIN / 2);
    context.save();
    context.translate(MARGIN / 2, edge + room / 2);
    context.rotate(group.length > 1 ? -Math.PI / 2 : 0);
    context.fillText(group, 0, 0);
    context.restore();
  }
}
