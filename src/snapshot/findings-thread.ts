import { parentPort } from "node:worker_threads";
import { parseBody } from "../api/body.ts";
import { endpointOf } from "../api/endpoints.ts";
import { unwrap } from "../api/wrapping.ts";
import type { Bodies } from "./finder.ts";
import { createFindings } from "./findings.ts";

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
