import { parentPort } from "node:worker_threads";
import { parseBody } from "../../api/body/body.ts";
import { unwrap } from "../../api/body/wrapping.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createStatsCollector } from "./slice-stats.ts";
import type { SliceBodies, StatsRequest } from "./slice-stats-worker.ts";

const collector = createStatsCollector();

parentPort?.on("message", (request: StatsRequest) => {
  parentPort?.postMessage(request === "summary" ? collector.summary() : request.map(addSlice));
});

/** The crawl has validated the envelopes already. */
function addSlice({ pages, ...of }: SliceBodies) {
  const { wrapping } = endpointOf(of.slice.dataset);
  const records = pages.flatMap((page) => unwrap(wrapping, parseBody(page)));
  return collector.add(of, records);
}
