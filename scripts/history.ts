import { statSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../src/api/failure.ts";
import { foldHistory } from "../src/nights/history/history.ts";
import { listFolder, listNights } from "../src/nights/published.ts";
import { snapshotFile } from "../src/snapshot/folder.ts";
import { defineCommand, flag, option, run } from "./command.ts";
import { say } from "./say.ts";

interface HistoryFlags {
  data: string;
  file?: string;
  from?: string;
  fresh: boolean;
}

export const historyCommand = defineCommand("history", "Fold all published snapshots into one file of what held when.")
  .addOption(option("--data <dir>", "folder of journals and snapshots").default("data"))
  .addOption(option("--file <file>", "the history (default: history.sqlite under --data)"))
  .addOption(option("--from <dir>", "fold the snapshots in this folder too"))
  .addOption(flag("--fresh", "begin anew"));

await run(historyCommand, async ({ data, file = join(data, "history.sqlite"), from, fresh }: HistoryFlags) => {
  const published = listNights(data).map((version) => snapshotFile(data, version));
  const more = from === undefined ? [] : listFolder(from);
  const snapshots = [...published, ...more];
  if (snapshots.length === 0) {
    const message = `${from === undefined ? data : `${data}, ${from}`}: no snapshot is published here`;
    throw new Failure(
      EXIT.usage,
      message,
      "publish one with `npm run crawl`, or name another folder with --data or --from",
    );
  }
  const folded = foldHistory(file, snapshots, {
    fresh,
    onNight: ({ version, opened, closed, seconds }) =>
      say(`${version}: ${opened} rows opened, ${closed} closed, ${seconds.toFixed(1)} s`),
  });
  say(`${folded} nights folded into ${file}, ${statSync(file).size} bytes`);
  return folded > 0 ? EXIT.done : EXIT.unchanged;
});
