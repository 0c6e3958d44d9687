import { isFullSelection } from "../src/api/selection.ts";
import { readHeader } from "../src/journal/file.ts";
import { lastFinished } from "../src/journal/runs.ts";
import { describeAhead } from "../src/snapshot/published/clock.ts";
import { refuseOlder } from "../src/snapshot/published/journals.ts";
import { createMain, dataFolder, defineCommand, flag, option, runMain } from "./cli/command.ts";
import { lockToPublish } from "./cli/folder.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { type SignerFlags, signingKey, toSigner, validFor } from "./cli/options/keys.ts";
import {
  allowPartialFlag,
  analystsFileFlag,
  type BuildPublishFlags,
  compressFlag,
  historyFileFlag,
  keepFlag,
  maxLossFlag,
} from "./cli/options/publish.ts";
import { complain, createTeller } from "./cli/say.ts";
import { stoppable } from "./cli/stoppable.ts";
import { buildStoppable, exitOfBuild, tellPublication } from "./cli/stoppable-build.ts";

interface BuildFlags extends BuildPublishFlags, SignerFlags {
  data: string;
  journal?: string;
  allowOlder: boolean;
  allowPartial: boolean;
  json: boolean;
}

const defineBuild = () =>
  defineCommand("build", {
    Source: [
      dataFolder(),
      option("--journal <file>", "journal to build from (default: the last finished one under --data)"),
    ],
    Gates: [
      flag("--allow-older", "publish as latest even if a later night is published, or a rollback withdrew this one"),
      allowPartialFlag(),
      maxLossFlag(),
    ],
    Publication: [keepFlag(), compressFlag(), analystsFileFlag(), historyFileFlag(), signingKey(), validFor()],
    Output: [jsonFlag()],
  });

export const main = createMain(
  defineBuild,
  async ({ data, journal, allowOlder, allowPartial, json, ...options }: BuildFlags) => {
    const tell = createTeller(json);
    using _ = lockToPublish(data);
    const file = journal ?? lastFinished(data);
    const header = readHeader(file);
    // An operator who names a journal does so on purpose.
    if (journal === undefined && !allowOlder) refuseOlder(data, file, header);
    const latest = isFullSelection(header.selection) || allowPartial;
    const published = await stoppable((stop) =>
      buildStoppable(file, data, { ...options, latest, signer: toSigner(options), stop }),
    );
    complain(...describeAhead(data));
    const { baseless } = published;
    if (baseless && !published.corrupt) tell("baseless", { reason: baseless }, `nothing is carried over: ${baseless}`);
    tellPublication(tell, published);
    return exitOfBuild(published);
  },
);

if (import.meta.main) await runMain(main);
