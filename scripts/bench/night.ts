import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../../src/api/failure.ts";
import { latestFile } from "../../src/snapshot/published/pointer.ts";
import { verifyInProcess } from "../../src/snapshot/verify/verify-process.ts";
import { commandLine } from "../cli/command-line.cjs";
import { type Budget, inOneRun } from "./budget.ts";
import { endedCpuSeconds, startProgram } from "./process.ts";

/** A complete night of the sample, as a crawl reported it. */
interface CrawledNight {
  data: string;
  /** Requests of the plan, and those that were sent. */
  planned: number;
  sent: number;
  /** Processor time of the crawl, its build, check and publication. */
  cpuSeconds: number;
  peakMegabytes: number;
}

/** Budgets of a night, from the first request to the publication, and of who fetches it. */
export const NIGHT_BUDGETS: readonly Budget[] = [
  {
    name: "requests of a night, of its plan",
    how: "an upstream without faults",
    bound: "≤",
    limit: 1.1,
    unit: " ×",
    measure: async () => {
      const { sent, planned } = await crawlNight();
      return { value: sent / planned };
    },
  },
  {
    name: "processor time of a night",
    how: "crawl to publication, with the analysts' file",
    bound: "≤",
    limit: 60,
    unit: " s",
    cost: "Requests, transactions, tables made twice.",
    measure: async () => ({ value: (await crawlNight()).cpuSeconds }),
  },
  {
    name: "processor time of a follower's check",
    how: "another process proves the whole file",
    bound: "≤",
    limit: 3,
    unit: " s",
    cost: "Each table is made again from the archive.",
    measure: async ({ data }) => {
      const before = endedCpuSeconds();
      await verifyInProcess(latestFile(data), "reader");
      // It counts once it is gone, which is after its message.
      while (endedCpuSeconds() === before) await sleep(10);
      return { value: endedCpuSeconds() - before };
    },
  },
  {
    name: "peak memory of crawl, build and publication",
    how: "133 heroes, of 300 that it is for",
    bound: "≤",
    limit: 300,
    unit: " MB",
    cost: "Facts of all answers.",
    measure: async () => ({ value: (await crawlNight()).peakMegabytes }),
  },
];

/** Crawls a complete night of the sample; its folder is gone with this process. */
export const crawlNight = inOneRun(crawl);

async function crawl(): Promise<CrawledNight> {
  const data = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  process.once("exit", () => rmSync(data, { recursive: true, force: true }));
  process.stderr.write("crawling the sample once\n");
  const sample = await startProgram([...commandLine("sample"), "--port", "0"], / on (\S+),/);
  try {
    const upstream = ["--upstream", sample.found, "--data", data];
    const plan = await startProgram([...commandLine("crawl"), ...upstream, "--plan", "--json"], /^(\{.*\})$/);
    await plan.ended;
    const before = endedCpuSeconds();
    const pace = ["--rate", "100000", "--concurrency", "8"];
    const words = [...upstream, ...pace, "--analysts-file", "--json"];
    const program = await startProgram([...commandLine("crawl"), ...words], /^(\{.*"event":"crawl",.*\})$/);
    await program.ended;
    const said = JSON.parse(program.found) as Record<"answers" | "failed_attempts" | "peak_memory_mb", number>;
    return {
      data,
      planned: (JSON.parse(plan.found) as { requests: number }).requests,
      sent: said.answers + said.failed_attempts,
      cpuSeconds: endedCpuSeconds() - before,
      peakMegabytes: said.peak_memory_mb,
    };
  } catch (error) {
    throw new Failure(EXIT.internal, "the crawl of the sample did not end well", "run `make demo` to see why", error);
  } finally {
    await sample.stop();
  }
}
