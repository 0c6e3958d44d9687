import { open } from "node:fs/promises";
import { ApiError } from "../../api/errors.ts";
import { LIMITS } from "../http/limits.ts";
import { heldTag, isSameFile } from "./conditional.ts";
import { type Asked, type Headers, headersOf, type Origin, type Reply } from "./reply.ts";

export interface ServedFile extends Origin {
  path: string;
  /** Names the bytes. */
  tag: string;
  type: string;
}

interface Range {
  start: number;
  /** The last byte, itself included. */
  end: number;
}

/** The response with a file, or with a part of it; its bytes are read as they are sent. */
export async function replyFile(file: ServedFile, asked: Asked): Promise<Reply> {
  const { path, tag, type, lastModified, cacheControl } = file;
  const etag = `"${tag}"`;
  const headers: Headers = {
    ...headersOf(file, cacheControl),
    etag,
    "last-modified": lastModified,
    "accept-ranges": "bytes",
  };
  if (heldTag(asked, tag, lastModified, "identity") !== undefined) return { status: 304, headers, body: undefined };
  const handle = await open(path);
  const { size } = await handle.stat();
  const wanted = asked.method === "GET" && isSameFile(asked, etag, lastModified) ? asked.headers.range : undefined;
  const range = parseRange(wanted, size);
  if (range === "unsatisfiable") {
    await handle.close();
    throw pastEnd(wanted, size);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers["content-type"] = type;
  headers["content-length"] = String(end - start + 1);
  if (range) headers["content-range"] = `bytes ${start}-${end}/${size}`;
  if (asked.method !== "HEAD")
    return {
      status: range ? 206 : 200,
      headers,
      body: handle.createReadStream({ start, end, highWaterMark: LIMITS.fileChunkBytes }),
    };
  await handle.close();
  return { status: 200, headers, body: undefined };
}

/** One range of bytes. What is malformed, in another unit or in several parts is answered with the whole file. */
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

const pastEnd = (range: string | undefined, size: number) =>
  new ApiError(
    "RANGE_NOT_SATISFIABLE",
    {
      message: "The file ends before this range.",
      hint: `It has ${size} bytes.`,
      detail: range?.slice(0, 200) || "no range",
    },
    { "content-range": `bytes */${size}` },
  );
