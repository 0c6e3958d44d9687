import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { isPublishedName, POINTER, readDocuments, WITHDRAWN } from "./contents.ts";
import type { Place } from "./place.ts";
import { hideSecrets, runRclone } from "./rclone.ts";

const listing = z.array(z.object({ Path: z.string(), Size: z.int() }));

/** Filters: no other files are looked at, nor other folders. */
const BESIDE_FOLDER = [`+ /${POINTER}`, `+ /${WITHDRAWN}`];
const OURS = [...BESIDE_FOLDER, "+ /snapshots/*", "- *"];
const DOCUMENTS = ["- *.changes.json", ...BESIDE_FOLDER, "+ /snapshots/*.json", "+ /snapshots/*.json.minisig", "- *"];
const toFilters = (rules: readonly string[]) => rules.flatMap((rule) => ["--filter", rule]);

/** Returns the header for caches, which object stores keep. Documents and changes are revalidated each time, files never change. */
const headerOf = (name: string) =>
  `Cache-Control: ${/\.(?:json|minisig)$/.test(name) ? "no-cache" : "public, max-age=31536000, immutable"}`;

/** Opens the place. Words after `--` are no options of rclone, whatever they begin with. */
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
        ...toFilters(OURS),
        "--",
        remote,
      );
      const listed = listing.parse(JSON.parse(said.trim() || "[]"));
      const ours = listed.filter(({ Path }) => isPublishedName(Path));
      return new Map(ours.map(({ Path, Size }) => [Path, Size]));
    },
    async readDocuments(names) {
      const folder = mkdtempSync(join(tmpdir(), "metasnap-"));
      try {
        await run("copy", "--max-size", "4Mi", ...toFilters(DOCUMENTS), "--", remote, folder);
        return readDocuments(folder, names);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    // rclone compares sizes, and hashes if the remote has them, when it has put a file.
    put: async (file, name) =>
      void (await run("copyto", "--ignore-times", "--header-upload", headerOf(name), "--", file, pathOf(name))),
    remove: async (name) => void (await run("deletefile", "--", pathOf(name))),
  };
}
