import { createReadStream, existsSync, fstatSync, openSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { pipeline } from "node:stream";
import { startServer } from "../server.ts";

/** Answers in place of the file (true), or lets it through. */
export type Fault = (exchange: { path: string; file: string; req: IncomingMessage; res: ServerResponse }) => boolean;

/**
 * A source of snapshots on a real socket, as a mirror lays them out (`latest.json` in `/snapshots/`) or as a static host
 * with a copied data folder does, with tags and ranges, and with whatever is to go wrong.
 */
export async function startSource(data: string, layout: "mirror" | "static" = "static") {
  const asked: { path: string; range: string | undefined; readonly status: number }[] = [];
  const source = { data, url: "", asked, fault: (() => false) as Fault, etag: "" };

  function fileOf(path: string): string {
    if (layout === "mirror" && path === "/snapshots/latest.json") return join(source.data, "latest.json");
    if (layout === "static" && path === "/latest.json") return join(source.data, "latest.json");
    return path.startsWith("/snapshots/") && basename(path) !== "latest.json" ? join(source.data, path) : "";
  }

  const server = await startServer((req, res, { url: path }) => {
    const file = fileOf(path);
    asked.push({
      path,
      range: req.headers.range,
      get status() {
        return res.statusCode;
      },
    });
    res.on("error", () => {});
    if (source.fault({ path, file, req, res })) return;
    if (!existsSync(file)) return res.writeHead(404).end();
    sendFile(file, source.etag, req, res);
  });
  const { url, port } = server;
  return Object.assign(source, { url, port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() });
}

export type FileSource = Awaited<ReturnType<typeof startSource>>;

export function sendFile(file: string, tag: string, { headers }: IncomingMessage, res: ServerResponse) {
  // It may be replaced at any time: the length is that of the file that is sent.
  const fd = openSync(file, "r");
  const { size } = fstatSync(fd);
  const etag = `"${basename(file)}${tag}"`;
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
  const partial = from > 0 && (headers["if-range"] ?? etag) === etag;
  const length = { "content-length": partial ? size - from : size, etag };
  if (partial) res.writeHead(206, { ...length, "content-range": `bytes ${from}-${size - 1}/${size}` });
  else res.writeHead(200, length);
  pipeline(createReadStream(file, { fd, start: partial ? from : 0 }), res, () => {});
}
