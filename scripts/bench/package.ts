import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import manifest from "../../package.json" with { type: "json" };
import { PROJECT } from "../../src/base/project.ts";
import { medianOf } from "../../src/extra/nights/diff/statistics/noise.ts";
import { commandLine } from "../cli/command-line.cjs";
import { type Bench, type Budget, type Figure, inOneRun } from "./budget.ts";
import { openQueries } from "./load/queries.ts";
import { startProgram } from "./process.ts";

interface Loaded {
  modules: number;
  lines: number;
}

const loadedBy = inOneRun(countLoaded);

/** Budgets of starts: of the package as it is installed, and of the modules of a server. */
export const PACKAGE_BUDGETS: readonly Budget[] = [
  {
    name: "start of the package to its first answer, of `node -e 0`",
    how: "from process start",
    bound: "≤",
    limit: 6,
    unit: " ×",
    cost: "Node is started twice; libraries.",
    measure: measureStart,
  },
  {
    name: "`--help` of the package, of `node -e 0`",
    how: "`metasnap crawl --help`",
    bound: "≤",
    limit: 3,
    unit: " ×",
    measure: measureHelp,
  },
  {
    name: "modules that `serve` without pages loads",
    how: "of ours, in a checkout",
    bound: "≤",
    limit: 85,
    unit: "",
    cost: "Parameters and records of the API.",
    measure: async (bench) => ({ value: (await loadedBy(bench)).modules }),
  },
  {
    name: "lines that `serve` without pages loads",
    how: "the same",
    bound: "≤",
    limit: 7000,
    unit: "",
    cost: "The same.",
    measure: async (bench) => ({ value: (await loadedBy(bench)).lines }),
  },
];

/** Lays the package out as `make package` does. Returns its command. */
async function layPackage(folder: string): Promise<string> {
  const staged = spawn(process.execPath, [join(PROJECT, "scripts/package/stage.ts"), folder], { cwd: PROJECT });
  const [code] = await once(staged, "exit");
  if (code !== 0) throw new Error(`the package cannot be laid out: exit code ${code}`);
  return join(folder, manifest.bin.metasnap);
}

/** What has started, and may have to be ended before the next start. */
type Started = { stop: () => Promise<unknown> } | undefined;

/** Measures a start in those of a Node that does nothing, in turns. */
async function compareStarts({ rounds }: Bench, start: (command: string) => Promise<Started>): Promise<Figure> {
  // There it finds the libraries of this checkout.
  const folder = mkdtempSync(join(PROJECT, "node_modules", ".bench-"));
  try {
    const command = await layPackage(folder);
    const ratios: number[] = [];
    for (let round = 0; round <= 4 * rounds; round += 1) {
      const begun = performance.now();
      const started = await start(command);
      const took = performance.now() - begun;
      await started?.stop();
      const before = performance.now();
      await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
      const nothing = performance.now() - before;
      // The first start compiles.
      if (round > 0) ratios.push(took / nothing);
    }
    return { value: medianOf(ratios) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureStart(bench: Bench): Promise<Figure> {
  const [path = ""] = openQueries(bench.data).heroes(1);
  return compareStarts(bench, async (command) => {
    const mirror = await startProgram([command, "serve", "--data", bench.data, "--port", "0"], / on (http:\S+),/);
    const { body } = await request(mirror.found + path);
    await body.text();
    return mirror;
  });
}

function measureHelp(bench: Bench): Promise<Figure> {
  return compareStarts(bench, async (command) => {
    await once(spawn(process.execPath, [command, "crawl", "--help"], { stdio: "ignore" }), "exit");
    return undefined;
  });
}

/** Counts the modules of ours that a server has loaded by its end. */
async function countLoaded({ data }: Bench): Promise<Loaded> {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  try {
    const list = join(folder, "loaded");
    const words = [`--import=${join(import.meta.dirname, "load", "loaded.ts")}`, ...commandLine("serve")];
    const server = await startProgram([...words, "--data", data, "--port", "0", "--no-pages"], / on http:/, {
      LOADED_FILE: list,
    });
    await server.stop();
    const files = readFileSync(list, "utf8").trim().split("\n");
    return { modules: files.length, lines: files.reduce((sum, file) => sum + countLines(file), 0) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const countLines = (file: string) => readFileSync(file, "utf8").split("\n").length - 1;
