import { EXIT } from "../src/api/failure.ts";
import type { Budget, Figure } from "./bench/budget.ts";
import { BUILD_BUDGETS } from "./bench/build.ts";
import { HISTORY_BUDGETS } from "./bench/history.ts";
import { HOSTILE_BUDGETS } from "./bench/hostile.ts";
import { requireWrk } from "./bench/load/wrk.ts";
import { hasNginx, NGINX_MISSING } from "./bench/nginx.ts";
import { crawlNight, NIGHT_BUDGETS } from "./bench/night.ts";
import { PACKAGE_BUDGETS } from "./bench/package.ts";
import { SERVER_BUDGETS } from "./bench/server.ts";
import { describeMachine, printLine, toLine, writeTable } from "./bench/table.ts";
import { createMain, defineCommand, flag, number, option, runMain, words } from "./cli/command.ts";
import { MEANINGS } from "./cli/options/variables.ts";

export const BUDGETS: readonly Budget[] = [
  ...SERVER_BUDGETS,
  ...HOSTILE_BUDGETS,
  ...PACKAGE_BUDGETS,
  ...NIGHT_BUDGETS,
  ...BUILD_BUDGETS,
  ...HISTORY_BUDGETS,
];

interface BenchFlags {
  data?: string;
  rounds: number;
  only?: string[];
  write: boolean;
}

const defineBench = () =>
  defineCommand("bench", {
    Options: [
      option("--data <dir>", `${MEANINGS.data} (default: a new one of the sample)`),
      number("--rounds <n>", "rounds of each measurement; the median counts", [1, 100]).default(5),
      words("--only <words>", "only budgets with these words in their names"),
      flag("--write", "write the table into scripts/bench/README.md"),
    ],
  });

export const main = createMain(defineBench, async ({ data, rounds, only, write }: BenchFlags) => {
  // All of it is on this machine, also where NODE_USE_ENV_PROXY sends everything through a proxy.
  process.env.no_proxy = "*";
  const budgets = BUDGETS.filter(({ name }) => !only || only.some((word) => name.includes(word)));
  if (budgets.some(({ load }) => load)) lookForTools();
  const bench = { data: data ?? (await crawlNight()).data, rounds };
  process.stdout.write(`${describeMachine()}\n`);
  printLine();
  const lines: string[][] = [];
  let missed = 0;
  for (const budget of budgets) {
    const figure = await budget.measure(bench);
    const verdict = judge(budget, figure);
    if (verdict !== "pass") missed += 1;
    const line = toLine(budget, figure, verdict);
    lines.push(line);
    printLine(line);
  }
  if (write) writeTable(lines);
  return missed === 0 ? EXIT.done : EXIT.internal;
});

function lookForTools() {
  requireWrk();
  if (!hasNginx()) process.stderr.write(`without its column: ${NGINX_MISSING}\n`);
}

function judge({ bound, limit }: Budget, { value, doubt, failed = 0 }: Figure): string {
  if (failed > 0) return `FAIL, ${failed} requests`;
  if (doubt) return doubt;
  return (bound === "≥" ? value >= limit : value <= limit) ? "pass" : "FAIL";
}

if (import.meta.main) await runMain(main);
