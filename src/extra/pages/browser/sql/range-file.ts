import { Dropped, Fault, Spent } from "./fault.ts";
import type { FileAddress } from "./messages.ts";

const CHUNK = 32 * 1024;
/** The chunks of a request that goes on from no other, of any request, and of all that is kept. */
const FIRST_CHUNKS = 2;
const MOST_CHUNKS_ASKED = 64;
const MOST_CHUNKS_KEPT = 2048;
/** The head of a file is fetched up to this size; a foreign file may have its pages anywhere. */
const MOST_HEAD_BYTES = 1_000_000;
/** Places in the file that are read onward from at the same time, as those of two tables that are joined. */
const MOST_STREAMS = 8;
/** A read that leaves out so many chunks still goes on from the one before. */
const MOST_CHUNKS_SKIPPED = 2;
const MOST_WAIT_MS = 60_000;
const UNREACHABLE = "The mirror cannot be reached.";
const DROPPED =
  "Something between this browser and the mirror, a proxy or CDN, drops Range and answers with the whole file, which is not used. Fetch the file and use sqlite3.";

/** A published file that is read by ranges of bytes (RFC 9110, 14), each chunk once as long as it is kept. */
export interface RangeFile {
  readonly size: number;
  /** Requests and bytes of the query; opening counts for the first one. */
  readonly requests: number;
  readonly bytes: number;
  /** The reason why the last read failed. */
  readonly fault: Fault | undefined;
  /** A query begins, for which nothing was read yet; it ends then. */
  begin(deadline: number): void;
  /** It may read so much. */
  allow(mostBytes: number): void;
  /** Blocks until they are there, which only a worker may. */
  read(offset: number, length: number): Uint8Array;
}

/**
 * Fetches the head, and the last chunks, where the schema has its views: SQLite reads both before any query. Asks for nothing
 * more if the first answer is not the part that was asked for.
 */
export async function openRangeFile({ path, size, head }: FileAddress): Promise<RangeFile> {
  const chunks = Math.ceil(size / CHUNK);
  const first = Math.min(chunks, Math.ceil(Math.min(head, MOST_HEAD_BYTES) / CHUNK) || 1);
  const parts = new Map([[0, await fetchPart(path, 0, first * CHUNK, size)]]);
  const last = Math.max(first, chunks - FIRST_CHUNKS);
  // Not at the same time: a browser's cache lets the second one wait for the first, and after some seconds pass it by.
  if (last < chunks) parts.set(last, await fetchPart(path, last * CHUNK, size, size));
  return createRangeFile(path, size, parts);
}

async function fetchPart(path: string, from: number, to: number, size: number): Promise<Uint8Array> {
  const control = new AbortController();
  const end = Math.min(to, size) - 1;
  const headers = { range: `bytes=${from}-${end}` };
  const answer = await fetch(path, { headers, signal: control.signal }).catch(() => {
    throw new Fault(UNREACHABLE);
  });
  try {
    check(answer.status, answer.headers.get("content-range"), from, end, size);
  } catch (error) {
    control.abort();
    throw error;
  }
  return new Uint8Array(await answer.arrayBuffer());
}

function createRangeFile(path: string, size: number, parts: ReadonlyMap<number, Uint8Array>): RangeFile {
  /** The one that was not used for longest comes first. */
  const kept = new Map<number, Uint8Array>();
  const streams: { next: number; chunks: number }[] = [];
  const last = Math.ceil(size / CHUNK);
  let [requests, bytes, mostBytes, deadline] = [0, 0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let fault: Fault | undefined;
  let isFirst = true;
  // The whole file came once: not again.
  let isBroken = false;
  for (const [index, body] of parts) {
    requests += 1;
    bytes += body.length;
    keep(index, body);
  }

  function keep(index: number, body: Uint8Array) {
    for (let from = 0; from < body.length; from += CHUNK)
      kept.set(index + from / CHUNK, body.slice(from, from + CHUNK));
  }

  /** Returns how many chunks to ask for: twice as many as the last time, if reading goes on from there. */
  function chunksFrom(index: number): number {
    const streamIndex = streams.findIndex(({ next }) => index >= next && index - next <= MOST_CHUNKS_SKIPPED);
    const [stream] = streamIndex < 0 ? [undefined] : streams.splice(streamIndex, 1);
    const wanted = stream ? Math.min(2 * stream.chunks, MOST_CHUNKS_ASKED) : FIRST_CHUNKS;
    let chunks = 1;
    while (chunks < wanted && index + chunks < last && !kept.has(index + chunks)) chunks += 1;
    streams.unshift({ next: index + chunks, chunks: wanted });
    streams.length = Math.min(streams.length, MOST_STREAMS);
    return chunks;
  }

  function ask(index: number) {
    const start = index * CHUNK;
    const end = Math.min((index + chunksFrom(index)) * CHUNK, size) - 1;
    const length = end + 1 - start;
    if (bytes + length > mostBytes) throw new Spent("The query has read as much as it may.");
    if (Date.now() > deadline) throw new Fault("The time is up.");
    if (isBroken) throw new Dropped(DROPPED);
    const request = new XMLHttpRequest();
    request.open("GET", path, false);
    request.timeout = Math.min(deadline - Date.now() + 1, MOST_WAIT_MS);
    request.responseType = "arraybuffer";
    request.setRequestHeader("range", `bytes=${start}-${end}`);
    try {
      request.send();
    } catch (error) {
      const isLate = (error as Error).name === "TimeoutError";
      throw new Fault(isLate ? "The mirror has not answered in time." : UNREACHABLE);
    }
    isBroken = request.status === 200;
    const body = new Uint8Array((request.response as ArrayBuffer | null) ?? new ArrayBuffer(0));
    requests += 1;
    bytes += body.length;
    check(request.status, request.getResponseHeader("content-range"), start, end, size);
    if (body.length !== length) throw new Fault("The answer of the mirror has broken off.");
    keep(index, body);
    for (const old of kept.keys()) {
      if (kept.size <= MOST_CHUNKS_KEPT) break;
      kept.delete(old);
    }
  }

  function chunkAt(index: number): Uint8Array {
    if (!kept.has(index)) ask(index);
    const chunk = kept.get(index);
    if (!chunk) throw new Fault("The file ends too early.");
    kept.delete(index);
    kept.set(index, chunk);
    return chunk;
  }

  return {
    size,
    get requests() {
      return requests;
    },
    get bytes() {
      return bytes;
    },
    get fault() {
      return fault;
    },
    begin(until) {
      [requests, bytes, deadline, fault] = [isFirst ? requests : 0, isFirst ? bytes : 0, until, undefined];
      isFirst = false;
    },
    allow(most) {
      mostBytes = most;
    },
    read(offset, length) {
      try {
        const read = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        for (let done = 0; done < read.length; ) {
          const position = offset + done;
          const chunk = chunkAt(Math.floor(position / CHUNK));
          const part = chunk.subarray(position % CHUNK, (position % CHUNK) + read.length - done);
          read.set(part, done);
          done += part.length;
        }
        return read;
      } catch (error) {
        fault = error as Fault;
        throw error;
      }
    },
  };
}

function check(status: number, range: string | null, start: number, end: number, size: number) {
  if (status === 200) throw new Dropped(DROPPED);
  if (status === 404) throw new Fault("The mirror no longer has this file. Load the page again.");
  if (status !== 206) throw new Fault(`The mirror answers ${status}.`);
  if (range !== `bytes ${start}-${end}/${size}`)
    throw new Fault("The mirror has sent another part of the file, or of another file.");
}
