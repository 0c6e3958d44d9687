import type { Command, Option } from "commander";
import type { CommandName } from "../../bin/called.ts";
import { OF_EACH_COMMAND, prefixOf } from "./variables.ts";

export const HELP_WIDTH = 110;

const rareOptions = new WeakSet<Option>();

/** An option that few need: the help shows it with `--all` only. */
export function rare(option: Option): Option {
  rareOptions.add(option);
  return option;
}

/** Leaves rare options out of the help, if that is what these words ask for. A message may still propose them. */
export function shortenHelp(command: Command, words: readonly string[]) {
  if (words.includes("--all") || !words.some((word) => word === "-h" || word === "--help")) return;
  for (const option of command.options) if (rareOptions.has(option)) option.hideHelp();
}

/** Describes an option with the words that it takes, and its default. Its variable is said below, once for all. */
export function describeOption({ description, argChoices, ...option }: Option): string {
  const { defaultValue, defaultValueDescription = String(defaultValue), required } = option;
  const more = [
    ...(argChoices ? [`choices: ${argChoices.join(", ")}`] : []),
    ...(required && defaultValue !== undefined ? [`default: ${defaultValueDescription}`] : []),
  ];
  return more.length === 0 ? description : `${description} (${more.join("; ")})`;
}

/** The rule of the variables, and how many options are left out. */
export function explainOptions(command: Command, name: CommandName): string {
  const options = command.options.filter(({ envVar }) => envVar !== undefined);
  const isOwn = (option: Option) => OF_EACH_COMMAND.includes(option.name());
  const [example] = options.filter((option) => !isOwn(option));
  const own = options.filter((option) => isOwn(option) && !option.hidden).map(({ long }) => long);
  const left = options.filter(({ hidden }) => hidden).length;
  const rule = [
    ...(example ? [`Each option is also a variable: ${example.long} is ${example.envVar}.`] : []),
    ...(own.length > 0 ? [`For ${own.join(", ")} it is ${prefixOf(name)}<OPTION>.`] : []),
  ];
  const lines = [
    ...(rule.length > 0 ? [command.createHelp().boxWrap(rule.join(" "), HELP_WIDTH)] : []),
    ...(left > 0 ? [`--help --all shows ${left} more.`] : []),
  ];
  return lines.map((line) => `\n${line}`).join("");
}
