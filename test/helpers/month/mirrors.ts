import { expect } from "vitest";
import { startServe } from "../served.ts";
import { KEEP } from "./follower.ts";
import { type Watched, watchMirror } from "./watch.ts";

/** What is waited for comes when the machine has time for it. */
const SOON = { timeout: 240_000, interval: 50 };

/** Waits until a mirror says this of itself; rejects with what it says instead, and with what it has logged. */
async function untilHealth(name: string, mirror: Served, watched: Watched, expected: object) {
  const reached = expect.poll(() => watched.health(), SOON).toMatchObject(expected);
  await reached.catch((error: unknown) => {
    const said = JSON.stringify(watched.health(), undefined, 2);
    throw new Error(`the ${name} says ${said}, and has logged\n${mirror.log().slice(-5000)}`, { cause: error });
  });
}

type Served = Awaited<ReturnType<typeof startServe>>;

/** A mirror that serves a folder, and another that follows it, both asked all the while. */
export async function startMirrors(data: string, followed: string, explains: (problem: string) => boolean) {
  const mirror = await startServe(["--data", data]);
  const watched = watchMirror(mirror.url, explains);
  const follower = await startServe([
    ...["--data", followed, "--follow", mirror.url, "--every", "1s", "--keep", String(KEEP)],
    ...["--allow-partial", "--max-loss", "100"],
  ]);
  const watchedFollower = watchMirror(follower.url);
  return {
    /** Both have come to what they are to serve: what is the latest, and the newest of all. */
    async settled(latest: string, newest: string, isSound: boolean) {
      const snapshot = { version: latest };
      await untilHealth("mirror", mirror, watched, { snapshot, ...(isSound && { problem: null }) });
      await untilHealth("follower", follower, watchedFollower, {
        snapshot: { version: newest },
        source: { version: latest, older_than: latest === newest ? null : newest },
      });
    },
    /** What they answered, and what was wrong with it. */
    end: async (files: ReadonlyMap<string, string>) => ({
      mirror: await watched.end(files),
      follower: await watchedFollower.end(files),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([watched, watchedFollower].map((one) => one[Symbol.asyncDispose]()));
      await follower[Symbol.asyncDispose]();
      await mirror[Symbol.asyncDispose]();
    },
  };
}
