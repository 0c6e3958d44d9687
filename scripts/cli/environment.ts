import type { Command } from "commander";
import { closest } from "fastest-levenshtein";
import { EXIT, Failure } from "../../src/api/failure.ts";
import { COMMANDS } from "../docs/endings.ts";
import { loadCommand } from "./call.ts";
import { complain } from "./say.ts";

const PREFIX = "METASNAP_";

/** Set by a primary for its workers. */
const INTERNAL = ["METASNAP_SERVED_VERSION"];

/** Variables that look like settings and are none of this command's. */
export function findForeign(command: Command): string[] {
  const own = command.options.map(({ envVar }) => envVar);
  const given = Object.keys(process.env).filter((name) => name.startsWith(PREFIX));
  return given.filter((name) => !own.includes(name) && !INTERNAL.includes(name));
}

/**
 * Says on stderr which of them are no command's: most likely misspelt, and without effect. Loads all others, never the
 * command itself: as a process that one waits for this, and would never be loaded.
 */
export async function complainOfUnknown(foreign: readonly string[], command: Command): Promise<void> {
  const others = COMMANDS.filter((name) => name !== nameOf(command));
  const helps = await Promise.all(
    others.map(async (name) => (await (await loadCommand(name)).call(["--help"])).stdout),
  );
  const known = [command.helpInformation(), ...helps].flatMap((help) =>
    [...help.matchAll(/\benv:\s+(\w+)/g)].map(([, name = ""]) => name),
  );
  for (const name of foreign)
    if (!known.includes(name))
      complain(`${name}: is no setting and without effect; did you mean ${closest(name, known)}?`);
}

const nameOf = (command: Command): string => /^npm run (\w+)/.exec(command.name())?.[1] ?? "";

/** Settings of npm that are called like options of ours. */
const OF_NPM = ["all", "before", "cache", "json", "key", "version"];

/** Without `--` npm takes options for its own: the command would run as if they had not been given. */
export function refuseTakenByNpm(command: Command): void {
  const name = nameOf(command);
  if (process.env.npm_lifecycle_event !== name) return;
  const taken = command.options.filter(
    (option) => !OF_NPM.includes(option.name()) && process.env[`npm_config_${option.name().replaceAll("-", "_")}`],
  );
  const [first] = taken;
  if (!first) return;
  throw new Failure(
    EXIT.usage,
    `${first.long}: npm has taken it for an option of its own`,
    `put -- before the options: npm run ${name} -- ${first.long} …`,
  );
}
