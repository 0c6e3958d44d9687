import { expect } from "vitest";
import { startServe } from "../served.ts";
import { KEEP } from "./follower.ts";
import { watchMirror } from "./watch.ts";

const SOON = { timeout: 60_000, interval: 50 };

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
      await expect.poll(() => watched.health()?.snapshot.version, SOON).toBe(latest);
      if (isSound) await expect.poll(() => watched.health()?.problem, SOON).toBeNull();
      await expect.poll(() => watchedFollower.health()?.snapshot.version, SOON).toBe(newest);
      const source = { version: latest, older_than: latest === newest ? null : newest };
      await expect.poll(() => watchedFollower.health()?.source, SOON).toMatchObject(source);
    },
    /** What they answered, and what was wrong with it. */
    end: async (files: ReadonlyMap<string, string>) => ({
      mirror: await watched.end(files),
      follower: await watchedFollower.end(files),
    }),
    async [Symbol.asyncDispose]() {
      await follower[Symbol.asyncDispose]();
      await mirror[Symbol.asyncDispose]();
    },
  };
}
