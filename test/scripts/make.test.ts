/** The targets of `make`, and the tests themselves. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

test("`make demo` takes a port, and a wrong one is told of in one line", () => {
  // A shell warns of a locale that is not there.
  const env = { ...process.env, LC_ALL: "C" };
  // What it would install is there.
  const words = ["--no-print-directory", "-o", "install", "demo"];
  const make = (...more: string[]) => spawnSync("make", [...words, ...more], { cwd: ROOT, encoding: "utf8", env });
  for (const port of ["80 81", "$$(id)'\"x"]) {
    const { stdout, stderr } = make(`PORT=${port}`);
    const [line = ""] = stderr.split("\n");
    expect([stdout, line]).toEqual([
      "",
      `option '--port <n>' argument '${port.replace("$$", "$")}' is invalid. It must be a whole number from 1 to 65000.`,
    ]);
  }
  expect(make("--dry-run").stdout.trim()).toMatch(/ node --import \S+ scripts\/demo.ts {2}\|\|/);
});

test("`make clean` leaves journals and snapshots where they are", () => {
  const line = execFileSync("make", ["-n", "--no-print-directory", "clean"], { cwd: ROOT, encoding: "utf8" });
  expect(line).toBe("git clean -fdX .vitest .demo .assets .package ':(glob)metasnap-*'\n");
});

test("a test file that is not there is told of in one line", () => {
  const words = ["run", "test/api/erors.test.ts"];
  const { status, stdout, stderr } = spawnSync("npx", ["vitest", ...words], { cwd: ROOT, encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    "no test file is named test/api/erors.test.ts: name a path, or a part of one, of test/*/*.test.ts\n",
  ]);
});
