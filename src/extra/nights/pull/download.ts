import { constants, createWriteStream, existsSync, lstatSync, readFileSync, rmSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { hashFile, writeAnew } from "../../../base/files.ts";
import { describeError, redactUrl } from "../../../network/unreachable.ts";
import { type Client, discard, isNotFound, type SourceResponse } from "./client.ts";
import { isDiskError, NotFound, SourceRefused, SourceUnreachable } from "./errors.ts";
import { type DownloadLimits, minBytesPerPeriod, monitorThroughput, type ThroughputMonitor } from "./limits.ts";

export interface FileToDownload {
  url: URL;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Called with the number of bytes that are here. */
  onBytes?: ((bytes: number) => void) | undefined;
}

/** Lies beside a partial file: which file it is a part of, and the ETag that a range request must match. */
const partTagSchema = z.object({ sha256: z.string(), etag: z.string().optional() });

/**
 * Downloads a file of known size and hash to `part`, and resumes an earlier attempt. When it resolves, `part` is the file, byte for byte.
 * Rejects with `SourceRefused` if the source sends something else, `NotFound` if it has no such file, `SourceUnreachable` if the attempts
 * or the time are used up; `part` then stays for the next pull.
 */
export async function download(
  client: Client,
  file: FileToDownload,
  part: string,
  limits: DownloadLimits,
): Promise<void> {
  const resumed = prepareResume(part, file);
  await downloadWithRetries(client, file, part, limits);
  if ((await hashFile(part)) === file.sha256) return;
  removePart(part);
  // The bytes of the earlier attempt may be the wrong ones.
  if (resumed) return download(client, file, part, limits);
  throw new SourceRefused(`${redactUrl(file.url)} is not what its manifest says: another sha256`);
}

async function downloadWithRetries(client: Client, file: FileToDownload, part: string, limits: DownloadLimits) {
  let furthest = sizeOf(part);
  for (let attempt = 1; sizeOf(part) < file.size; attempt++) {
    try {
      await downloadRest(client, file, part, limits);
    } catch (error) {
      if (!(error instanceof SourceUnreachable)) throw error;
      if (client.isOutOfTime())
        throw new SourceUnreachable(`${redactUrl(file.url)} did not arrive in the time for a pull`, error);
      // Only progress beyond every earlier attempt, and at the minimum rate, starts the count anew.
      if (sizeOf(part) - furthest >= minBytesPerPeriod(limits)) attempt = 0;
      furthest = Math.max(furthest, sizeOf(part));
      if (attempt >= limits.maxAttempts || client.signal.aborted) throw error;
      const waitMs = Math.random() * Math.min(30_000, 250 * 2 ** attempt);
      await sleep(waitMs, undefined, { signal: client.signal }).catch(() => {});
    }
  }
}

async function downloadRest(client: Client, file: FileToDownload, part: string, limits: DownloadLimits) {
  const { url, size, sha256, onBytes } = file;
  const from = sizeOf(part);
  const etag = readTag(part)?.etag;
  const headers = from > 0 ? { range: `bytes=${from}-`, ...(etag && { "if-range": etag }) } : {};
  using throughput = monitorThroughput(limits);
  try {
    const response = await client.get(url, headers, throughput.signal);
    const start = startOf(response, from, file);
    if (start === 0) writeAnew(part, "");
    writeAnew(tagOf(part), JSON.stringify({ sha256, etag: strongEtag(response) }));
    const output = createWriteStream(part, { flags: APPEND as unknown as string });
    onBytes?.(start);
    const count = (received: number) => onBytes?.(start + received);
    await pipeline(response.body, limitBytes(size - start, url, throughput, count), output);
  } catch (error) {
    if (error instanceof SourceRefused || error instanceof NotFound || error instanceof SourceUnreachable) throw error;
    if (isDiskError(error)) throw error;
    const problem = throughput.signal.aborted
      ? `sends less than ${limits.minBytesPerSecond} bytes a second`
      : `breaks off: ${describeError(error)}`;
    throw new SourceUnreachable(`${redactUrl(url)} ${problem}`, error);
  }
  if (sizeOf(part) < size) throw new SourceUnreachable(`${redactUrl(url)} ends after ${sizeOf(part)} of ${size} bytes`);
}

/** The offset in the file at which the body of a response begins; throws when the response cannot be used. */
function startOf({ status, headers, body }: SourceResponse, from: number, { url, size }: FileToDownload): number {
  const reject = (what: string) => {
    discard(body);
    return new SourceRefused(`${redactUrl(url)} ${what}`);
  };
  if ((headers["content-encoding"] ?? "identity") !== "identity") throw reject("is encoded although that was declined");
  if (status === 206) {
    const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(String(headers["content-range"]));
    const fits = range && Number(range[1]) === from && (range[3] === "*" || Number(range[3]) === size);
    if (!fits) throw reject("answers with another range than was asked for");
    return from;
  }
  if (status === 200) {
    const length = headers["content-length"];
    if (length !== undefined && Number(length) !== size) throw reject(`has ${length} bytes, its manifest says ${size}`);
    return 0;
  }
  discard(body);
  if (isNotFound(status)) throw new NotFound(`${redactUrl(url)} is not there (${status})`);
  throw new SourceUnreachable(`${redactUrl(url)} answers ${status}`);
}

/** A weak ETag does not promise the same bytes (RFC 9110, 8.8.1). */
const strongEtag = ({ headers: { etag } }: SourceResponse): string | undefined =>
  typeof etag === "string" && etag.startsWith('"') ? etag : undefined;

/** Passes on at most as many bytes as the manifest states. */
function limitBytes(maxBytes: number, url: URL, throughput: ThroughputMonitor, count: (received: number) => void) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let received = 0;
    for await (const chunk of chunks) {
      throughput.count(chunk.length);
      received += chunk.length;
      if (received > maxBytes) throw new SourceRefused(`${redactUrl(url)} does not end where its manifest says`);
      count(received);
      yield chunk;
    }
  };
}

/** Node takes a number too, which its type does not say. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0);

const tagOf = (part: string) => `${part}.tag`;
const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);

function readTag(part: string) {
  try {
    return partTagSchema.parse(JSON.parse(readFileSync(tagOf(part), "utf8")));
  } catch {
    return undefined;
  }
}

/** Keeps what an earlier attempt left of the same file, removes what is of another; whether anything was kept. */
function prepareResume(part: string, { sha256, size }: FileToDownload): boolean {
  const received = sizeOf(part);
  const isKept = received > 0 && received <= size && lstatSync(part).isFile() && readTag(part)?.sha256 === sha256;
  if (!isKept) removePart(part);
  return isKept;
}

export function removePart(part: string): void {
  rmSync(part, { force: true });
  rmSync(tagOf(part), { force: true });
}
