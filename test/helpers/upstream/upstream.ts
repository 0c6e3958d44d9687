import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { request } from "undici";
import { startSample } from "../../../src/sample/service/server.ts";

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
  const server = createServer(async (req, res) => {
    const path = req.url ?? "";
    const isQuestion = path.startsWith("/api/") && path !== "/api/openapi.json";
    if (isQuestion) asked.push(path);
    const time = now();
    if (time === undefined) res.sendDate = false;
    else res.setHeader("date", new Date(time).toUTCString());
    if (declared) res.setHeader("x-sample-data", "made-up");
    if (isQuestion && intercept(req, res)) return;
    const { statusCode, headers, body } = await request(sample.url + path);
    res.writeHead(statusCode, { "content-type": String(headers["content-type"]) });
    res.end(rewrite(path, await body.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    sample,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await sample.close();
    },
  };
}
