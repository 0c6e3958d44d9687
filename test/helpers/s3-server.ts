import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { sendFile } from "./upstream/source.ts";

/**
 * What rclone and readers need of S3, over a folder: an object appears whole or not at all, whoever writes or lists needs a
 * key (its signature is not checked), anybody may read. Debian's rclone has no `serve s3` yet.
 */
export async function startS3(folder: string) {
  /** Each change, in order: `PUT name` or `DELETE name`, and the headers of the last ones. */
  const changes: string[] = [];
  const headers = new Map<string, IncomingMessage["headers"]>();
  const objects = join(folder, "objects");
  const hashes = new Map<string, string>();
  /** Objects that are sent and never taken, while they are held, as by a network that stalls. */
  const hold = { held: false, waiting: 0 };
  mkdirSync(objects);

  function list(url: URL, res: ServerResponse) {
    const prefix = url.searchParams.get("prefix") ?? "";
    const isFlat = url.searchParams.get("delimiter") === "/";
    const keys = readdirSync(objects, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(objects, join(parentPath, name)))
      .filter((key) => key.startsWith(prefix));
    const below = (key: string) => /^[^/]*\//.exec(key.slice(prefix.length))?.[0];
    const folders = isFlat ? new Set(keys.flatMap((key) => below(key) ?? [])) : [];
    const files = isFlat ? keys.filter((key) => below(key) === undefined) : keys;
    const contents = files.map((key) => {
      const { size, mtime } = statSync(join(objects, key));
      return `<Contents><Key>${key}</Key><Size>${size}</Size><ETag>"${hashes.get(key)}"</ETag><LastModified>${mtime.toISOString()}</LastModified></Contents>`;
    });
    const prefixes = [...folders].map((name) => `<CommonPrefixes><Prefix>${prefix}${name}</Prefix></CommonPrefixes>`);
    res.setHeader("content-type", "application/xml");
    res.end(
      `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}${prefixes.join("")}</ListBucketResult>`,
    );
  }

  async function put(key: string, req: IncomingMessage, res: ServerResponse) {
    if (hold.held) {
      hold.waiting += 1;
      req.resume();
      return void res.once("close", () => {
        hold.waiting -= 1;
      });
    }
    const part = join(folder, randomUUID());
    await pipeline(req, createWriteStream(part));
    const hash = createHash("md5").update(readFileSync(part));
    const said = req.headers["content-md5"];
    const digest = hash.copy().digest("base64");
    if (said !== undefined && said !== digest) return void res.writeHead(400).end();
    mkdirSync(dirname(join(objects, key)), { recursive: true });
    renameSync(part, join(objects, key));
    hashes.set(key, hash.digest("hex"));
    headers.set(key, req.headers);
    changes.push(`PUT ${key}`);
    res.writeHead(200, { etag: `"${hashes.get(key)}"` }).end();
  }

  const server = createServer({ keepAliveTimeout: 0 }, async (req, res) => {
    const url = new URL(req.url ?? "/", "http://s3");
    const [, , key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const isRead = key !== "" && (req.method === "GET" || req.method === "HEAD");
    if (!isRead && !req.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=KEY/")) {
      req.resume();
      res.writeHead(403, { "content-type": "application/xml" });
      return void res.end("<Error><Code>InvalidAccessKeyId</Code><Message>no such key</Message></Error>");
    }
    const file = join(objects, key);
    if (key === "") return req.method === "GET" ? list(url, res) : void res.end();
    if (req.method === "PUT") return put(key, req, res);
    if (req.method === "DELETE") {
      changes.push(`DELETE ${key}`);
      rmSync(file, { force: true });
      return void res.writeHead(204).end();
    }
    if (!existsSync(file)) return void res.writeHead(404).end();
    const seen = headers.get(key) ?? {};
    for (const name of Object.keys(seen)) if (name.startsWith("x-amz-meta-")) res.setHeader(name, String(seen[name]));
    res.setHeader("last-modified", statSync(file).mtime.toUTCString());
    if (req.method === "HEAD")
      return void res.writeHead(200, { "content-length": statSync(file).size, etag: `"${hashes.get(key)}"` }).end();
    sendFile(file, hashes.get(key) ?? "", req, res);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    changes,
    headers,
    objects,
    hold,
    /** The remote of rclone, with its keys. */
    remote: `:s3,provider=Other,access_key_id=KEY,secret_access_key=a5ecret,endpoint='${url}':bucket`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
