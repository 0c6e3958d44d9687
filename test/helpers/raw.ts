import { connect, type Socket } from "node:net";
import { type Answer, createReader } from "./hostile/answers.ts";

export type RawAnswer = Omit<Answer, "body"> & { body: string };

/** All that comes back. `half`: says that nothing more will come. Throws when the other side never closes. */
export async function converse(url: string, parts: readonly (string | Buffer)[], half = true): Promise<Buffer> {
  const socket = dial(url);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => socket.end());
  for (const part of parts) socket.write(typeof part === "string" ? Buffer.from(part, "latin1") : part);
  if (half) socket.end();
  let silent = false;
  socket.setTimeout(20_000, () => {
    silent = true;
    socket.destroy();
  });
  await new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
  if (silent) throw new Error(`neither answered nor closed: ${JSON.stringify(parts.map(String))}`);
  return Buffer.concat(chunks);
}

export function dial(url: string): Socket {
  const { port, hostname } = new URL(url);
  return connect({ port: Number(port), host: hostname, allowHalfOpen: true });
}

/** Every answer in these bytes. Throws at the first byte that does not belong to a well-formed one. */
export function parseAnswers(bytes: Buffer, headOnly = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  const reader = createReader(
    () => (headOnly ? "HEAD" : "GET"),
    ({ body, ...head }) => answers.push({ ...head, body: body.toString() }),
  );
  reader.feed(bytes);
  const torn = reader.torn();
  if (torn) throw new Error(torn);
  return answers;
}
