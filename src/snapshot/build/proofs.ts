import { parseSlice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import type { Coverage, LanguageProof } from "../schema/row-types.ts";

/**
 * The comparisons of this crawl, and those of the base in languages of a dataset that this crawl has not looked at: what they
 * prove of a dataset holds until it is looked at again. Only of slices that are in the file.
 */
export function joinProofs(
  own: readonly LanguageProof[],
  before: readonly LanguageProof[],
  coverage: readonly Pick<Coverage, "dataset" | "slice">[],
): LanguageProof[] {
  const looked = new Set(own.map(({ dataset, lang }) => `${dataset} ${lang}`));
  const held = new Set(coverage.map(({ dataset, slice }) => `${dataset}?${slice}`));
  const isHeld = ({ dataset, slice }: LanguageProof) =>
    held.has(sliceId({ ...parseSlice(dataset, slice), lang: BASE_LANG }));
  return [...own, ...before.filter((row) => !looked.has(`${row.dataset} ${row.lang}`) && isHeld(row))];
}
