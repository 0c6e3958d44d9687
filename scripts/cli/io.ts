import { AsyncLocalStorage } from "node:async_hooks";

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
