import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { request } from "undici";

/** What came of one round of questions: the state of the mirror and an answer, or why there is none. */
export type Asked = { health: Reply; answer: Reply } | { error: string };

interface Reply {
  status: number;
  version: string;
  body: string;
}

export interface Question {
  url: string;
  path: string;
}

/** Milliseconds between two rounds: all the while, and leaving the machine to those who work. */
const REST = 40;

/** By a connection of its own: one that has been idle may be closed by the mirror in the moment when it is used again. */
async function get(url: string): Promise<Reply> {
  const { statusCode, headers, body } = await request(url, { reset: true });
  return { status: statusCode, version: String(headers["x-snapshot-version"] ?? ""), body: await body.text() };
}

async function ask({ url, path }: Question): Promise<Asked> {
  try {
    return { health: await get(`${url}/health`), answer: await get(url + path) };
  } catch (error) {
    return { error: String((error as Error).cause ?? error) };
  }
}

// A thread of its own: the tests fold and compare for seconds at a time, in which nothing is sent or read.
let stopped = false;
parentPort?.once("message", () => {
  stopped = true;
});
while (!stopped) {
  parentPort?.postMessage(await ask(workerData as Question));
  await pause(REST);
}
