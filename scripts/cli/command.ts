import { resolve } from "node:path";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { EXIT, type ExitCode, Failure, isDiskFull } from "../../src/api/failure.ts";
import { mask, sanitizeLine, sanitizeLines } from "../../src/api/sanitize.ts";
import { explainDenied } from "../../src/base/files.ts";
import { asCalled, type CommandName } from "../bin/called.ts";
import summaries from "../bin/commands.json" with { type: "json" };
import { complainOfUnknown, refuseTakenByNpm } from "./environment.ts";
import { type Io, io, type Main, withIo } from "./io.ts";
import { describeOption, explainOptions, HELP_WIDTH, shortenHelp } from "./options/help.ts";
import { MEANINGS, variableOf } from "./options/variables.ts";
import { tell } from "./say.ts";

/** Defines a command of `npm run` with its options, by the heading that they stand under in its help. */
export function defineCommand(name: CommandName, groups: Record<string, readonly Option[]> = {}): Command {
  const command = new Command(asCalled(`npm run ${name} --`))
    .description(summaries[name])
    .configureHelp({ helpWidth: HELP_WIDTH, optionDescription: describeOption })
    .configureOutput({
      writeOut: (text) => io().stdout.write(asCalled(text)),
      // In a log one line tells all of it, at the end.
      writeErr: (text) => void (io().isLog || tell(text, {})),
      outputError: (text, write) => write(describeMistake(text)),
    })
    .showHelpAfterError(`(${HELP})`)
    .allowExcessArguments(false)
    .exitOverride();
  for (const [heading, options] of Object.entries(groups)) {
    command.optionsGroup(`${heading}:`);
    for (const one of options) command.addOption(withVariable(one, name));
  }
  return command
    .optionsGroup("Help:")
    .version(manifest.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", () => explainOptions(command, name));
}

/** Gives an option its variable. A switch in the environment is off with 0, false, no, off or nothing. */
function withVariable(option: Option, command: CommandName): Option {
  const variable = variableOf(command, option.name());
  if (option.isBoolean() && /^(0|false|no|off|)$/i.test(process.env[variable] ?? "x")) delete process.env[variable];
  return option.env(variable);
}

const HELP = "--help lists the options";

const describeMistake = (text: string) => sanitizeLines(mask(text.replace(/^error: /, "")));

export const option = (flags: string, description: string): Option => new Option(flags, description);

/** An option for the folder that a night is crawled into, made absolute: messages name it so. */
export const dataFolder = (fallback = "data"): Option =>
  option("--data <dir>", MEANINGS.data).argParser(toPath).default(resolve(fallback), fallback);

function toPath(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must not be empty.");
  return resolve(text);
}

export const flag = (flags: string, description: string): Option => option(flags, description).default(false);

/** An option for a number from `minimum` to `maximum`. */
export function number(flags: string, description: string, [minimum, maximum]: [number, number], whole = true): Option {
  return option(flags, description).argParser((text) => {
    const value = Number(text);
    const fits =
      /^\d+(\.\d+)?$/.test(text) && value >= minimum && value <= maximum && (!whole || Number.isInteger(value));
    if (fits) return value;
    throw new InvalidArgumentError(`It must be a ${whole ? "whole number" : "number"} from ${minimum} to ${maximum}.`);
  });
}

/** An option for words by commas or by repetition. Without `allowed` any word will do; the result is in the order of `allowed`. */
export function words(flags: string, description: string, allowed?: readonly string[]): Option {
  let given: string[] = [];
  return option(flags, description).argParser((text) => {
    const now = text.split(",").map((word) => word.trim());
    for (const word of now) {
      if (word === "") throw new InvalidArgumentError("It must not be empty.");
      if (allowed && !allowed.includes(word)) throw new InvalidArgumentError(`Allowed are ${allowed.join(", ")}.`);
    }
    given = [...new Set([...given, ...now])];
    return allowed ? allowed.filter((word) => given.includes(word)) : given;
  });
}

/** An option for addresses of an upstream, all of whose paths begin with `/api`. Repeatable. */
export function upstreams(description: string): Option {
  const given: string[] = [];
  return option("--upstream <url>", description).argParser((text) => {
    for (const address of text.split(",")) {
      const url = URL.canParse(address) ? new URL(address) : undefined;
      if (!url || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("It must be an http or https URL.");
      if (url.username || url.password) throw new InvalidArgumentError("It must not carry a user name or password.");
      if (/[^/]/.test(url.pathname) || url.search || url.hash)
        throw new InvalidArgumentError(`It must have neither a path nor a query: ${url.origin}.`);
      if (!given.includes(url.origin)) given.push(url.origin);
    }
    return given;
  });
}

/** The form of a command's output: a log, which is lines of JSON unless it goes to a terminal, or only words. */
type Form = "log" | "words";

/** A command with the definition of its options. */
export type DefinedMain = Main & { define: () => Command; form: Form };

/** Makes the command: it parses the words by a definition made anew, and runs the action. */
export function createMain<O extends object>(
  define: () => Command,
  action: (options: O, command: Command) => Promise<number>,
  form: Form = "words",
): DefinedMain {
  const run = async (words: readonly string[]) => {
    try {
      const command = define();
      refuseTakenByNpm(command);
      shortenHelp(command, words);
      command.parse(words, { from: "user" });
      const { json } = command.opts<{ json?: boolean }>();
      if (form === "log" && json !== undefined) io().isLog = json;
      const ended = action(command.opts<O>(), command);
      // The first line of a log says what begins.
      complainOfUnknown(command);
      return await ended;
    } catch (error) {
      return explain(error);
    }
  };
  // A process that writes no log needs no context, which each request of a server would carry along.
  const main: Main = (words, given) =>
    given || form === "log" ? withIo(scopeOf(form, given), () => run(words)) : run(words);
  return Object.assign(main, { define, form });
}

const scopeOf = (form: Form, { stdout, stderr }: Io = process): Io => ({
  stdout,
  stderr,
  isLog: form === "log" && !stderr.isTTY,
});

/** Runs a command as this process. */
export async function runMain(main: DefinedMain): Promise<void> {
  const end = (error: Error) => process.exit(withIo(scopeOf(main.form), () => explain(error)));
  outliveReaders(end);
  // Node would print the error as it is.
  process.on("uncaughtException", end);
  process.exitCode = await main(process.argv.slice(2));
}

/** Goes on without readers (`… | head`): a night is crawled and a server serves anyway. A full disk is another matter. */
function outliveReaders(end: (error: Error) => never) {
  for (const [path, out] of Object.entries({ stdout: process.stdout, stderr: process.stderr }))
    out.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") end(Object.assign(error, { path }));
    });
}

function explain(thrown: unknown): number {
  const error = firstOf(thrown);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    if (io().isLog) tell("", toEnd(EXIT.usage, describeMistake(error.message), HELP));
    return EXIT.usage;
  }
  const failure = toFailure(error);
  if (failure) {
    const { exit, message, hint } = failure;
    tell(`${asCalled(sanitizeLine(`${message}; ${hint}`))}\n`, toEnd(exit, asCalled(message), asCalled(hint)));
    return exit;
  }
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const line = `internal error, please report it: ${what}`;
  tell(`${sanitizeLines(line)}\n`, toEnd(EXIT.internal, line, ""));
  return EXIT.internal;
}

/** Makes the last line of a log, if the command has failed. */
const toEnd = (exit: ExitCode, message: string, hint: string) => ({ event: "failed", exit, message, hint });

/** Returns the exit code of a command whose action ends with this error. */
export const exitOfError = (error: unknown): ExitCode => toFailure(firstOf(error))?.exit ?? EXIT.internal;

/** Returns the error that came first: one that is thrown while `using` disposes of something hides it. Node 22 has no class for that. */
const firstOf = (error: unknown): unknown =>
  error instanceof Error && "suppressed" in error ? firstOf(error.suppressed) : error;

const toFailure = (error: unknown): Failure | undefined =>
  error instanceof Failure ? error : explainSystem(error as NodeJS.ErrnoException);

/** Explains errors that name a system call, and those of SQLite that are no faults of the program. */
function explainSystem(error: NodeJS.ErrnoException & { dest?: string }): Failure | undefined {
  const { message, path, syscall, dest } = error;
  // better-sqlite3 looks for the folder by itself, and its error has no code.
  const code = /directory does not exist$/.test(message) ? "ENOENT" : (error.code ?? "");
  const where = path ? `${path}: ` : "";
  if (isDiskFull(error) || /^SQLITE_IOERR/.test(code)) {
    const hint = "free space, then run the same command again";
    // A copy fills the disk where it goes.
    const full = dest ? `${dest}: ` : where;
    return new Failure(EXIT.usage, `${full}cannot be written: ${message} (${code})`, hint, error);
  }
  if (syscall || /^(ENOENT|SQLITE_(READONLY.*|CANTOPEN.*|BUSY|LOCKED))$/.test(code)) {
    return new Failure(
      EXIT.usage,
      `${where}cannot be used: ${(path && explainDenied(path)) || message} (${code})`,
      /^E[MN]FILE$/.test(code)
        ? "allow more open files (ulimit -n), then run the same command again"
        : "name another file or folder, or make this one accessible",
      error,
    );
  }
  return undefined;
}
