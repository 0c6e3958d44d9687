/** Options, and the variables and headings of the help that belong to them. */
import type { Option } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { loadCommand } from "../../scripts/cli/call.ts";
import { MEANINGS, OF_EACH_COMMAND, variableOf } from "../../scripts/cli/options/variables.ts";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

type Meant = Pick<Option, "long" | "envVar" | "flags" | "description">;

let all: { command: (typeof COMMANDS)[number]; option: Option }[] = [];
beforeAll(async () => {
  const defined = COMMANDS.map(async (command) => {
    const { options } = (await loadCommand(command)).define();
    return options.filter(({ envVar }) => envVar !== undefined).map((option) => ({ command, option }));
  });
  all = (await Promise.all(defined)).flat();
});

const MEANING_OF = new Map<string | undefined, string>(
  Object.entries(MEANINGS).map(([name, meaning]) => [`--${name}`, meaning]),
);

/** Variables of several options that do not mean the same. */
const findAmbiguous = (options: readonly Meant[]) =>
  [...Map.groupBy(options, ({ envVar = "" }) => envVar)].flatMap(([variable, [first, ...others]]) => {
    const meaning = MEANING_OF.get(first?.long);
    const isSame = ({ long, flags, description }: Meant) =>
      long === first?.long && flags === first?.flags && meaning !== undefined && description.startsWith(meaning);
    return others.length === 0 || [first as Meant, ...others].every(isSame) ? [] : [variable];
  });

describe("a variable", () => {
  test("has one meaning", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(findAmbiguous(all.map(({ option }) => option))).toEqual([]);
    const data: Meant = { long: "--data", envVar: "D", flags: "--data <dir>", description: MEANINGS.data };
    const others: Partial<Meant>[] = [
      { long: "--day" },
      { flags: "--data <file>" },
      { description: "file of the night" },
      { long: "--new", description: "what is in no list" },
    ];
    expect(findAmbiguous([data, data])).toEqual([]);
    for (const other of others) expect(findAmbiguous([data, { ...data, ...other }])).toEqual(["D"]);
    const unsaid = { ...data, long: "--new" };
    expect(findAmbiguous([unsaid, unsaid])).toEqual(["D"]);
  });

  test("names the command where several mean something else by it, and only there", () => {
    for (const { command, option } of all) expect(option.envVar).toBe(variableOf(command, option.name()));
    const sharing = Map.groupBy(all, ({ option }) => option.name());
    const shared = [...sharing].filter(([, { length }]) => length > 1).map(([name]) => name);
    expect(shared.sort()).toEqual([...Object.keys(MEANINGS), ...OF_EACH_COMMAND].sort());
  });

  test.for([
    ["crawl", "METASNAP_HEROES", "METASNAP_CRAWL_HEROES"],
    ["sample", "METASNAP_HEROES", "METASNAP_SAMPLE_HEROES"],
    ["diff", "METASNAP_RATE", "METASNAP_DIFF_RATE"],
    ["build", "METASNAP_RATE", "METASNAP_CRAWL_RATE, METASNAP_VERIFY_RATE, or METASNAP_DIFF_RATE"],
  ] as const)("%s: %s is without effect, %s is meant", async ([command, variable, meant]) => {
    using folder = temporaryFolder();
    // A folder without a night, and an upstream that is not named or has no heroes, end it as soon as it has looked at variables.
    const words = command === "sample" ? ["--unresolved", "132"] : ["--data", folder.path];
    const env = { [variable]: "Miya", ...(command === "sample" && { METASNAP_SAMPLE_HEROES: "1" }) };
    const { stderr } = await runCommand(command, words, env);
    expect(stderr.split("\n")[0]).toBe(`${variable}: is not a setting, and has no effect; did you mean ${meant}?`);
  });
});

describe("the help", () => {
  const optionsIn = (text: string) => [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, long]) => long);

  test.for(COMMANDS)("of %s has each option under one heading, with --all the rare ones too", async (command) => {
    const [short, whole] = await Promise.all([runCommand(command, ["--help"]), runCommand(command, ["-h", "--all"])]);
    const own = all.filter((one) => one.command === command).map(({ option }) => option);
    expect(optionsIn(whole.stdout)).toEqual([...own.map(({ long }) => long), "--version", "--help"]);
    const shown = optionsIn(short.stdout);
    expect(shown.length).toBeLessThanOrEqual(20);
    expect(optionsIn(whole.stdout)).toEqual(expect.arrayContaining(shown));
    const left = own.length + 2 - shown.length;
    expect([
      /--help --all\s+shows (\d+) more\./.exec(short.stdout)?.[1],
      whole.stdout.includes("--help --all"),
    ]).toEqual([left > 0 ? String(left) : undefined, false]);
    for (const { stdout } of [short, whole]) {
      const headings = stdout.match(/^\S.*:$/gm) ?? [];
      expect(new Set(headings).size).toBe(headings.length);
      expect(stdout).not.toContain("env:");
    }
  });

  test("says the rule of the variables once", async () => {
    const { stdout } = await runCommand("crawl", ["--help", "--all"]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "Each option is also a variable: --contact is METASNAP_CONTACT. For --upstream, --languages, --days, --heroes, --fresh, --rate, --timeout it is METASNAP_CRAWL_<OPTION>.",
    );
  });

  test("that is short hides no option from a message", async () => {
    const { stderr } = await runCommand("crawl", ["--concurency", "3"]);
    expect(stderr).toContain("Did you mean --concurrency?");
  });

  test("of a pull speaks of the operator who is asked", async () => {
    for (const [command, who] of [
      ["crawl", "upstream"],
      ["verify", "upstream"],
      ["pull", "source"],
      ["serve", "source"],
    ] as const) {
      const { stdout } = await runCommand(command, ["--help"]);
      expect(stdout).toContain(`User-Agent for the ${who}'s operator`);
    }
  });
});
