import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { isDocument, POINTER, readDocuments, versionOfName } from "./contents.ts";
import type { Place } from "./place.ts";
import { runRclone } from "./rclone.ts";
import { hideSecrets } from "./secrets.ts";

const listing = z.array(z.object({ Path: z.string(), Size: z.int() }));

/** No other files are looked at, nor other folders. */
const OURS = ["--filter", `+ /${POINTER}`, "--filter", "+ /snapshots/*", "--filter", "- *"];
const DOCUMENTS = ["- *.changes.json", `+ /${POINTER}`, "+ /snapshots/*.json", "+ /snapshots/*.json.minisig", "- *"];

/** A document is asked for each time, the others never change: object stores keep what they are to say of that. */
const headerOf = (name: string) =>
  `Cache-Control: ${isDocument(name) ? "no-cache" : "public, max-age=31536000, immutable"}`;

/** What follows `--` is no option of rclone, whatever it begins with. */
export function openRclonePlace(remote: string, signal?: AbortSignal): Place {
  const pathOf = (name: string) => `${remote}${/[:/]$/.test(remote) ? "" : "/"}${name}`;
  const run = (...words: string[]) => runRclone(words, remote, signal);
  return {
    name: hideSecrets(remote),
    async list() {
      const said = await run(
        "lsjson",
        "--recursive",
        "--files-only",
        "--no-modtime",
        "--no-mimetype",
        ...OURS,
        "--",
        remote,
      );
      const found = listing.parse(JSON.parse(said.trim() || "[]"));
      const ours = found.filter(({ Path }) => Path === POINTER || versionOfName(Path) !== undefined);
      return new Map(ours.map(({ Path, Size }) => [Path, Size]));
    },
    async readDocuments(names) {
      const folder = mkdtempSync(join(tmpdir(), "metasnap-"));
      try {
        const filters = DOCUMENTS.flatMap((rule) => ["--filter", rule]);
        await run("copy", "--max-size", "4Mi", ...filters, "--", remote, folder);
        return readDocuments(folder, names);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    // It compares sizes, and hashes where the remote has them, when it has put a file.
    put: async (file, name) =>
      void (await run("copyto", "--ignore-times", "--header-upload", headerOf(name), "--", file, pathOf(name))),
    remove: async (name) => void (await run("deletefile", "--", pathOf(name))),
  };
}
