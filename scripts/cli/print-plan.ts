import { toSanitizedJson } from "../../src/api/sanitize.ts";
import { countOf, describeDuration } from "../../src/base/words.ts";
import type { CrawlPlan } from "../../src/crawl/crawl.ts";
import type { Forecast } from "../../src/crawl/refresh/forecast.ts";
import { print, printTable } from "./print.ts";

/** The plan as one JSON object, or as a table for people. */
export function printPlan(plan: CrawlPlan, rate: number, json: boolean) {
  if (json) return print(toSanitizedJson(plan));
  const rows = Object.entries(plan.endpoints).map(([path, count]) => `${String(count).padStart(8)}  ${path}`);
  const time = describeDuration(plan.seconds);
  const total = `${String(plan.requests).padStart(8)}  requests, about ${time} at ${rate} a second`;
  print([...rows, total].join("\n"));
  print(`disk: about ${plan.disk.needed_mb} MB for journal, draft and file, ${plan.disk.free_mb} MB are free`);
  const saved = Object.entries(plan.saved ?? {}).map(([rule, count]) => `${count} ${rule.replaceAll("_", " ")}`);
  if (saved.length > 0) print(`carried over: ${saved.join(", ")}`);
  if (plan.forecast) printForecast(plan.forecast);
}

function printForecast({ budget, nights_until_complete: nights, datasets, texts }: Forecast) {
  print(
    nights > 0
      ? `\nwith ${budget} requests a day everything has been asked once after ${countOf(nights, "night")}; then, in days:`
      : `\nwith ${budget} requests a day, in days:`,
  );
  printTable(
    ["dataset", "tables", "requests", "core target", "target", "oldest", "at the latest"],
    datasets.map((dataset) => [
      dataset.dataset,
      dataset.tables,
      dataset.requests,
      dataset.core_target_age,
      dataset.target_age,
      dataset.oldest_age,
      dataset.bound,
    ]),
  );
  print(
    `texts: ${texts.slices} in all languages; ${texts.bound_after_a_version} days after a new version of the game at the latest, looked at every ${texts.bound} without one`,
  );
}
