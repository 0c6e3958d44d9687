/**
 * A host that nobody knows by its name, for the minute that it has: each crawl has a file of hosts of its own. Only root may give it
 * one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { crawlOptions, LITTLE, RATES, temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** A crawl of a host of this name; `learn` makes it known once nobody knows it. */
async function crawlUnknown(name: string, port: string, learn: boolean) {
  using folder = temporaryFolder();
  const hosts = join(folder.path, "hosts");
  copyFileSync("/etc/hosts", hosts);
  const words = [...crawlOptions(`http://${name}:${port}`, join(folder.path, "data")), ...LITTLE, ...RATES];
  const line = [process.execPath, ...commandLine("crawl"), ...words, "--allow-partial", "--attempts", "2"];
  const bind = ["--mount", "sh", "-c", `mount --bind ${hosts} /etc/hosts && exec "$@"`, "sh"];
  const begin = performance.now();
  const child = spawn("unshare", [...bind, ...line], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (chunk: Buffer) => {
    if (learn && String(chunk).includes('"event":"unknown-host"')) appendFileSync(hosts, `127.0.0.1 ${name}\n`);
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code, said, seconds: (performance.now() - begin) / 1000 };
}

test("is asked again once it is known", async () => {
  const sample = await startSample({ heroes: 1 });
  const { code, said } = await crawlUnknown("night.invalid", new URL(sample.url).port, true);
  await sample.close();
  expect([code, said]).toEqual([0, ""]);
});

test("is a mistake after a minute", async () => {
  const { code, said, seconds } = await crawlUnknown("night.invalid", "80", false);
  expect([code, said]).toEqual([64, expect.stringContaining("no host named night.invalid is known")]);
  expect(seconds).toBeGreaterThan(60);
});
