import type { FileHandle } from "node:fs/promises";
import { ApiError } from "../../api/errors.ts";
import type { RequestHead } from "../http/exchange.ts";
import { LIMITS } from "../http/limits.ts";
import type { Headers, MirrorResponse, ResponseMeta } from "./http-response.ts";
import { matchedEtag, matchesIfRange } from "./representation.ts";

export interface ServedFile extends ResponseMeta {
  /** May reject with an ApiError. */
  open: () => Promise<FileHandle>;
  /** Names the bytes; without quotes. */
  tag: string;
}

interface Range {
  start: number;
  /** The last byte, inclusive. */
  end: number;
}

/**
 * The response with a file or one range of it; the bytes are read while they are sent.
 * Rejects with an ApiError PRECONDITION_FAILED or RANGE_NOT_SATISFIABLE.
 */
export async function fileResponse(file: ServedFile, mediaType: string, request: RequestHead): Promise<MirrorResponse> {
  const { tag, lastModified } = file;
  const etag = `"${tag}"`;
  const headers: Headers = {
    ...file.headers,
    "content-type": mediaType,
    etag,
    "last-modified": lastModified,
    "accept-ranges": "bytes",
  };
  if (matchedEtag(request, tag, lastModified, "identity") !== undefined)
    return { status: 304, headers, body: undefined };
  const handle = await file.open();
  const { size } = await handle.stat();
  const wanted =
    request.method === "GET" && matchesIfRange(request, etag, lastModified) ? request.headers.range : undefined;
  const range = parseRange(wanted, size);
  if (range === "unsatisfiable") {
    await handle.close();
    throw rangeNotSatisfiable(wanted, size);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers["content-length"] = String(end - start + 1);
  if (range) headers["content-range"] = `bytes ${start}-${end}/${size}`;
  if (request.method !== "HEAD")
    return {
      status: range ? 206 : 200,
      headers,
      body: handle.createReadStream({ start, end, highWaterMark: LIMITS.fileChunkBytes }),
    };
  await handle.close();
  return { status: 200, headers, body: undefined };
}

/** Parses `Range` (RFC 9110, 14.2); undefined if it is malformed, in another unit or in several parts: then the whole file is sent. */
export function parseRange(header: string | undefined, size: number): Range | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header?.replaceAll(/\s/g, "") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const [start, end] =
    first === ""
      ? [Math.max(0, size - Number(last)), size - 1]
      : [Number(first), last === "" ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== "" && first !== "" && Number(last) < Number(first)) return undefined;
  return start <= end ? { start, end } : "unsatisfiable";
}

const rangeNotSatisfiable = (range: string | undefined, size: number) =>
  new ApiError(
    "RANGE_NOT_SATISFIABLE",
    {
      message: "The file ends before this range.",
      hint: `It has ${size} bytes.`,
      detail: range ?? "no range",
    },
    { "content-range": `bytes */${size}` },
  );
