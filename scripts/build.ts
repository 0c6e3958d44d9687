import "./node-version.ts";
import { EXIT } from "../src/api/failure.ts";
import { isEverything } from "../src/api/selection.ts";
import { readHeader } from "../src/journal/file.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { newestFinished } from "../src/journal/runs.ts";
import { buildAndPublish } from "../src/snapshot/night.ts";
import { defineCommand, flag, option, run } from "./command.ts";

interface BuildFlags {
  data: string;
  journal?: string;
  allowPartial: boolean;
}

export const buildCommand = defineCommand("build", "Build and publish again from a finished journal, without network.")
  .addOption(option("--data <dir>", "folder of journals and snapshots").default("data"))
  .addOption(option("--journal <file>", "journal to build from (default: the newest finished one under --data)"))
  .addOption(flag("--allow-partial", "publish as latest although it is a subset"));

await run(buildCommand, async ({ data, journal, allowPartial }: BuildFlags) => {
  lockFolder(data);
  const file = journal ?? newestFinished(data);
  const latest = isEverything(readHeader(file).selection) || allowPartial;
  const published = await buildAndPublish(file, data, { latest });
  process.stdout.write(`${published.changed ? "published" : "unchanged"} ${published.file}\n`);
  return published.changed ? EXIT.done : EXIT.unchanged;
});
