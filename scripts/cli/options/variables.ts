import type { CommandName } from "../../bin/called.ts";

export const PREFIX = "METASNAP_";

/**
 * The meaning of each option that is the same in all commands which have it. They share its variable, `METASNAP_<OPTION>`, so that one file
 * of variables can be for all of them. Each says these words in its help, and may say more.
 */
export const MEANINGS = {
  "allow-partial": "publish as latest even if the snapshot is a subset",
  "history-file": "publish the history of the folder beside the night, compressed; only the newest stays",
  "analysts-file": "write the tables without the archive beside the file, for analysts",
  compress: "write a copy compressed with zstd beside the file, for `pull`",
  contact: "your mail address or URL, sent in the User-Agent",
  data: "folder of journals and snapshots",
  host: "address to listen on",
  json: "print JSON, one object on each line",
  keep: "number of published snapshots to keep",
  key: "public key, or its file: accept only nights that it has signed",
  "max-age-of": "maximum age of answers by dataset: counters=7d,hero=30d, or a file with one entry per line",
  "max-loss":
    "refuse to publish if more than this percentage of heroes, languages or records of an endpoint has disappeared since the last snapshot",
  port: "port to listen on",
  "pull-time": "time limit for one pull, or none: 90m, 24h; 1 GB at the slowest pace takes 18h",
  "signing-key": "sign the manifest with this secret key; `npm run keys` makes one",
  snapshot: "file to use instead of the latest snapshot",
  "valid-for": "how long followers accept this signature as the latest: 48h, 168h",
} as const;

/** Options that mean something else in each command that has them. Their variables name it: `METASNAP_<COMMAND>_<OPTION>`. */
export const OF_EACH_COMMAND: readonly string[] = [
  ...["all", "allow-older", "days", "fresh", "heroes", "languages", "out", "rate", "timeout", "upstream"],
];

export const variableOf = (command: CommandName, option: string): string =>
  toVariable(OF_EACH_COMMAND.includes(option) ? prefixOf(command) : PREFIX, option);

/** Returns the beginning of the variables whose options mean something else in each command: `METASNAP_CRAWL_`. */
export const prefixOf = (command: CommandName): string => `${toVariable(PREFIX, command)}_`;

const toVariable = (prefix: string, name: string) => prefix + name.replaceAll("-", "_").toUpperCase();
