import { Writable } from "node:stream";
import type { DefinedMain } from "./command.ts";
import { programOf } from "./command-line.cjs";

export interface Called {
  /** The exit code that it would have had as a process. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Loads a command of `npm run` to be called within this process; it returns what it wrote. */
export async function loadCommand(name: string) {
  const { main } = (await import(programOf(name))) as { main: DefinedMain };
  return {
    define: main.define,
    async call(words: readonly string[]): Promise<Called> {
      const [stdout, stderr] = [createCapture(), createCapture()];
      const code = await main(words, { stdout: stdout.stream, stderr: stderr.stream });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    },
  };
}

function createCapture() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
