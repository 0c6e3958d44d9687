import { request } from "undici";
import { startSample } from "../../../src/extra/sample/service/server.ts";
import { type Intercept, startUpstream } from "./upstream.ts";

/** The sample of the next day, but for some paths, which stay at the day before; `rollsAt` is the request that turns the day. */
export async function startOld(heroes: number, stuck: RegExp, day = 1, rollsAt = 0) {
  const old = await startSample({ heroes });
  let count = 0;
  const intercept: Intercept = (req, res) => {
    const path = req.url ?? "";
    count += 1;
    if (count === rollsAt) upstream.sample.set({ day });
    if (!stuck.test(path)) return false;
    void request(old.url + path).then(async ({ body }) => {
      res.writeHead(200, { "content-type": "application/json" }).end(await body.text());
    });
    return true;
  };
  const upstream = await startUpstream(heroes, intercept);
  if (rollsAt === 0) upstream.sample.set({ day });
  return {
    ...upstream,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      await old.close();
    },
  };
}
