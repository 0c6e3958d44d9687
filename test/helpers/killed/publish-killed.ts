import { compareInProcess } from "../../../src/nights/changes/compare.ts";
import { buildAndPublish } from "../../../src/snapshot/pipeline.ts";

/** Builds and publishes, and is killed right after the named step: `journal data step`. */
const [journal = "", data = "", step] = process.argv.slice(2);

await buildAndPublish(journal, data, {
  latest: true,
  compare: compareInProcess(),
  onStep: (name) => {
    if (name === step) process.kill(process.pid, "SIGKILL");
  },
});
