import { cpSync } from "node:fs";
import { join } from "node:path";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { publishDays } from "./mirror.ts";
import { RATES, temporaryFolder } from "./run.ts";

/** Three small nights, and folders that have only the first of them. */
export async function publishThree() {
  const folder = temporaryFolder();
  const versions = await publishDays(folder.path, [0, 1, 2], ...RATES);
  return {
    data: folder.path,
    versions,
    /** A data folder that has the nights until this one, which is the latest. */
    until(night: number) {
      const part = temporaryFolder();
      for (const name of versions.slice(0, night + 1).flatMap((version) => [`${version}.json`, `${version}.sqlite`]))
        cpSync(join(folder.path, "snapshots", name), join(part.path, "snapshots", name));
      cpSync(join(folder.path, "latest.json"), join(part.path, "latest.json"));
      rollback(part.path, versions[night]);
      return part;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
