import { updateHistory } from "../../../src/nights/history/history.ts";
import { toNights } from "../nights.ts";

/** Folds, and is killed in the middle of a night, when its rates are written: `file night snapshots…`. */
const [file = "", night = "0", ...snapshots] = process.argv.slice(2);

let folded = 0;
updateHistory(file, toNights(snapshots), {
  onTable: (name) => {
    if (name === "hero_pairing" && folded === Number(night)) process.kill(process.pid, "SIGKILL");
  },
  onNight: () => {
    folded += 1;
  },
});
