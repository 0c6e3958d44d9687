import { Argument } from "commander";
import { EXIT } from "../src/api/failure.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { DOWNLOAD_LIMITS } from "../src/nights/pull/limits.ts";
import { createPullProgress } from "../src/nights/pull/progress.ts";
import { pull } from "../src/nights/pull/pull.ts";
import { createSignedNights } from "../src/snapshot/verify/signed-nights.ts";
import { createMain, dataFolder, defineCommand, number, runMain } from "./cli/command.ts";
import { io } from "./cli/io.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { NOT_KEPT, type PublicKeys, publicKeys } from "./cli/options/keys.ts";
import { analystsFileFlag, compressFlag, keepFlag, maxLossFlag, type PublishFlags } from "./cli/options/publish.ts";
import { allowOlder, contact, parseSource, pullTime, retryRefused } from "./cli/options/pull.ts";
import { createTeller, say } from "./cli/say.ts";
import { tellPublication } from "./cli/stoppable-build.ts";

interface PullFlags extends PublishFlags {
  data: string;
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
  async ({ data, timeout, pullTime: totalMs, key, json, ...options }: PullFlags, command) => {
    using _ = lockFolder(data);
    const [source] = command.processedArgs as [URL];
    const limits = { timeoutMs: timeout * 1000, totalMs };
    const signed = key && createSignedNights(data, key.keys);
    using progress = createPullProgress(json ? io().stderr : io().stdout);
    const pulled = await pull(source, data, { ...options, signed, limits, onProgress: progress.tell });
    if (pulled.unsigned && !json) say(NOT_KEPT);
    tellPublication(createTeller(json), pulled);
    return pulled.changed ? EXIT.done : EXIT.unchanged;
  },
);

if (import.meta.main) await runMain(main);
