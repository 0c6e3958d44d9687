import { connect, type Socket } from "node:net";

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

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

/** Every answer in a stream of bytes. Throws at the first byte that does not belong to a well-formed one. */
export function parseAnswers(bytes: Buffer, headOnly = false): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let text = bytes.toString("latin1");
  while (text !== "") {
    const head = /^HTTP\/1\.1 (\d{3}) [A-Z][^\r\n]*\r\n((?:[!#$%&'*+.^_`|~\w-]+: ?[^\r\n]*\r\n)*)\r\n/.exec(text);
    if (!head) throw new Error(`not an answer: ${JSON.stringify(text.slice(0, 200))}`);
    const lines = (head[2] ?? "").split("\r\n").filter((line) => line !== "");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(head[1]);
    text = text.slice(head[0].length);
    if (status === 100) continue;
    const bodyless = headOnly || status === 204 || status === 304;
    const length = bodyless ? 0 : Number(headers["content-length"] ?? Number.NaN);
    if (!Number.isInteger(length)) throw new Error(`an answer without a length: ${head[0]}`);
    if (text.length < length) throw new Error(`a body of ${text.length} bytes instead of ${length}`);
    answers.push({ status, headers, body: Buffer.from(text.slice(0, length), "latin1").toString() });
    text = text.slice(length);
  }
  return answers;
}
