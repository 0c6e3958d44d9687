import { setTimeout as pause } from "node:timers/promises";
import SQLite from "better-sqlite3";
import { request } from "undici";

/** What a mirror answers about itself. */
export interface Health {
  status: string;
  problem: string | null;
  snapshot: { version: string };
  source?: { version: string; older_than: string | null; error: { message: string } | null };
}

const ASKED = "/api/heroes/1";
/** Milliseconds between two questions: all the while, and leaving the machine to those who work. */
const REST = 40;

/** Asks a mirror for its health and for an answer as long as it lives, and keeps what was not right: problems but for some. */
export function watchMirror(url: string, mayTell: (problem: string) => boolean = () => false) {
  const faults: string[] = [];
  const answers = new Map<string, string>();
  const stop = new AbortController();
  let asked = 0;
  let health: Health | undefined;

  async function ask() {
    const told = await get(`${url}/health`);
    const { data } = JSON.parse(told.body) as { data: Health };
    health = data;
    const isWell = data.problem === null || mayTell(data.problem);
    if (told.status !== 200 || data.status !== "serving" || !isWell)
      faults.push(`/health: ${told.status} ${JSON.stringify(data)}`);
    const answer = await get(url + ASKED);
    const { body, version } = answer;
    if (answer.status !== 200) faults.push(`${ASKED}: ${answer.status} ${body}`);
    else if ((answers.get(version) ?? body) !== body) faults.push(`${ASKED} of ${version}: is not always the same`);
    answers.set(version, body);
    asked += 1;
  }

  const watching = (async () => {
    while (!stop.signal.aborted) {
      await ask().catch((error: Error) => faults.push(String(error)));
      await pause(REST, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();

  return {
    health: () => health,
    /** Ends it, and tells what was wrong: with the answers, where the files hold something else. */
    async end(files: ReadonlyMap<string, string>): Promise<{ asked: number; versions: number; faults: string[] }> {
      stop.abort();
      await watching;
      for (const [version, body] of answers) {
        const file = files.get(version);
        if (file === undefined) faults.push(`${version}: was served, and never published`);
        else if (!isRecord(file, body)) faults.push(`${ASKED} of ${version}: ${body}`);
      }
      return { asked, versions: answers.size, faults };
    },
  };
}

/** By a connection of its own: one that has been idle may be closed by the mirror in the moment when it is used again. */
async function get(url: string) {
  const { statusCode, headers, body } = await request(url, { reset: true });
  return { status: statusCode, version: String(headers["x-snapshot-version"] ?? ""), body: await body.text() };
}

export type Watched = ReturnType<typeof watchMirror>;

function isRecord(file: string, body: string): boolean {
  const db = new SQLite(file, { readonly: true, fileMustExist: true });
  const json = db
    .prepare<[], string>("SELECT json FROM record WHERE dataset = 'hero' AND slice = 'hero=1&lang=en'")
    .pluck()
    .get();
  db.close();
  const { data } = JSON.parse(body) as { data: { records: unknown[] } };
  return JSON.stringify(data.records) === JSON.stringify([JSON.parse(json ?? "null")]);
}
