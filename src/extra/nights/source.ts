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
