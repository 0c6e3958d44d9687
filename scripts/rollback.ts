import { EXIT } from "../src/api/failure.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { rollback } from "../src/snapshot/published/rollback.ts";
import { defineCommand, option, run } from "./cli/command.ts";
import { say } from "./cli/say.ts";

interface RollbackFlags {
  data: string;
  to?: string;
}

export const rollbackCommand = defineCommand("rollback", "Point to an earlier published snapshot, or forward again.")
  .addOption(option("--data <dir>", "folder of journals and snapshots").default("data"))
  .addOption(option("--to <version>", "this version (default: the one published before the latest)"));

await run(rollbackCommand, async ({ data, to }: RollbackFlags) => {
  lockFolder(data);
  const { version } = rollback(data, to);
  say(`latest is ${version}`);
  return EXIT.done;
});
