import { AsyncLocalStorage } from "node:async_hooks";

type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** The streams that a command writes to. */
export interface Io {
  stdout: Output;
  stderr: Output;
  /** True if stderr is part of a log: its messages are lines of JSON too then. */
  isLog?: boolean;
}

const scope = new AsyncLocalStorage<Io>();

/** Returns the streams of the running command; those of the process by default. */
export const io = (): Io => scope.getStore() ?? process;

export const withIo = <T>(given: Io, action: () => T): T => scope.run(given, action);

/**
 * A command as a function of its words, those after `npm run … --`. It never rejects: it resolves to an exit code, after one line on stderr
 * for any error. Environment variables are read before it waits for anything.
 */
export type Main = (words: readonly string[], io?: Io) => Promise<number>;
