import { statSync } from "node:fs";
import { EXIT, Failure } from "../src/api/failure.ts";
import { countOf } from "../src/base/words.ts";
import { findOtherNights, findOwnNights } from "../src/extra/nights/history/find-nights.ts";
import { updateHistory } from "../src/extra/nights/history/history.ts";
import { historyFile } from "../src/extra/nights/history/open.ts";
import { lockHistory } from "../src/journal/lock.ts";
import { hintWithoutSnapshot } from "../src/snapshot/published/folder.ts";
import { refuseMixedProvenance } from "../src/snapshot/published/provenance.ts";
import { describeDamagedMarks } from "../src/snapshot/published/sequence.ts";
import { createMain, dataFolder, defineCommand, flag, option, runMain } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { complain, createTeller } from "./cli/say.ts";

interface HistoryFlags {
  data: string;
  file?: string;
  from?: string;
  fresh: boolean;
  forget: boolean;
  json: boolean;
}

const defineHistory = () =>
  defineCommand("history", {
    Options: [
      dataFolder(),
      option("--file <file>", "file of the history (default: history.sqlite under --data)"),
      option("--from <dir>", "also add the snapshots in this folder: another data folder, or files"),
      flag("--fresh", "rebuild the history; the old one stays until the new one is complete"),
      flag("--forget", "with --fresh: drop nights that only the old history has"),
      jsonFlag(),
    ],
  });

export const main = createMain(
  defineHistory,
  async ({ data, file = historyFile(data), from, fresh, forget, json }: HistoryFlags) => {
    const tell = createTeller(json);
    if (forget && !fresh) throw new Failure(EXIT.usage, "--forget is for --fresh", "add --fresh, or leave it out");
    if (from !== undefined) refuseMixedProvenance(data, from);
    const here = findOwnNights(data);
    const there = from === undefined ? { nights: [], damaged: [] } : findOtherNights(from);
    const nights = [...here.nights, ...there.nights];
    const damaged = [...here.damaged, ...there.damaged];
    if (nights.length + damaged.length === 0) {
      const message = `${from === undefined ? data : `${data}, ${from}`}: no snapshot is published here`;
      throw new Failure(
        EXIT.usage,
        message,
        hintWithoutSnapshot(data, "publish one with `npm run crawl`, or name another folder with --data or --from"),
      );
    }
    using _ = lockHistory(file);
    complain(...describeDamagedMarks(data));
    for (const manifest of damaged) complain(`${manifest}: is damaged; its night is skipped`);
    const done = updateHistory(file, nights, {
      fresh,
      forget,
      onNight: ({ version, opened, closed, seconds }) =>
        tell(
          "folded",
          { version, opened, closed, seconds },
          `${version}: ${opened} rows opened, ${closed} closed, ${seconds.toFixed(1)} s`,
        ),
      onDamaged: (reason) => complain(`${reason}; its night is skipped`),
    });
    const { size } = statSync(file);
    tell(
      "history",
      { file, size, ...done },
      ...(done.marked > 0 ? [`${countOf(done.marked, "night")} withdrawn, or no longer`] : []),
      `${countOf(done.ingested, "night")} folded into ${file}, ${size} bytes`,
    );
    if (done.damaged + damaged.length > 0) return EXIT.incomplete;
    return done.ingested + done.marked > 0 ? EXIT.done : EXIT.unchanged;
  },
);

if (import.meta.main) await runMain(main);
