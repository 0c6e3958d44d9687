import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import SQLite from "better-sqlite3";
import type { Asked } from "./ask-mirror.ts";

/** What a mirror answers about itself. */
export interface Health {
  status: string;
  problem: string | null;
  snapshot: { version: string };
  source?: { version: string; older_than: string | null; error: { message: string } | null };
}

const ASKED = "/api/heroes/1";

/** Asks a mirror for its health and for an answer as long as it lives, and keeps what was not right: problems but for some. */
export function watchMirror(url: string, mayTell: (problem: string) => boolean = () => false) {
  const faults: string[] = [];
  const answers = new Map<string, string>();
  let asked = 0;
  let health: Health | undefined;

  const worker = new Worker(join(import.meta.dirname, "ask-mirror.ts"), { workerData: { url, path: ASKED } });
  const ended = once(worker, "exit");
  worker.on("error", (error) => faults.push(String(error)));
  worker.on("message", (found: Asked) => {
    asked += 1;
    if ("error" in found) faults.push(found.error);
    else judge(found);
  });

  function judge({ health: told, answer }: Exclude<Asked, { error: string }>) {
    const { data } = JSON.parse(told.body) as { data: Health };
    health = data;
    const isWell = data.problem === null || mayTell(data.problem);
    if (told.status !== 200 || data.status !== "serving" || !isWell)
      faults.push(`/health: ${told.status} ${JSON.stringify(data)}`);
    const { status, version, body } = answer;
    if (status !== 200) faults.push(`${ASKED}: ${status} ${body}`);
    else if ((answers.get(version) ?? body) !== body) faults.push(`${ASKED} of ${version}: is not always the same`);
    answers.set(version, body);
  }

  return {
    health: () => health,
    /** Ends it, and tells what was wrong: with the answers, where the files hold something else. */
    async end(files: ReadonlyMap<string, string>): Promise<{ asked: number; versions: number; faults: string[] }> {
      worker.postMessage("stop");
      await ended;
      for (const [version, body] of answers) {
        const file = files.get(version);
        if (file === undefined) faults.push(`${version}: was served, and never published`);
        else if (!isRecord(file, body)) faults.push(`${ASKED} of ${version}: ${body}`);
      }
      return { asked, versions: answers.size, faults };
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
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
