import { EXIT } from "../src/api/failure.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { describeAhead } from "../src/snapshot/published/clock.ts";
import { rollback } from "../src/snapshot/published/rollback.ts";
import { createMain, dataFolder, defineCommand, option, runMain } from "./cli/command.ts";
import { type SignerFlags, signingKey, toSigner, validFor } from "./cli/options/keys.ts";
import { complain, say } from "./cli/say.ts";

interface RollbackFlags extends SignerFlags {
  data: string;
  to?: string;
}

const defineRollback = () =>
  defineCommand("rollback")
    .addOption(dataFolder())
    .addOption(option("--to <version>", "version to point to (default: the one published before the latest)"))
    .addOption(signingKey())
    .addOption(validFor());

export const main = createMain(defineRollback, async ({ data, to, ...signing }: RollbackFlags) => {
  using _ = lockFolder(data);
  const { version } = rollback(data, to, toSigner(signing));
  complain(...describeAhead(data));
  say(`latest is ${version}`);
  return EXIT.done;
});

if (import.meta.main) await runMain(main);
