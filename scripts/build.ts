import { isFullSelection } from "../src/api/selection.ts";
import { readHeader } from "../src/journal/file.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { lastFinished } from "../src/journal/runs.ts";
import { describeAhead } from "../src/snapshot/published/clock.ts";
import { refuseOlder } from "../src/snapshot/published/journals.ts";
import { createMain, dataFolder, defineCommand, flag, option, runMain } from "./cli/command.ts";
import { type SignerFlags, signingKey, toSigner, validFor } from "./cli/options/keys.ts";
import { allowPartialFlag, compressFlag, keepFlag, maxLossFlag, type PublishFlags } from "./cli/options/publish.ts";
import { complain, say } from "./cli/say.ts";
import { stoppable } from "./cli/stoppable.ts";
import { buildStoppable, describePublication, exitOfBuild } from "./cli/stoppable-build.ts";

interface BuildFlags extends PublishFlags, SignerFlags {
  data: string;
  journal?: string;
  allowOlder: boolean;
  allowPartial: boolean;
}

const defineBuild = () =>
  defineCommand("build")
    .addOption(dataFolder())
    .addOption(option("--journal <file>", "journal to build from (default: the last finished one under --data)"))
    .addOption(
      flag("--allow-older", "publish as latest even if a later night is published, or a rollback withdrew this one"),
    )
    .addOption(allowPartialFlag())
    .addOption(maxLossFlag())
    .addOption(keepFlag())
    .addOption(compressFlag())
    .addOption(signingKey())
    .addOption(validFor());

export const main = createMain(
  defineBuild,
  async ({ data, journal, allowOlder, allowPartial, ...options }: BuildFlags) => {
    using _ = lockFolder(data);
    const file = journal ?? lastFinished(data);
    const header = readHeader(file);
    // Who names a journal does so on purpose.
    if (journal === undefined && !allowOlder) refuseOlder(data, file, header);
    const latest = isFullSelection(header.selection) || allowPartial;
    const published = await stoppable((stop) =>
      buildStoppable(file, data, { ...options, latest, signer: toSigner(options), stop }),
    );
    complain(...describeAhead(data));
    if (published.baseless && !published.corrupt) say(`nothing is carried over: ${published.baseless}`);
    say(...describePublication(published), `${published.changed ? "published" : "unchanged"} ${published.file}`);
    return exitOfBuild(published);
  },
);

if (import.meta.main) await runMain(main);
