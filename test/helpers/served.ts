import { readUrl, startCommand } from "./run.ts";

/** `npm run serve` as a process of its own. */
export async function startServe(args: string[], env: NodeJS.ProcessEnv = {}) {
  const command = startCommand("serve", ["--port", "0", ...args], env);
  const { child, ended } = command;
  let log = "";
  child.stderr?.on("data", (chunk) => {
    log += chunk;
  });
  return {
    url: await readUrl(command),
    pid: child.pid ?? 0,
    ended,
    /** Returns all that it has said on stderr so far. */
    log: () => log,
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
