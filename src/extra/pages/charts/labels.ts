import type { Area } from "./plot.ts";
import { fitText, widthOfText } from "./text-width.ts";

/** The middle of a dot, and its name. */
export interface Spot {
  name: string;
  left: number;
  top: number;
}

/** A text from the left, on its base line; it has so much room. */
export interface Label {
  text: string;
  left: number;
  base: number;
  width: number;
}

const MOST_WIDTH = 120;
/** The height above and below the base line, for the tallest of the scripts (Khmer). */
const [ASCENT, DESCENT] = [13, 6];
/** The distances from the middle of a dot to its edge, and to its name. */
const [RADIUS, GAP] = [6.5, 8];
/** A name is nearer to its own dot than to any other by this. */
const NEARER = 3;
/** A dot that is further away from another than this, to the side or above and below, is far from all places for its name. */
const [REACH_X, REACH_Y] = [3 * GAP + MOST_WIDTH, 3 * GAP + ASCENT + DESCENT];

/** Names of so many dots, the outermost first, where nobody can take a name for that of another dot. */
export function placeLabels(spots: readonly Spot[], bounds: Area, most: number): Label[] {
  const kept: { label: Label; box: Area }[] = [];
  for (const spot of outermostFirst(spots, bounds)) {
    if (kept.length === most) break;
    const near = spots.filter(
      (other) =>
        other !== spot && Math.abs(other.left - spot.left) < REACH_X && Math.abs(other.top - spot.top) < REACH_Y,
    );
    const found = placesAround(spot).find(({ box }) => {
      if (box.left < bounds.left || box.right > bounds.right) return false;
      if (box.top < bounds.top || box.bottom > bounds.bottom) return false;
      if (kept.some((other) => overlap(box, other.box))) return false;
      const clear = Math.max(RADIUS, distanceTo(box, spot) + NEARER);
      return near.every((other) => distanceTo(box, other) >= clear);
    });
    if (found) kept.push(found);
  }
  return kept.map(({ label }) => label);
}

function outermostFirst(spots: readonly Spot[], { left, right, top, bottom }: Area): Spot[] {
  const mean = (pick: (spot: Spot) => number) => spots.reduce((sum, spot) => sum + pick(spot), 0) / spots.length;
  const [midX, midY] = [mean((spot) => spot.left), mean((spot) => spot.top)];
  const distance = (spot: Spot) =>
    ((spot.left - midX) / (right - left)) ** 2 + ((spot.top - midY) / (bottom - top)) ** 2;
  return spots.toSorted((a, b) => distance(b) - distance(a));
}

/** Returns the places for a name: beside the dot, above and below it, then at its corners. */
function placesAround({ name, left, top }: Spot): { label: Label; box: Area }[] {
  const text = fitText(name, MOST_WIDTH);
  const width = Math.ceil(widthOfText(text));
  const [after, before, middle] = [left + GAP, left - GAP - width, left - width / 2];
  const [beside, above, below] = [top + 4, top - GAP - DESCENT, top + GAP + ASCENT - 1];
  const places: [number, number][] = [
    ...[after, before].map((at): [number, number] => [at, beside]),
    ...[above, below].flatMap((base) => [middle, after - 4, before + 4].map((at): [number, number] => [at, base])),
  ];
  return places.map(([at, base]) => ({
    label: { text, left: at, base, width },
    box: { left: at, right: at + width, top: base - ASCENT, bottom: base + DESCENT },
  }));
}

const overlap = (a: Area, b: Area) =>
  a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom && b.top < a.bottom;

function distanceTo(box: Area, { left, top }: Spot): number {
  const [x, y] = [Math.max(box.left - left, 0, left - box.right), Math.max(box.top - top, 0, top - box.bottom)];
  return Math.hypot(x, y);
}
