import { existsSync } from "node:fs";
import { Argument, type Command } from "commander";
import { EXIT } from "../../src/api/failure.ts";
import { loadCommand } from "../cli/call.ts";
import { createMain, defineCommand, runMain } from "../cli/command.ts";
import { programOf } from "../cli/command-line.cjs";
import { io } from "../cli/io.ts";
import summaries from "./commands.json" with { type: "json" };
import { type CompletedCommand, SHELLS } from "./shells.ts";

const defineCompletion = () =>
  defineCommand("completion").addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SHELLS)));

export const main = createMain(defineCompletion, async (_, command) => {
  const shell = command.args[0] as keyof typeof SHELLS;
  const present = Object.entries(summaries).filter(([name]) => existsSync(programOf(name)));
  const commands = await Promise.all(
    present.map(async ([name, summary]) => describe(name, summary, await define(name))),
  );
  io().stdout.write(SHELLS[shell](commands));
  return EXIT.done;
});

/** This module cannot wait for itself. */
const define = async (name: string) =>
  name === "completion" ? defineCompletion() : (await loadCommand(name)).define();

function describe(name: string, summary: string, command: Command): CompletedCommand {
  const options = command.createHelp().visibleOptions(command);
  return {
    name,
    summary,
    choices: command.registeredArguments[0]?.argChoices ?? [],
    options: options.map(({ long, description, required, optional, argChoices }) => ({
      long: long ?? "",
      description,
      takesValue: required || optional,
      choices: argChoices ?? [],
    })),
  };
}

if (import.meta.main) await runMain(main);
