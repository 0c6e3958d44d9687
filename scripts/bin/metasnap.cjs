#!/usr/bin/env node
// The one command of an installed metasnap, in words that any Node reads: what it starts runs on the Node that is found.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { programOf } = require("../cli/command-line.cjs");
const summaries = require("./commands.json");
const { run } = require("./run.cjs");

const USAGE = 64;
/** A package has no bench. */
const COMMANDS = Object.entries(summaries).filter(([name]) => existsSync(programOf(name)));

const HELP = /^(-h|--help|help)$/;
const [first = "", ...rest] = process.argv.slice(2);
/** `help crawl` is `crawl --help`. */
const [command = "", ...words] = HELP.test(first) && rest[0] ? [rest[0], "--help", ...rest.slice(1)] : [first, ...rest];
if (COMMANDS.some(([name]) => name === command)) {
  const help = /^(-h|--help)$/.test(words.join(" ")) ? readHelp() : undefined;
  if (help === undefined) run(command, words);
  else process.stdout.write(help);
} else if (HELP.test(command)) process.stdout.write(describe());
else if (/^(-v|-V|--version|version)$/.test(command))
  process.stdout.write(`${require("../../package.json").version}\n`);
else {
  process.stderr.write(command === "" ? describe() : `${refuse()}; metasnap --help lists the commands\n`);
  process.exitCode = USAGE;
}

function describe() {
  const lines = COMMANDS.map(([name, summary]) => `  ${name.padEnd(12)}${summary}\n`);
  return `Usage: metasnap <command> [options]

Commands:
${lines.join("")}
metasnap help <command> explains one, metasnap version tells the version.
`;
}

/**
 * The package has the help of each command: nothing has to be started for it.
 * @returns {string | undefined}
 */
function readHelp() {
  const file = join(__dirname, "helps.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8"))[command] : undefined;
}

/** Quoted, it cannot steer a terminal. */
function refuse() {
  const quoted = JSON.stringify(command);
  if (command.startsWith("-")) return `${quoted}: options come after a command`;
  const { closest } = require("fastest-levenshtein");
  const names = COMMANDS.map(([name]) => name);
  return `${quoted}: is no command; did you mean ${closest(command, names)}`;
}
