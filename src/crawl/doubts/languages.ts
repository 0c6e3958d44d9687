import { sliceKey } from "../../api/endpoint.ts";
import { type ComparedAnswer, compareLanguages } from "../languages/compare.ts";
import { listSamples } from "../languages/samples.ts";
import type { Doubt, DoubtCheck } from "./check.ts";

/**
 * Answers in another language that differ from what would be served in their place. Numbers may have moved between the two, or one of
 * them is of a cache in between, or was damaged in a way that nothing else shows: both are asked again. What stays is in `language_proof`.
 */
export const languages: DoubtCheck = {
  name: "languages",
  looks: 2,
  ifItStays: "believe",
  find: async ({ run }) => doubtsOf(await compareLanguages(run, listSamples(run))),
};

/** One doubt for each endpoint. */
export function doubtsOf(compared: readonly ComparedAnswer[]): Doubt[] {
  const differing = compared.filter(({ difference }) => difference !== null);
  return [...Map.groupBy(differing, ({ slice }) => slice.dataset)].map(([dataset, differences]) => {
    const [{ slice, difference } = {}] = differences;
    return {
      name: dataset,
      why: `${dataset}: ${differences.length} answers differ by language, as ${slice && sliceKey(slice)}: ${difference}`,
      suspects: differences.map(({ asked, base, difference: seen }) => ({
        stored: asked,
        seen: seen ?? "",
        beside: [base.id],
      })),
    };
  });
}
