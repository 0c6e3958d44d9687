import type { Socket } from "node:net";
import { beginDay, fileOf } from "./data-folder.ts";
import { crawlOptions, runCommand, startCommand, temporaryFolder } from "./run.ts";
import { queryFile } from "./sqlite.ts";
import { startUpstream } from "./upstream/upstream.ts";

const EMPTY = '{"code":0,"message":"OK","data":{"records":[],"total":0}}';

const DAY = 86_400;
const FIRST = Date.parse("2026-10-01T03:00:00Z") / 1000;

/** Nights over an upstream whose answers to some paths are empty, or a page with status 500. */
export async function startEmptiedNights(heroes: number, words: readonly string[]) {
  const folder = temporaryFolder();
  let change: (path: string, nth: number) => "empty" | "error" | undefined = () => undefined;
  let asked: { path: string; isFirstOfConnection: boolean }[] = [];
  const sockets = new WeakSet<Socket>();
  const upstream = await startUpstream(heroes, (req, res) => {
    const path = req.url ?? "";
    asked.push({ path, isFirstOfConnection: !sockets.has(req.socket) });
    sockets.add(req.socket);
    const answer = change(path, asked.filter((one) => one.path === path).length);
    if (answer === "empty") res.writeHead(200, { "content-type": "application/json" }).end(EMPTY);
    if (answer === "error") res.writeHead(500).end();
    return answer !== undefined;
  });
  function begin(day: number, answer: typeof change, more: readonly string[]) {
    [change, asked] = [answer, []];
    const clock = { SOURCE_DATE_EPOCH: String(FIRST + day * DAY) };
    beginDay(folder.path, clock.SOURCE_DATE_EPOCH);
    const options = [...crawlOptions(upstream.url, folder.path), ...words, ...more, "--allow-partial", "--json"];
    return [options, clock] as const;
  }

  return {
    data: folder.path,
    async crawl(day: number, answer: typeof change, more: readonly string[] = []) {
      const [options, clock] = begin(day, answer, more);
      return { ...(await runCommand("crawl", options, clock)), asked };
    },
    /** Crawls in a process that is killed as it asks for what is meant for the second time. */
    async crawlKilled(day: number, isMeant: (path: string) => boolean) {
      const [options, clock] = begin(
        day,
        (path, nth) => {
          if (isMeant(path) && nth === 2) child.kill("SIGKILL");
          return isMeant(path) ? "empty" : undefined;
        },
        [],
      );
      const { child, ended } = startCommand("crawl", options, clock);
      return await ended;
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The slices of the newest file with a status. */
export const idsIn = (data: string, status: string) =>
  queryFile<{ id: string }>(
    fileOf(data),
    `SELECT dataset || '?' || slice AS id FROM coverage WHERE status = '${status}' ORDER BY id`,
  ).map(({ id }) => id);

export const honest = () => undefined;
