import { type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointPart } from "../../api/refusals.ts";
import { plannedIds } from "../../journal/captured.ts";
import { ask } from "../collect.ts";
import type { Run } from "../run.ts";
import { ENOUGH } from "./evidence.ts";
import { drawDifferent } from "./known.ts";

/**
 * Where a night asks for a part of an endpoint only, and nothing of that part was captured while some was refused: asks for a few
 * slices of other parts, to tell whether the endpoint is withdrawn.
 */
export async function probeDoubtful(run: Run): Promise<void> {
  const { refusals, journal } = run;
  const { evidence, expected } = refusals;
  const planned = plannedIds(journal);
  const datasets = [...new Set(expected.map(({ dataset }) => dataset))];
  const probes = datasets.flatMap((dataset): Slice[] => {
    const refused = evidence.refusedIn(dataset);
    const part = endpointPart(dataset);
    if (refused.length === 0 || evidence.capturedIn(part) > 0 || evidence.isPartClosed(part)) return [];
    const others = expected.filter((slice) => slice.dataset === dataset && !refusals.isWithheld(slice));
    const drawn = drawDifferent(others, refused.length + ENOUGH, journal.header().began_at, refused);
    return drawn.filter((slice) => !planned.has(sliceId(slice)));
  });
  await ask(run, probes);
}
