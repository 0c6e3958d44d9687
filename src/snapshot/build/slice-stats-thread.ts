import { parentPort } from "node:worker_threads";
import { parseBody } from "../../api/body/body.ts";
import { unwrap } from "../../api/body/wrapping.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createFindings } from "./slice-stats.ts";
import type { Bodies } from "./slice-stats-worker.ts";

const findings = createFindings();

parentPort?.on("message", (batch: readonly Bodies[] | "summary") => {
  parentPort?.postMessage(batch === "summary" ? findings.summary() : batch.map(find));
});

/** Only captured answers come here: the crawl has looked at their envelope. */
function find({ slice, pages }: Bodies) {
  const { wrapping = "pages" } = endpointOf(slice.dataset);
  return findings.add(
    slice,
    pages.flatMap((page) => unwrap(wrapping, parseBody(page))),
  );
}
