import { EXIT } from "../../src/api/failure.ts";
import type { CommandName } from "../bin/called.ts";
import summaries from "../bin/commands.json" with { type: "json" };

/** The commands of metasnap; other scripts of `npm run` are for work on the code. */
export const COMMANDS = Object.keys(summaries) as CommandName[];

type ExitName = keyof typeof EXIT;

/** The meaning of an exit code, the same from every command, and what to do next. */
const MEANINGS: Record<ExitName, readonly [meaning: string, next: string]> = {
  done: ["done", ""],
  internal: [
    "a fault of metasnap, an error answered to `serve --get`, or a missed budget of `bench`",
    "report a fault",
  ],
  unchanged: ["done, and nothing is new (`diff`: both hold the same data)", ""],
  incomplete: [
    "incomplete: too much is missing, or the time or the budget is over",
    "run the same command again to resume",
  ],
  unreachable: ["the upstream or the source is unreachable", "run the same command again later"],
  shrunk: ["more was lost than `--max-loss` allows", "look, then raise `--max-loss`"],
  shapeChanged: ["the list of heroes has another shape", "upgrade metasnap, or report it"],
  newlyClosed: ["published, and [something is newly missing](missing.md)", "read the line"],
  usage: ["wrong usage, a damaged file, a full disk, or a wrong clock", "the line says what to do"],
  interrupted: ["interrupted (`serve`: by a second signal)", "run the same command again to resume"],
};

export const listMeanings = (): string[][] =>
  (Object.keys(EXIT) as ExitName[]).map((exit) => [String(EXIT[exit]), ...MEANINGS[exit]]);

interface Ending {
  exit: ExitName;
  /** The commands that can end so; all of them if it is left out. */
  commands?: readonly CommandName[];
  when: string;
}

/** The cases of an exit code, by command, if its meaning alone does not say them. */
const ENDINGS: readonly Ending[] = [
  {
    exit: "incomplete",
    commands: ["crawl", "build"],
    when: "The upstream went down during the run, does not settle, or gave nothing for ten minutes at the lowest pace, or the time of `--max-time` is over. Nothing was published.",
  },
  {
    exit: "incomplete",
    commands: ["crawl"],
    when: "Half of the endpoints are newly closed, a third of the slices are newly missing, or more single slices are missing than `--max-missing` allows. Nothing was published.",
  },
  {
    exit: "incomplete",
    commands: ["crawl"],
    when: "`--allow-growth` was not given, and the roster has grown by more than 20 heroes and 20 % since the last snapshot, or has more than 1000 heroes without one. Nothing else was asked.",
  },
  {
    exit: "incomplete",
    commands: ["verify"],
    when: "The file is sound, but has answers older than `--max-age-of` allows, has no manifest beside it, or differs from `--upstream`.",
  },
  { exit: "incomplete", commands: ["history", "pull"], when: "Damaged nights were skipped; the others are in." },
  { exit: "incomplete", commands: ["publish-to"], when: "A snapshot was removed here during the run." },
  { exit: "incomplete", commands: ["demo"], when: "The crawl of the sample failed." },
  { exit: "unreachable", commands: ["crawl", "verify"], when: "Captured answers stay for the next run." },
  {
    exit: "unreachable",
    commands: ["pull", "serve", "diff", "export"],
    when: "The part that `pull` has fetched stays for the next run.",
  },
  {
    exit: "unreachable",
    commands: ["publish-to"],
    when: "The remote is down, or refuses. Its latest night is complete.",
  },
  {
    exit: "shrunk",
    commands: ["crawl", "build", "pull"],
    when: "More heroes, languages or records of an endpoint that both nights planned are lost than `--max-loss` allows. Nothing was published.",
  },
  {
    exit: "shapeChanged",
    commands: ["crawl"],
    when: "A field by which heroes are asked for or found is gone or has another type. Nothing was published. In any other answer this is a fault of that answer alone.",
  },
  {
    exit: "newlyClosed",
    commands: ["crawl", "build"],
    when: "A part of the upstream is newly closed, or an answer of the latest snapshot is lost. Later nights end with 0 or 2. `pull` prints the same lines and ends with 0.",
  },
  {
    exit: "usage",
    when: "The usage is wrong, or a file or journal is damaged, foreign, or unlike its manifest and hashes (of a `pull`, also at the source).",
  },
  {
    exit: "usage",
    when: "A disk is full or fails. After a crawl or a build the message says how much room is needed.",
  },
  {
    exit: "usage",
    commands: ["crawl"],
    when: "The address of the upstream has a path or a query, is https at a port without TLS, or names a host that has not resolved for a minute.",
  },
  {
    exit: "usage",
    commands: ["pull", "diff", "export", "verify"],
    when: "The address is https at a port without TLS, or names a host that does not resolve.",
  },
  {
    exit: "usage",
    commands: ["crawl"],
    when: "The disk has less than half of the room that the night needs, or no more than when a build filled it. At most the list of heroes was asked for, and nothing was published.",
  },
  {
    exit: "usage",
    commands: ["build"],
    when: "The journal that was finished last is older than that of the latest night, or a rollback has withdrawn its night, and `--allow-older` was not given. Nothing was published.",
  },
  {
    exit: "usage",
    commands: ["crawl"],
    when: "The clock cannot be trusted: the upstream and the data folder show other times. Nothing was asked or published.",
  },
  {
    exit: "usage",
    commands: ["crawl", "build", "pull", "serve", "publish-to", "demo"],
    when: "Made-up numbers would meet a folder of real ones, or the reverse, or an upstream changed between the two. Nothing was published.",
  },
];

/** Lists the endings in the order of their codes, each with its commands. */
export const listEndings = (): string[][] =>
  ENDINGS.map(({ exit, commands, when }) => [
    String(EXIT[exit]),
    commands?.map((name) => `\`${name}\``).join(", ") ?? "all",
    when,
  ]);
