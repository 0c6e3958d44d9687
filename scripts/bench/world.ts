import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT, Failure } from "../../src/api/failure.ts";
import { commandLine } from "../cli/command-line.cjs";
import type { Bench } from "./budget.ts";
import { startProgram } from "./process.ts";

/** A folder with a whole snapshot: the given one, or one that is made and gone afterwards. */
export async function openBench(given: string | undefined, rounds: number): Promise<Bench & AsyncDisposable> {
  if (given !== undefined) return { data: given, rounds, [Symbol.asyncDispose]: async () => {} };
  const data = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  process.stderr.write("crawling the sample once\n");
  const sample = await startProgram([...commandLine("sample"), "--port", "0"], / on (\S+),/);
  try {
    const options = ["--upstream", sample.found, "--data", data, "--rate", "100000", "--concurrency", "8"];
    const crawl = await startProgram([...commandLine("crawl"), ...options], /"event":"published"/);
    await crawl.ended;
  } catch (error) {
    throw new Failure(EXIT.internal, "the crawl of the sample did not end well", "run `make demo` to see why", error);
  } finally {
    sample.stop();
  }
  return { data, rounds, [Symbol.asyncDispose]: async () => rmSync(data, { recursive: true }) };
}
