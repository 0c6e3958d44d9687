import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { fillPlaces, headed } from "../docs/page.ts";
import type { Budget, Figure } from "./budget.ts";

const HEAD = ["what", "figure", "budget", "", "mirror", "bare", "nginx", "busy"];
const WIDTHS = [57, 9, 9, 12, 10, 10, 12, 0];

export const toLine = (budget: Budget, { value, beside }: Figure, verdict: string): string[] => [
  budget.name,
  `${value < 1000 ? Number(value.toPrecision(3)) : Math.round(value)}${budget.unit}`,
  `${budget.bound} ${budget.limit}${budget.unit}`,
  verdict,
  ...(beside ? [beside.mirror, beside.bare, beside.nginx, beside.busy] : ["", "", "", ""]),
];

export const printLine = (line: string[] = HEAD) =>
  process.stdout.write(
    `${line
      .map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
      .join(" ")
      .trimEnd()}\n`,
  );

export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores of ${model}, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

export function writeTable(lines: string[][]) {
  const page = join(import.meta.dirname, "README.md");
  const bench = `${headed(HEAD, lines)}\n\nMeasured on ${describeMachine()}.`;
  writeFileSync(page, fillPlaces(readFileSync(page, "utf8"), { bench }));
}
