/**
 * Many nights: `diff/` compares two, `history/` folds all into one file, `export/` and `api-files/` write them for others, `pull/` fetches
 * them, `publish-to/` puts them on a static host, and `changes/` compares a night with the one before while it is published.
 *
 * `snapshot` and `server` import none of it: commands hand them what they need.
 *
 * The traps: nights are in the order of their publication numbers, never of their names or clocks. A `slice_id` is of one file: slices of
 * two nights are the same if dataset and parameters are. An answer that both have from the same crawl says nothing about a change.
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireVersion, snapshotFile, snapshotFolder } from "../../snapshot/published/folder.ts";
import { fetchVerified } from "./pull/pull.ts";

export interface Source extends Disposable {
  file: string;
}

/** The file of a snapshot that is named by its version, by its path or by a URL (of a file, or of a mirror: its latest). */
export async function openSource(data: string, name: string): Promise<Source> {
  if (/^https?:\/\//.test(name)) return fetchSource(new URL(name));
  const isFile = existsSync(name) || /[/\\]|\.sqlite$/.test(name);
  if (!isFile) requireVersion(data, name, snapshotFolder(data), "crawl");
  return { file: isFile ? name : snapshotFile(data, name), [Symbol.dispose]() {} };
}

async function fetchSource(url: URL): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { file: await fetchVerified(url, folder), [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
