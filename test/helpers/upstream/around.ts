import type { RequestListener } from "node:http";
import { request } from "undici";
import { startServer } from "./local-server.ts";

export const send =
  (body: string | object, status = 200): RequestListener =>
  (_, res) =>
    void res.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));

/** A server that answers some paths in the place of the one at `url`; below `/base` it is there once more. */
export const startAround = (url: string, answers: Readonly<Record<string, RequestListener>>) =>
  startServer(async (req, res) => {
    const path = (req.url ?? "").replace(/^\/base/, "");
    const own = answers[path];
    if (own) return own(req, res);
    const { statusCode, headers, body } = await request(url + path);
    res.writeHead(statusCode, { "content-type": String(headers["content-type"]) });
    res.end(await body.text());
  });
