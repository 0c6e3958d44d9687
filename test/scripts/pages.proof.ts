/** Every command on a page, and the sessions of a shell. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { blocksOf, commandsOf, PAGES, SCRIPT_PAGES, toPattern } from "../helpers/pages.ts";
import { startPageMachine } from "./pages/machine.ts";

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

interface Session {
  /** The command line after `$ `. */
  line: string;
  /** The output that the page shows. */
  shown: string;
  /** The exit code that `echo $?` shows after it, else 0. */
  code: number;
}

/** The sessions of a shell on a page, one for each command. */
const sessionsOf = (page: string): Session[] =>
  blocksOf(page, "console").flatMap((block) => {
    const parts = block.split(/^\$ /m).slice(1);
    return parts.flatMap((part, index) => {
      const [line = "", ...shown] = part.split("\n");
      if (line === "echo $?") return [];
      const next = parts[index + 1] ?? "";
      const code = next.startsWith("echo $?\n") ? Number(next.split("\n")[1]) : 0;
      return [{ line, shown: shown.join("\n"), code }];
    });
  });

test.for(SCRIPT_PAGES.filter((page) => page !== "scripts/demo.md"))(
  "a session on a page ends as it is shown (%s)",
  async (page) => {
    machine.reset();
    // `pull` is shown in an empty data folder.
    if (page === "scripts/pull.md") rmSync(machine.data, { recursive: true });
    for (const { line, shown, code } of sessionsOf(page)) {
      const [, settings = "", name = "", rest = ""] = /^((?:\w+=\S+ )*)metasnap (\S+) ?(.*)$/.exec(line) ?? [];
      const args = (rest.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
      const given = Object.fromEntries(
        [...settings.matchAll(/(\w+)=(\S+)/g)].map(([, variable = "", value = ""]) => [variable, value]),
      );
      const ended = await machine.run(name, args, given);
      const said = machine.show(ended.stderr + ended.stdout);
      expect([line, ended.code, said]).toEqual([line, code, expect.stringMatching(toPattern(shown))]);
    }
  },
);
