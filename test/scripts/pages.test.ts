/** What pages say of commands: sessions, and options. */
import { rmSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { startPageMachine } from "../helpers/page-machine.ts";
import { blocksOf, PAGES, readPage, toPattern } from "../helpers/pages.ts";

const machine = await startPageMachine();
afterAll(() => machine[Symbol.asyncDispose]());

/** The index of the commands, their pages, and those by task. */
const COMMAND_PAGES = PAGES.filter((page) => /^scripts\/[^/]+$/.test(page));

interface Session {
  /** The command line after `$ `. */
  line: string;
  /** What stands below it. */
  shown: string;
  /** What `echo $?` shows after it. */
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

test.for(COMMAND_PAGES.filter((page) => page !== "scripts/demo.md"))(
  "a session on a page ends as it is shown (%s)",
  async (page) => {
    machine.reset();
    // A pull begins without nights of its own.
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

describe("an option on a page", () => {
  const named = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/(?:npm run (?:--silent )?|`metasnap )([a-z][\w-]*)((?: --)? [^`\n]*)?/g)].map(
      ([, name = "", rest = ""]) => ({
        name,
        options: [...rest.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, option = ""]) => option),
      }),
    ),
  );
  const helps = COMMAND_PAGES.flatMap((page) => blocksOf(page, ""));

  test("belongs to a command that there is", () => {
    expect(named.length).toBeGreaterThan(20);
    for (const { name, options } of named) {
      expect<string[]>(COMMANDS).toContain(name);
      const help = helps.find((text) => text.startsWith(`Usage: npm run ${name} -- `)) ?? "";
      for (const option of options) expect(help).toContain(option);
    }
  });
});
