import type { Socket } from "node:net";
import { fileOf } from "./data-folder.ts";
import { ONE_DAY, startNights } from "./own-nights.ts";
import { queryFile } from "./sqlite.ts";

const EMPTY = '{"code":0,"message":"OK","data":{"records":[],"total":0}}';

/** Nights over an upstream whose answers to some paths are empty, or a page with status 500. */
export async function startEmptiedNights(heroes: number, words: readonly string[]) {
  const nights = await startNights(heroes, words);
  let asked: { path: string; isFirstOfConnection: boolean }[] = [];
  const sockets = new WeakSet<Socket>();
  function answerWith(change: (path: string, nth: number) => "empty" | "error" | undefined) {
    asked = [];
    nights.change({
      intercept(req, res) {
        const path = req.url ?? "";
        asked.push({ path, isFirstOfConnection: !sockets.has(req.socket) });
        sockets.add(req.socket);
        const answer = change(path, asked.filter((one) => one.path === path).length);
        if (answer === "empty") res.writeHead(200, { "content-type": "application/json" }).end(EMPTY);
        if (answer === "error") res.writeHead(500).end();
        return answer !== undefined;
      },
    });
  }

  return {
    data: nights.data,
    async crawl(day: number, change: Parameters<typeof answerWith>[0], more: readonly string[] = []) {
      answerWith(change);
      return { ...(await nights.crawl(day * ONE_DAY, more)), asked };
    },
    /** Crawls in a process that is killed as it asks for what is meant for the second time. */
    async crawlKilled(day: number, isMeant: (path: string) => boolean) {
      answerWith((path, nth) => {
        if (isMeant(path) && nth === 2) child.kill("SIGKILL");
        return isMeant(path) ? "empty" : undefined;
      });
      const { child, ended } = nights.start(day * ONE_DAY);
      return await ended;
    },
    [Symbol.asyncDispose]: () => nights[Symbol.asyncDispose](),
  };
}

/** The slices of the newest file with a status. */
export const idsIn = (data: string, status: string) =>
  queryFile<{ id: string }>(
    fileOf(data),
    `SELECT dataset || '?' || slice AS id FROM coverage WHERE status = '${status}' ORDER BY id`,
  ).map(({ id }) => id);

export const honest = () => undefined;
