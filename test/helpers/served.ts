import { createInterface } from "node:readline";
import { startCommand } from "./run.ts";

/** `npm run serve` as a process of its own. */
export async function startServe(args: string[], env: NodeJS.ProcessEnv = {}) {
  const { child, ended } = startCommand("serve", ["--port", "0", ...args], env);
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      const at = / on (\S+), .*stop with/.exec(line)?.[1];
      if (at) resolve(at);
    });
    void ended.then(({ stderr }) => reject(new Error(`serve ended: ${stderr}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    ended,
    /** Sends the signal and tells how it ended. */
    stop(signal: NodeJS.Signals = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
