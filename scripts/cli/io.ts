import { AsyncLocalStorage } from "node:async_hooks";

type Output = NodeJS.WritableStream & { isTTY?: boolean };

/** Where a command writes. */
export interface Io {
  stdout: Output;
  stderr: Output;
  /** Whether stderr is part of a log: then what it is told is a line of JSON too. */
  isLog?: boolean;
}

const scope = new AsyncLocalStorage<Io>();

/** That of the command that is running: the process itself where nobody said otherwise. */
export const io = (): Io => scope.getStore() ?? process;

export const withIo = <T>(given: Io, action: () => T): T => scope.run(given, action);

/**
 * A command as a function of its words, those after `npm run … --`. It never rejects: it resolves to an exit code, after one
 * line on stderr for whatever went wrong. Environment variables are read before it waits for anything.
 */
export type Main = (words: readonly string[], io?: Io) => Promise<number>;
