import { describeGroups } from "../../api/refusals.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { CountedGroup } from "../../snapshot/read/standing.ts";

/** The rows of the table `refusal`, each with a line for people. */
export const tellRefusals = (snapshot: Snapshot) =>
  snapshot.refusals().map((group) => ({ ...group, line: describe(group) }));

function describe(group: CountedGroup): string {
  const { since, slices_carried, slices_missing } = group;
  return `${describeGroups([group])[0]}, since ${since}; ${slices_carried} slices carried over, ${slices_missing} missing`;
}
