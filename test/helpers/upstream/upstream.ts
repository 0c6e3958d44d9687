import type { IncomingMessage, ServerResponse } from "node:http";
import { startSample } from "../../../src/extra/sample/service/server.ts";
import { askTarget, startServer } from "../server.ts";

/** May answer in place of the sample (true), or change the body it answered with (a text). */
export type Intercept = (req: IncomingMessage, res: ServerResponse) => boolean;
export type Rewrite = (path: string, body: string) => string;

/**
 * The sample of a few heroes behind a server that may answer in its place. What is not `declared` as made up counts as real.
 * The notices that a crawl reads first are no questions: they are neither intercepted nor told. `now`: what its clock says in `Date`, if
 * it has one.
 */
export async function startUpstream(
  heroes: number,
  intercept: Intercept = () => false,
  rewrite: Rewrite = (_, body) => body,
  { declared = true, now = () => Date.now() as number | undefined } = {},
) {
  const sample = await startSample({ heroes });
  const asked: string[] = [];
  const server = await startServer(async (req, res, seen) => {
    const path = seen.url;
    const isQuestion = path.startsWith("/api/") && path !== "/api/openapi.json";
    if (isQuestion) asked.push(path);
    const time = now();
    if (time === undefined) res.sendDate = false;
    else res.setHeader("date", new Date(time).toUTCString());
    if (declared) res.setHeader("x-sample-data", "made-up");
    if (isQuestion && intercept(req, res)) return;
    const { status, headers, body } = await askTarget(sample.url, seen);
    res.writeHead(status, { "content-type": String(headers["content-type"]) });
    res.end(rewrite(path, body.toString()));
  });
  return {
    url: server.url,
    asked,
    sample,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sample.close();
    },
  };
}
