import { createWriteStream, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { hashFile } from "../../snapshot/published/fsync.ts";
import { type Answer, type Client, describe, nameOf } from "./client.ts";
import { discard } from "./remote.ts";
import type { Times } from "./times.ts";
import { Absent, Refused, Unreachable } from "./trouble.ts";

export interface Wanted {
  url: URL;
  size: number;
  sha256: string;
}

export interface Patience extends Times {
  /** Bytes a second; in each stretch of a body that is as long as the time-out so many must come. */
  slowest: number;
  attempts: number;
}

/** The part that is there, and the tag of the body that it is of. */
const tagSchema = z.object({ sha256: z.string(), etag: z.string().optional() });

/**
 * Fetches a file of known size and hash into `part`, from where an earlier try broke off. Throws `Refused` when the source
 * sends something else. What is in `part` afterwards is what was wanted, to the byte.
 */
export async function download(client: Client, wanted: Wanted, part: string, patience: Patience): Promise<void> {
  const resumed = keepPart(part, wanted);
  await fill(client, wanted, part, patience);
  if ((await hashFile(part)) === wanted.sha256) return;
  removePart(part);
  // A part of long ago may be what is wrong.
  if (resumed) return download(client, wanted, part, patience);
  throw new Refused(`${nameOf(wanted.url)} is not what its manifest says: another sha256`);
}

/** Tries until the part is whole; each try goes on where the last one broke off. */
async function fill(client: Client, wanted: Wanted, part: string, patience: Patience): Promise<void> {
  let most = sizeOf(part);
  for (let attempt = 1; sizeOf(part) < wanted.size; attempt++) {
    try {
      await fetchRest(client, wanted, part, patience);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (client.late()) throw new Unreachable(`${nameOf(wanted.url)} is not here in the time for a pull`, error);
      // A source that breaks off again and again is borne as long as it gets further than ever, as fast as any must.
      if (sizeOf(part) - most >= (patience.slowest * patience.timeout) / 1000) attempt = 0;
      most = Math.max(most, sizeOf(part));
      if (attempt >= patience.attempts || client.ended.aborted) throw error;
      const wait = Math.random() * Math.min(30_000, 250 * 2 ** attempt);
      await sleep(wait, undefined, { signal: client.ended }).catch(() => {});
    }
  }
}

async function fetchRest(
  client: Client,
  { url, size, sha256 }: Wanted,
  part: string,
  patience: Patience,
): Promise<void> {
  const from = sizeOf(part);
  const etag = readTag(part)?.etag;
  const headers = from > 0 ? { range: `bytes=${from}-`, ...(etag && { "if-range": etag }) } : {};
  const gate = createGate(patience);
  try {
    const { status, headers: received, body } = await client.get(url, headers, gate.signal);
    const start = startOf(url, status, received, from, size, body);
    if (start === 0) writeFileSync(part, "");
    // A weak tag does not promise the same bytes.
    const tag = typeof received.etag === "string" && received.etag.startsWith('"') ? received.etag : undefined;
    writeFileSync(tagOf(part), JSON.stringify({ sha256, etag: tag }));
    await pipeline(body, limitTo(size - start, url, gate), createWriteStream(part, { flags: start > 0 ? "a" : "w" }));
  } catch (error) {
    if (error instanceof Refused || error instanceof Absent || error instanceof Unreachable) throw error;
    if (isDisk(error)) throw error;
    const slow = `sends less than ${patience.slowest} bytes a second`;
    throw new Unreachable(`${nameOf(url)} ${gate.signal.aborted ? slow : `breaks off: ${describe(error)}`}`, error);
  } finally {
    gate.close();
  }
  if (sizeOf(part) < size) throw new Unreachable(`${nameOf(url)} ends after ${sizeOf(part)} of ${size} bytes`);
}

/** Where in the file the body begins, when the answer is one that can be taken. */
function startOf(
  url: URL,
  status: number,
  headers: Answer["headers"],
  from: number,
  size: number,
  body: Answer["body"],
) {
  const refuse = (what: string) => {
    discard(body);
    return new Refused(`${nameOf(url)} ${what}`);
  };
  if ((headers["content-encoding"] ?? "identity") !== "identity") throw refuse("is encoded although that was declined");
  if (status === 206) {
    const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(String(headers["content-range"]));
    const fits = range && Number(range[1]) === from && (range[3] === "*" || Number(range[3]) === size);
    if (!fits) throw refuse("answers with another range than was asked for");
    return from;
  }
  if (status === 200) {
    const length = headers["content-length"];
    if (length !== undefined && Number(length) !== size) throw refuse(`has ${length} bytes, its manifest says ${size}`);
    return 0;
  }
  discard(body);
  if (status === 403 || status === 404 || status === 410) throw new Absent(`${nameOf(url)} is not there (${status})`);
  throw new Unreachable(`${nameOf(url)} answers ${status}`);
}

/** Lets through no more than the manifest promises, and tells the gate of every byte. */
function limitTo(limit: number, url: URL, gate: Gate) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const chunk of chunks) {
      gate.count(chunk.length);
      size += chunk.length;
      if (size > limit) throw new Refused(`${nameOf(url)} does not end where its manifest says`);
      yield chunk;
    }
  };
}

type Gate = ReturnType<typeof createGate>;

/** A drip never lets a time-out between chunks run out: this one asks for a number of bytes in every stretch. */
function createGate({ timeout, slowest }: Patience) {
  const controller = new AbortController();
  let bytes = 0;
  const timer = setInterval(() => {
    if (bytes < (slowest * timeout) / 1000) controller.abort();
    bytes = 0;
  }, timeout);
  return {
    signal: controller.signal,
    count(more: number) {
      bytes += more;
    },
    close: () => clearInterval(timer),
  };
}

const tagOf = (part: string) => `${part}.tag`;
const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);
const isDisk = (error: unknown) =>
  /^(ENOSPC|EDQUOT|EFBIG|EIO|EACCES|EROFS)$/.test(String((error as NodeJS.ErrnoException).code));

function readTag(part: string) {
  try {
    return tagSchema.parse(JSON.parse(readFileSync(tagOf(part), "utf8")));
  } catch {
    return undefined;
  }
}

/** Whether an earlier try left a part of the same file. */
function keepPart(part: string, { sha256, size }: Wanted): boolean {
  const found = sizeOf(part);
  if (found > 0 && readTag(part)?.sha256 === sha256) {
    if (found > size) truncateSync(part, 0);
    return true;
  }
  removePart(part);
  return false;
}

export function removePart(part: string): void {
  rmSync(part, { force: true });
  rmSync(tagOf(part), { force: true });
}
