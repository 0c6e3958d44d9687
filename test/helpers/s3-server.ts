import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { dirname, join, relative } from "node:path";
import { type Seen, startServer } from "./server.ts";
import { sendFile } from "./upstream/source.ts";

/**
 * What rclone and readers need of S3, over a folder: an object appears whole or not at all, whoever writes or lists needs a
 * key (its signature is not checked), anybody may read. Debian's rclone has no `serve s3` yet.
 */
export async function startS3(folder: string) {
  /** Each change, in order: `PUT name` or `DELETE name`, and the headers of the last ones. */
  const changes: string[] = [];
  const headers = new Map<string, IncomingHttpHeaders>();
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

  function put(key: string, { body, headers: sent }: Seen, res: ServerResponse) {
    if (hold.held) {
      hold.waiting += 1;
      res.once("close", () => {
        hold.waiting -= 1;
      });
      return;
    }
    const hash = createHash("md5").update(body);
    const digest = hash.copy().digest("base64");
    if ((sent["content-md5"] ?? digest) !== digest) return res.writeHead(400).end();
    const part = join(folder, randomUUID());
    writeFileSync(part, body);
    mkdirSync(dirname(join(objects, key)), { recursive: true });
    renameSync(part, join(objects, key));
    hashes.set(key, hash.digest("hex"));
    headers.set(key, sent);
    changes.push(`PUT ${key}`);
    return res.writeHead(200, { etag: `"${hashes.get(key)}"` }).end();
  }

  const server = await startServer((req, res, seen) => {
    const url = new URL(seen.url, "http://s3");
    const [, , key = ""] = /^\/([^/]+)\/?(.*)$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const isRead = key !== "" && (req.method === "GET" || req.method === "HEAD");
    if (!isRead && !req.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=KEY/")) {
      res.writeHead(403, { "content-type": "application/xml" });
      return res.end("<Error><Code>InvalidAccessKeyId</Code><Message>no such key</Message></Error>");
    }
    const file = join(objects, key);
    if (key === "") return req.method === "GET" ? list(url, res) : res.end();
    if (req.method === "PUT") return put(key, seen, res);
    if (req.method === "DELETE") {
      changes.push(`DELETE ${key}`);
      rmSync(file, { force: true });
      return res.writeHead(204).end();
    }
    if (!existsSync(file)) return res.writeHead(404).end();
    const kept = Object.entries(headers.get(key) ?? {}).filter(([name]) => name.startsWith("x-amz-meta-"));
    for (const [name, value] of kept) res.setHeader(name, String(value));
    res.setHeader("last-modified", statSync(file).mtime.toUTCString());
    if (req.method === "HEAD")
      return res.writeHead(200, { "content-length": statSync(file).size, etag: `"${hashes.get(key)}"` }).end();
    sendFile(file, hashes.get(key) ?? "", req, res);
  });
  const { url } = server;
  return {
    url,
    changes,
    headers,
    objects,
    hold,
    /** The remote of rclone, with its keys. */
    remote: `:s3,provider=Other,access_key_id=KEY,secret_access_key=a5ecret,endpoint='${url}':bucket`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
