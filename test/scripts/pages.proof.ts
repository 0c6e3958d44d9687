/** Every command on a page. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startPageMachine } from "../helpers/page-machine.ts";
import { commandsOf, PAGES } from "../helpers/pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const machine = await startPageMachine();
machine.reset();
afterAll(() => machine[Symbol.asyncDispose]());

test.for([...new Set(PAGES.flatMap(commandsOf))])("a command on a page can be typed: %s", async (line) => {
  if (/\bnpm test /.test(line)) return void execFileSync("bash", ["-c", line], { cwd: ROOT });
  const [program = "", ...rest] = line.split(/ +/);
  if (program === "make") return void execFileSync("make", ["--dry-run", ...rest], { cwd: ROOT });
  expect(program).toBe("metasnap");
  const [name = "", ...args] = rest;
  const { code, stdout, stderr } = await machine.run(name, args);
  expect([0, 2], stderr).toContain(code);
  if (name === "serve" || name === "sample") expect(stdout).toMatch(/^(serving|sample) \S+ on http/);
});
