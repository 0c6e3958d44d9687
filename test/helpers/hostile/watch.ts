import { fork } from "node:child_process";
import { join } from "node:path";
import type { Lap } from "./watching.ts";

/** Asks a server for its health all the while; `lap` tells how it went since the last one. */
export function startWatch(url: string, pid: number) {
  const child = fork(join(import.meta.dirname, "watching.ts"), [url, String(pid)], { execArgv: [] });
  const ended = new Promise<never>((_, reject) => child.once("exit", () => reject(new Error("the watch ended"))));
  ended.catch(() => {});
  return {
    async lap(): Promise<Lap> {
      const lap = new Promise<Lap>((resolve) => child.once("message", (told) => resolve(told as Lap)));
      child.send("lap");
      return Promise.race([lap, ended]);
    },
    stop: () => child.disconnect(),
  };
}
