import { Dropped, Fault, Spent } from "./fault.ts";

const CHUNK = 64 * 1024;
/** Of one request, and of all that is kept. */
const MOST_CHUNKS_ASKED = 32;
const MOST_CHUNKS_KEPT = 512;
/** Places in the file that are read onward from at the same time, as those of two tables that are joined. */
const MOST_STREAMS = 8;
/** What may be left out between two reads that go on from each other. */
const MOST_CHUNKS_SKIPPED = 4;
const MOST_WAIT_MS = 60_000;
const UNREACHABLE = "The mirror cannot be reached.";
const DROPPED =
  "Something between this browser and the mirror, a proxy or CDN, drops Range and answers with the whole file, which is not used. Fetch the file and use sqlite3.";

/** A published file that is read by ranges of bytes (RFC 9110, 14), each chunk once as long as it is kept. */
export interface RangeFile {
  readonly size: number;
  /** Of the query, and of opening before the first one. */
  readonly requests: number;
  readonly bytes: number;
  /** Why the last read failed. */
  readonly fault: Fault | undefined;
  /** A query begins, for which nothing was read yet; it ends then. */
  begin(deadline: number): void;
  /** It may read so much. */
  allow(mostBytes: number): void;
  /** Blocks until they are there, which only a worker may. */
  read(offset: number, length: number): Uint8Array;
}

/** Asks for the first chunk, and for nothing more if the answer is not that chunk. */
export async function openRangeFile(path: string, size: number): Promise<RangeFile> {
  const control = new AbortController();
  const end = Math.min(CHUNK, size) - 1;
  const answer = await fetch(path, { headers: { range: `bytes=0-${end}` }, signal: control.signal }).catch(() => {
    throw new Fault(UNREACHABLE);
  });
  try {
    check(answer.status, answer.headers.get("content-range"), 0, end, size);
  } catch (error) {
    control.abort();
    throw error;
  }
  return createRangeFile(path, size, new Uint8Array(await answer.arrayBuffer()));
}

function createRangeFile(path: string, size: number, first: Uint8Array): RangeFile {
  /** The one that was not used for longest comes first. */
  const kept = new Map([[0, first]]);
  const streams = [{ next: 1, chunks: 1 }];
  const last = Math.ceil(size / CHUNK);
  let [requests, bytes, mostBytes, deadline] = [1, first.length, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let fault: Fault | undefined;
  let isFirst = true;
  // The whole file came once: not again.
  let isBroken = false;

  /** Twice as many as the last time, if reading goes on from there. */
  function chunksFrom(index: number): number {
    const streamIndex = streams.findIndex(({ next }) => index >= next && index - next <= MOST_CHUNKS_SKIPPED);
    const [stream] = streamIndex < 0 ? [undefined] : streams.splice(streamIndex, 1);
    const wanted = stream ? Math.min(2 * stream.chunks, MOST_CHUNKS_ASKED) : 1;
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
    if (bytes + length > mostBytes)
      throw new Spent("The query has read as much as it may. Allow more, or ask for less.");
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
    for (let from = 0; from < length; from += CHUNK)
      kept.set(index + from / CHUNK, body.slice(from, Math.min(from + CHUNK, length)));
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
