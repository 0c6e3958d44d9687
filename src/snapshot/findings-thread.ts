import { parentPort } from "node:worker_threads";
import { type Bodies, createFindings } from "./findings.ts";

const findings = createFindings();

parentPort?.on("message", (batch: readonly Bodies[] | "summary") => {
  parentPort?.postMessage(batch === "summary" ? findings.summary() : batch.map(findings.add));
});
