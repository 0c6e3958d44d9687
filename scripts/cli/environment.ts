import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { closest } from "fastest-levenshtein";
import { EXIT, Failure } from "../../src/api/failure.ts";
import { PROJECT } from "../../src/base/project.ts";
import type { CommandName } from "../bin/called.ts";
import summaries from "../bin/commands.json" with { type: "json" };
import { OF_EACH_COMMAND, PREFIX, variableOf } from "./options/variables.ts";
import { complain } from "./say.ts";

/** Set by the one global command. */
const INTERNAL = "METASNAP_BIN";

/** A page has a table of all variables; to load the commands themselves would take a second. */
const PAGE = join(PROJECT, "scripts", "environment.md");

/** Warns on stderr of variables that look like settings and are no command's: most likely misspelt, and without effect. */
export function complainOfUnknown(command: Command): void {
  const ofCommand = command.options.map(({ envVar }) => envVar);
  const given = Object.keys(process.env).filter((name) => name.startsWith(PREFIX));
  const foreign = given.filter((name) => !ofCommand.includes(name) && name !== INTERNAL);
  if (foreign.length === 0 || !existsSync(PAGE)) return;
  const settings = [...readFileSync(PAGE, "utf8").matchAll(/^\| `(METASNAP_\w+)` \|/gm)].map(([, name = ""]) => name);
  // Node takes 25 ms to load Intl, so only a misspelt variable loads it.
  const anyOf = (names: string[]) => new Intl.ListFormat("en", { type: "disjunction" }).format(names);
  for (const name of foreign.filter((one) => !settings.includes(one))) {
    const meant = [ofCommand, settings].map((some) => findWithCommand(name, some)).find(({ length }) => length > 0);
    const proposal = meant ? anyOf(meant) : closest(name, settings);
    complain(`${name}: is not a setting, and has no effect; did you mean ${proposal}?`);
  }
}

/** The variables of an option that means something else in each command, if this is its name without a command. */
function findWithCommand(name: string, variables: readonly (string | undefined)[]): string[] {
  const option = name.slice(PREFIX.length).toLowerCase().replaceAll("_", "-");
  if (!OF_EACH_COMMAND.includes(option)) return [];
  const possible = (Object.keys(summaries) as CommandName[]).map((command) => variableOf(command, option));
  return possible.filter((variable) => variables.includes(variable));
}

const nameOf = (command: Command): string => /^(?:npm run|metasnap) ([a-z-]+)/.exec(command.name())?.[1] ?? "";

/** Settings of npm that are called like options of ours. */
const OF_NPM = ["all", "before", "cache", "json", "key", "version"];

/** npm reads `--plan` as its short options -p -l -a -n, and leaves these. */
const LEFT_BY_PLAN = ["parseable", "long", "all"];

function isTakenByNpm(option: string): boolean {
  const isSet = (name: string) => Boolean(process.env[`npm_config_${name.replaceAll("-", "_")}`]);
  if (option === "plan" && LEFT_BY_PLAN.every(isSet)) return true;
  return !OF_NPM.includes(option) && isSet(option);
}

/** Refuses options that npm takes for its own without `--`: the command would run as if they had not been given. */
export function refuseTakenByNpm(command: Command): void {
  const name = nameOf(command);
  if (process.env.npm_lifecycle_event !== name) return;
  const first = command.options.find((option) => isTakenByNpm(option.name()));
  if (!first) return;
  throw new Failure(
    EXIT.usage,
    `${first.long}: npm has taken it for an option of its own`,
    `put -- before the options: npm run ${name} -- ${first.long} …`,
  );
}
