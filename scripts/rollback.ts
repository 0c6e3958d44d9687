import { EXIT } from "../src/api/failure.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { describeAhead } from "../src/snapshot/published/clock.ts";
import { rollback } from "../src/snapshot/published/rollback.ts";
import { describeDamagedMarks } from "../src/snapshot/published/sequence.ts";
import { createMain, dataFolder, defineCommand, option, runMain } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { type SignerFlags, signingKey, toSigner, validFor } from "./cli/options/keys.ts";
import { complain, createTeller } from "./cli/say.ts";

interface RollbackFlags extends SignerFlags {
  data: string;
  to?: string;
  json: boolean;
}

const defineRollback = () =>
  defineCommand("rollback", {
    Options: [
      dataFolder(),
      option("--to <version>", "version to point to (default: the one published before the latest)"),
      signingKey(),
      validFor(),
      jsonFlag(),
    ],
  });

export const main = createMain(defineRollback, async ({ data, to, json, ...signing }: RollbackFlags) => {
  using _ = lockFolder(data);
  complain(...describeDamagedMarks(data));
  const { version } = rollback(data, to, toSigner(signing));
  complain(...describeAhead(data));
  createTeller(json)("latest", { version }, `latest is ${version}`);
  return EXIT.done;
});

if (import.meta.main) await runMain(main);
