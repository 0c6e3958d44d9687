import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { EXIT } from "../src/api/failure.ts";
import { BUILD_BUDGETS } from "./bench-build.ts";
import { CRAWL_BUDGETS } from "./bench-crawl.ts";
import { SERVER_BUDGETS } from "./bench-server.ts";
import { openBench } from "./bench-world.ts";
import { defineCommand, flag, number, option, run, words } from "./command.ts";
import { fillPlaces, table } from "./dictionary.ts";

/** One line of the table. `measure` returns the figure that is held against the limit. */
export interface Budget {
  name: string;
  bound: "≥" | "≤";
  limit: number;
  unit: string;
  measure(bench: Bench): Promise<number>;
}

/** What there is to measure with. */
export interface Bench {
  /** A folder with one whole snapshot of the sample. */
  data: string;
  rounds: number;
}

const BUDGETS: readonly Budget[] = [...SERVER_BUDGETS, ...CRAWL_BUDGETS, ...BUILD_BUDGETS];

interface BenchFlags {
  data?: string;
  rounds: number;
  only?: string[];
  write: boolean;
}

export const benchCommand = defineCommand("bench", "Measure every budget side by side with its yardstick.")
  .addOption(option("--data <dir>", "folder with a whole snapshot (default: one of the sample, made anew)"))
  .addOption(number("--rounds <n>", "rounds of each measurement, of which the median counts", [1, 100]).default(5))
  .addOption(words("--only <words>", "only budgets with these words in their names"))
  .addOption(flag("--write", "write the table into README.md"));

await run(benchCommand, async ({ data, rounds, only, write }: BenchFlags) => {
  await using bench = await openBench(data, rounds);
  process.stdout.write(`${describeMachine()}\n`);
  const lines: string[][] = [];
  let missed = 0;
  for (const budget of BUDGETS) {
    if (only && !only.some((word) => budget.name.includes(word))) continue;
    const figure = await budget.measure(bench);
    const kept = budget.bound === "≥" ? figure >= budget.limit : figure <= budget.limit;
    if (!kept) missed += 1;
    const line = [
      budget.name,
      show(figure, budget),
      `${budget.bound} ${budget.limit}${budget.unit}`,
      kept ? "pass" : "FAIL",
    ];
    lines.push(line);
    process.stdout.write(`${line.map((cell, column) => cell.padEnd([46, 10, 10, 4][column] ?? 0)).join(" ")}\n`);
  }
  if (write) writeTable(lines);
  return missed === 0 ? EXIT.done : EXIT.internal;
});

function show(figure: number, { unit }: Budget): string {
  return `${unit.trim() === "MB" ? figure.toFixed(0) : figure.toFixed(2)}${unit}`;
}

function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores of ${model}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

function writeTable(lines: string[][]) {
  const readme = join(import.meta.dirname, "..", "README.md");
  const bench = `${table([["what", "figure", "budget", ""], ["---", "---", "---", "---"], ...lines])}\n\nMeasured on ${describeMachine()}.`;
  writeFileSync(readme, fillPlaces(readFileSync(readme, "utf8"), { bench }));
}
