import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import { Agent, request } from "undici";

/** Asks a mirror for all of the paths, and returns what `take` makes of the answers. Throws if an answer is no success. */
export async function askAll<T>(
  url: string,
  paths: readonly string[],
  take: (path: string, headers: Record<string, unknown>, body: Buffer) => T,
): Promise<T[]> {
  const dispatcher = new Agent({ connections: 8 });
  try {
    return await pLimit(8).map(paths, async (path) => {
      const { statusCode, headers, body } = await request(url + path, { dispatcher });
      const bytes = Buffer.from(await body.arrayBuffer());
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      return take(path, headers, bytes);
    });
  } finally {
    await dispatcher.close();
  }
}

/** Headers that a server sends about the connection. */
const OF_CONNECTION = ["date", "connection", "keep-alive"];

export const pathsFile = (folder: string) => join(folder, "paths");
export const filesFolder = (folder: string) => join(folder, "files");
const headersFile = (folder: string) => join(folder, "headers");

/**
 * Puts the mirror's answers into a folder: the bodies as files named by the paths, for any server of files; the headers beside them.
 * Returns the bytes of the bodies.
 */
export async function layOut(folder: string, url: string, paths: readonly string[]): Promise<number> {
  const laid = await askAll(url, paths, (path, headers, body) => {
    const file = join(filesFolder(folder), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
    const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name));
    return { path, headers: Object.fromEntries(kept), bytes: body.length };
  });
  writeFileSync(headersFile(folder), JSON.stringify(laid));
  writeFileSync(pathsFile(folder), `${paths.join("\n")}\n`);
  return laid.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads the same answers back. */
export function readAnswers(folder: string) {
  const laid = JSON.parse(readFileSync(headersFile(folder), "utf8")) as { path: string; headers: object }[];
  return laid.map(({ path, headers }) => ({
    path,
    headers: headers as Record<string, string>,
    body: readFileSync(join(filesFolder(folder), path)),
  }));
}
