import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { blocksOf, PAGES, readPage, SCRIPT_PAGES } from "../helpers/pages.ts";

describe("an option on a page", () => {
  const named = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/(?:npm run (?:--silent )?|`metasnap )([a-z][\w-]*)((?: --)? [^`\n]*)?/g)].map(
      ([, name = "", rest = ""]) => ({
        name,
        options: [...rest.matchAll(/ (--[a-z][a-z-]*)/g)].map(([, option = ""]) => option),
      }),
    ),
  );
  const helps = SCRIPT_PAGES.flatMap((page) => blocksOf(page, ""));

  test("belongs to a command that there is", () => {
    expect(named.length).toBeGreaterThan(20);
    for (const { name, options } of named) {
      expect<string[]>(COMMANDS).toContain(name);
      const help = helps.find((text) => text.startsWith(`Usage: npm run ${name} -- `)) ?? "";
      for (const option of options) expect(help).toContain(option);
    }
  });
});
