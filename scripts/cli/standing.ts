import { readNights } from "../../src/snapshot/published/sequence.ts";
import { complain } from "./say.ts";

/** Published versions that stand and that do not, the first published first. Damaged manifests are told of. */
export function listStanding(data: string): { standing: string[]; withdrawn: string[] } {
  const { nights, damaged } = readNights(data);
  for (const version of damaged) complain(`${version}: its manifest is damaged, it is left out`);
  const { standing = [], withdrawn = [] } = Object.groupBy(nights, (night) =>
    night.withdrawn ? "withdrawn" : "standing",
  );
  return { standing: standing.map(({ version }) => version), withdrawn: withdrawn.map(({ version }) => version) };
}
