import { compareInProcess } from "../../../src/nights/changes/compare.ts";
import { buildAndPublish } from "../../../src/snapshot/pipeline.ts";
import { loadSigningKey } from "../../../src/snapshot/signature/key-files.ts";

/** Builds and publishes, and is killed right after the named step: `journal data step`, and a secret key to sign with. */
const [journal = "", data = "", step, keyFile] = process.argv.slice(2);

await buildAndPublish(journal, data, {
  latest: true,
  compare: compareInProcess(),
  signer: keyFile === undefined ? undefined : { key: loadSigningKey(keyFile), validForMs: 3_600_000 },
  onStep: (name) => {
    if (name === step) process.kill(process.pid, "SIGKILL");
  },
});
