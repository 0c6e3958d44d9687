import { toSanitizedJson } from "../../src/api/sanitize.ts";
import { countOf, describeDuration } from "../../src/base/words.ts";
import type { CrawlPlan } from "../../src/crawl/crawl.ts";
import type { Forecast } from "../../src/crawl/refresh/forecast.ts";
import type { Report } from "../../src/snapshot/report/report.ts";
import { print, printReports } from "./print.ts";

/** The plan as one JSON object, or as a table for people. */
export function printPlan(plan: CrawlPlan, rate: number, json: boolean) {
  if (json) return print(toSanitizedJson(plan));
  printReports(planReport(plan));
  print(`${plan.requests} requests, about ${describeDuration(plan.seconds)} at ${rate} a second`);
  print(`disk: about ${plan.disk.needed_mb} MB for journal, draft and file, ${plan.disk.free_mb} MB are free`);
  const saved = Object.entries(plan.saved ?? {}).map(([rule, count]) => `${count} ${rule.replaceAll("_", " ")}`);
  if (saved.length > 0) print(`carried over: ${saved.join(", ")}`);
  if (!plan.forecast) return;
  const { texts } = plan.forecast;
  print("");
  printReports(forecastReport(plan.forecast));
  print(
    `texts: ${texts.slices} in all languages; ${texts.bound_after_a_version} days after a new version of the game at the latest, looked at every ${texts.bound} without one`,
  );
}

const planReport = ({ endpoints }: CrawlPlan): Report<{ path: string; requests: number }> => ({
  caption: "Requests by endpoint",
  columns: [
    { head: "Endpoint", kind: "text", of: "path" },
    { head: "Requests", kind: "count", of: "requests" },
  ],
  rows: Object.entries(endpoints).map(([path, requests]) => ({ path, requests })),
});

const forecastReport = ({
  budget,
  nights_until_complete: nights,
  datasets: rows,
}: Forecast): Report<Forecast["datasets"][number]> => ({
  caption:
    nights > 0
      ? `with ${budget} requests a day everything has been asked once after ${countOf(nights, "night")}; then, in days:`
      : `with ${budget} requests a day, in days:`,
  columns: [
    { head: "Endpoint", kind: "text", of: "dataset" },
    { head: "Tables", kind: "count", of: "tables" },
    { head: "Requests", kind: "count", of: "requests" },
    { head: "Core target", kind: "count", of: "core_target_age" },
    { head: "Target", kind: "count", of: "target_age" },
    { head: "Oldest", kind: "count", of: "oldest_age" },
    { head: "At the latest", kind: "count", of: "bound" },
  ],
  rows,
});
