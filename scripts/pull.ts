import { Argument } from "commander";
import { EXIT } from "../src/api/failure.ts";
import { historyFile } from "../src/extra/nights/history/open.ts";
import type { PullHistory } from "../src/extra/nights/pull/history.ts";
import { DOWNLOAD_LIMITS } from "../src/extra/nights/pull/limits.ts";
import { createPullProgress } from "../src/extra/nights/pull/progress.ts";
import { type PullPast, pull } from "../src/extra/nights/pull/pull.ts";
import { lockHistory } from "../src/journal/lock.ts";
import type { Publication } from "../src/snapshot/published/publish.ts";
import { createSignedNights } from "../src/snapshot/verify/signed-nights.ts";
import { createMain, dataFolder, defineCommand, flag, number, option, runMain } from "./cli/command.ts";
import { lockToPublish } from "./cli/folder.ts";
import { io } from "./cli/io.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { NOT_KEPT, type PublicKeys, publicKeys } from "./cli/options/keys.ts";
import { analystsFileFlag, compressFlag, keepFlag, maxLossFlag, type PublishFlags } from "./cli/options/publish.ts";
import { allowOlder, contact, parseDay, parseSource, pullTime, retryRefused } from "./cli/options/pull.ts";
import { complain, createTeller, say, type Teller } from "./cli/say.ts";
import { tellPublication } from "./cli/stoppable-build.ts";

interface PullFlags extends PublishFlags {
  data: string;
  all: boolean;
  since?: string;
  history: boolean;
  contact?: string;
  allowOlder: boolean;
  retryRefused: boolean;
  key?: PublicKeys;
  timeout: number;
  pullTime: number;
  json: boolean;
}

const definePull = () =>
  defineCommand("pull", {
    Source: [
      publicKeys(", that have not expired and are not older than the one here"),
      contact("source"),
      number("--timeout <seconds>", "time without data after which the pull gives up", [0.1, 600], false).default(
        DOWNLOAD_LIMITS.timeoutMs / 1000,
      ),
      pullTime(),
    ],
    "Past nights": [
      flag("--all", "also the nights before it, the oldest first, as many as --keep keeps"),
      option("--since <date>", "the same, from this day of UTC on: 2026-11-27").argParser(parseDay).conflicts("all"),
      flag("--history", "also the history that the source publishes, if none is here"),
    ],
    Gates: [allowOlder(), retryRefused(), maxLossFlag()],
    Publication: [dataFolder(), keepFlag(), compressFlag(), analystsFileFlag()],
    Output: [jsonFlag()],
  }).addArgument(
    new Argument(
      "<url>",
      "URL of a mirror, of a static host with a data folder, or of a latest.json beside its files",
    ).argParser(parseSource),
  );

export const main = createMain(
  definePull,
  async ({ data, timeout, pullTime: totalMs, key, json, all, since, history, ...options }: PullFlags, command) => {
    using _ = lockToPublish(data);
    using __ = history ? lockHistory(historyFile(data)) : undefined;
    const [source] = command.processedArgs as [URL];
    const limits = { timeoutMs: timeout * 1000, totalMs };
    const signed = key && createSignedNights(data, key.keys);
    using progress = createPullProgress(json ? io().stderr : io().stdout);
    const tell = createTeller(json);
    const tellPulled = (pulled: Publication) => {
      progress.end();
      if (pulled.unsigned && !json) say(NOT_KEPT);
      tellPublication(tell, pulled);
    };
    const past: Taking = { taken: 0, refused: 0 };
    const pulled = await pull(source, data, {
      ...options,
      signed,
      limits,
      onProgress: progress.tell,
      past: all || since !== undefined ? listenToPast({ since, tell, tellPulled, past }) : undefined,
      history: history ? listenToHistory(tell, past, () => progress.end()) : undefined,
    });
    tellPulled(pulled);
    if (past.refused > 0) return EXIT.incomplete;
    return pulled.changed || past.taken > 0 ? EXIT.done : EXIT.unchanged;
  },
);

/** Counts what was asked for beside the latest night: past nights and the history. */
interface Taking {
  taken: number;
  refused: number;
}

interface PastListening {
  since: string | undefined;
  tell: Teller;
  tellPulled: (pulled: Publication) => void;
  past: Taking;
}

const listenToPast = ({ since, tell, tellPulled, past }: PastListening): PullPast => ({
  since,
  onNight(pulled) {
    past.taken += 1;
    tellPulled(pulled);
  },
  onRefused(version, reason) {
    past.refused += 1;
    complain(`${version}: its night is skipped: ${reason}`);
  },
  onBeyond: (version) => tell("beyond", { version }, `${version} and older are left there: --keep would let them go`),
});

const listenToHistory = (tell: Teller, past: Taking, endProgress: () => void): PullHistory => ({
  onFetched(file, version) {
    past.taken += 1;
    endProgress();
    tell("history", { file, version }, `the history before ${version} is ${file}`);
  },
  onRefused(reason) {
    past.refused += 1;
    endProgress();
    complain(`${reason}; fold the nights that are here with \`npm run history\``);
  },
});

if (import.meta.main) await runMain(main);
