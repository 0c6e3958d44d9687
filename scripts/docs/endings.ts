import { EXIT } from "../../src/api/failure.ts";
import type { CommandName } from "../bin/called.ts";
import summaries from "../bin/commands.json" with { type: "json" };

/** The commands of metasnap; other scripts of `npm run` are for work on the code. */
export const COMMANDS = Object.keys(summaries) as CommandName[];

/** The meaning of each exit code from any command, and what to do next. */
const MEANINGS: Record<keyof typeof EXIT, readonly [meaning: string, next: string]> = {
  done: ["done", ""],
  internal: [
    "a fault of metasnap, an error answered to `serve --get`, or a missed budget of `bench`",
    "report a fault",
  ],
  unchanged: ["done, nothing has changed", ""],
  incomplete: [
    "incomplete: too much is missing, or the time or the budget is over",
    "the same command again asks for the rest",
  ],
  unreachable: ["the upstream or the source is unreachable", "the same command again, later"],
  shrunk: ["more was lost than `--max-loss` allows", "look, then `--max-loss`"],
  shapeChanged: ["the list of heroes has another shape", "upgrade metasnap, or report it"],
  newlyClosed: ["published, and [something is newly missing](missing.md)", "look at the line"],
  usage: ["wrong usage, a damaged file, a full disk, or a wrong clock", "the line says what to do"],
  interrupted: ["interrupted", "the same command again continues"],
};

export const listMeanings = (): string[][] =>
  (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((exit) => [String(EXIT[exit]), ...MEANINGS[exit]]);

interface Ending {
  exit: keyof typeof EXIT;
  /** The commands that can end so; all of them if it is left out. */
  commands?: readonly CommandName[];
  meaning: string;
}

/** The meaning of each exit code, by command. */
const ENDINGS: readonly Ending[] = [
  { exit: "done", meaning: "Done." },
  { exit: "internal", meaning: "A fault of metasnap itself, please report it." },
  { exit: "internal", commands: ["serve"], meaning: "With `--get`: the answer is an error." },
  { exit: "internal", commands: ["bench"], meaning: "A budget is missed." },
  { exit: "unchanged", commands: ["crawl", "build"], meaning: "Done, nothing changed since the last snapshot." },
  { exit: "unchanged", commands: ["diff"], meaning: "Done, both hold the same data." },
  { exit: "unchanged", commands: ["history", "pull"], meaning: "Done, there was nothing new." },
  { exit: "unchanged", commands: ["publish-to"], meaning: "Done, all of it lies there already." },
  {
    exit: "incomplete",
    commands: ["crawl", "build"],
    meaning:
      "The upstream died under way, does not settle, or gave nothing for ten minutes at the lowest pace, or the time of `--max-time` is over. Nothing was published. The same crawl again asks for the rest.",
  },
  {
    exit: "incomplete",
    commands: ["crawl"],
    meaning:
      "Too much is missing: half of the endpoints are newly closed, a third of the slices are newly missing, or more single slices than `--max-missing` allows. Nothing was published. The same crawl again asks for what is missing.",
  },
  {
    exit: "incomplete",
    commands: ["crawl"],
    meaning:
      "`--allow-growth` was not given, and the roster has grown by more than 20 heroes and 20 % since the last snapshot, has more than 1000 heroes without one, or a list names more than 200 words to ask for. Nothing else was asked.",
  },
  {
    exit: "incomplete",
    commands: ["verify"],
    meaning:
      "The file is sound, but has answers older than `--max-age-of` allows, has no manifest beside it, or differs from `--upstream`.",
  },
  {
    exit: "incomplete",
    commands: ["history", "pull"],
    meaning: "The nights of damaged files were left out, the others are in.",
  },
  {
    exit: "incomplete",
    commands: ["publish-to"],
    meaning: "A snapshot was removed here during the run. The same command again does the rest.",
  },
  { exit: "incomplete", commands: ["demo"], meaning: "The crawl of the sample did not end well." },
  {
    exit: "unreachable",
    commands: ["crawl", "verify"],
    meaning: "The upstream is unreachable. Captured answers stay for the next run.",
  },
  {
    exit: "unreachable",
    commands: ["pull", "serve", "diff", "export"],
    meaning: "The source is unreachable. A part that `pull` has of the file stays for the next run.",
  },
  {
    exit: "unreachable",
    commands: ["publish-to"],
    meaning: "The remote is away, or refuses. Its latest night is whole. The same command again does the rest.",
  },
  {
    exit: "shrunk",
    commands: ["crawl", "build", "pull"],
    meaning:
      "Refused by the gate against loss: of what both nights have planned, more heroes, languages or records of an endpoint are lost than `--max-loss` allows. Nothing was published.",
  },
  {
    exit: "shapeChanged",
    commands: ["crawl"],
    meaning:
      "The list of heroes has another shape: a field that heroes are asked or found by is gone or has another type. Nothing was published. In any other answer that is a fault of this answer.",
  },
  {
    exit: "newlyClosed",
    commands: ["crawl", "build"],
    meaning:
      "Published. A part of the upstream is newly closed, or an answer of the latest snapshot before is lost. Later nights end with 0 or 2. `pull` prints the same lines and ends with 0.",
  },
  {
    exit: "usage",
    meaning:
      "Wrong usage, or a file or journal that is damaged, foreign, or unlike its manifest and hashes, also at the source of a `pull`.",
  },
  {
    exit: "usage",
    commands: ["crawl"],
    meaning:
      "The address of the upstream has a path or a query, is https at a port without TLS, or names a host that nobody has known for a minute.",
  },
  {
    exit: "usage",
    commands: ["pull", "diff", "export", "verify"],
    meaning: "The address is https at a port without TLS, or names a host that nobody knows.",
  },
  {
    exit: "usage",
    meaning: "A disk is full or fails. After a crawl or a build the message says how much room is needed.",
  },
  {
    exit: "usage",
    commands: ["crawl"],
    meaning:
      "The disk has less than half of the room that the night needs, or no more than when a build filled it. At most the list of heroes was asked for, and nothing was published.",
  },
  {
    exit: "usage",
    commands: ["build"],
    meaning:
      "The journal that was finished last is older than that of the latest night, or a rollback has withdrawn its night, and `--allow-older` was not given. Nothing was published.",
  },
  {
    exit: "usage",
    commands: ["crawl"],
    meaning:
      "The clock cannot be believed, because the upstream and the data folder have other times. Nothing was asked or published.",
  },
  {
    exit: "interrupted",
    commands: ["crawl", "build", "publish-to", "demo"],
    meaning: "Interrupted; the same command again continues.",
  },
  {
    exit: "usage",
    commands: ["crawl", "build", "pull", "serve", "publish-to", "demo"],
    meaning:
      "Made-up numbers would meet a folder of real ones, or the reverse, or an upstream changed between the two. Nothing was published.",
  },
  { exit: "interrupted", commands: ["serve"], meaning: "Told to stop a second time before the end was in order." },
];

/** Lists the exit codes of a command, in order, with the meaning of each. */
export const listEndings = (command: CommandName) =>
  ENDINGS.filter(({ commands }) => !commands || commands.includes(command))
    .map(({ exit, meaning }): [code: number, meaning: string] => [EXIT[exit], meaning])
    .sort(([a], [b]) => a - b)
    .map(([code, meaning]) => [String(code), meaning]);
