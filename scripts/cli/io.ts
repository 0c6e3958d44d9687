import { AsyncLocalStorage } from "node:async_hooks";
import { withoutRunnerCommands } from "../../src/api/sanitize.ts";

export type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** Where a command writes. */
export interface Io {
  stdout: Output;
  stderr: Output;
}

const scope = new AsyncLocalStorage<Io>();

/** That of the command that is running: the process itself where nobody said otherwise. */
export const io = (): Io => scope.getStore() ?? process;

export const withIo = <T>(given: Io, action: () => T): T => scope.run(given, action);

const disarmed = new WeakSet<Output>();

/** What a command writes where no person looks may be read by a CI runner: words from outside must not be commands to it. */
export function disarm(out: Output): void {
  if (out.isTTY || disarmed.has(out)) return;
  disarmed.add(out);
  const write = out.write.bind(out) as (chunk: unknown, ...more: unknown[]) => boolean;
  out.write = (chunk: unknown, ...more: unknown[]) =>
    write(typeof chunk === "string" ? withoutRunnerCommands(chunk) : chunk, ...more);
}

/**
 * A command as a function of its words, those after `npm run … --`. It never rejects: it resolves to an exit code, after one
 * line on stderr for whatever went wrong. Environment variables are read before it waits for anything.
 */
export type Main = (words: readonly string[], io?: Io) => Promise<number>;
