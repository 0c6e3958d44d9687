import type { RequestListener } from "node:http";
import { passOn, startServer } from "../server.ts";

export const send =
  (body: string | object, status = 200): RequestListener =>
  (_, res) =>
    void res.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));

/** A server that answers some paths in the place of the one at `url`; below `/base` it is there once more. */
export const startAround = (url: string, answers: Readonly<Record<string, RequestListener>>) =>
  startServer((req, res, seen) => {
    const path = seen.url.replace(/^\/base/, "");
    return (answers[path] ?? passOn(url))(req, res, { ...seen, url: path });
  });
