import { createHash } from "node:crypto";
import { type Slice, sliceId } from "../../api/endpoint.ts";
import { type Base, heldOf } from "./base.ts";

/** So many of the slices, those first that were asked longest ago; `seed` draws among those of one crawl. */
export function drawOldest(slices: readonly Slice[], count: number, base: Base | undefined, seed: string): Slice[] {
  const keyed = slices.map((slice) => ({
    slice,
    at: heldOf(base, slice)?.asked_at ?? "",
    draw: createHash("sha256")
      .update(`${seed} ${sliceId(slice)}`)
      .digest("hex"),
  }));
  keyed.sort((a, b) => compare(a.at, b.at) || compare(a.draw, b.draw));
  return keyed.slice(0, count).map(({ slice }) => slice);
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
