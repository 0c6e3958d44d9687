export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const HEAD_LIMIT = 32 * 1024;
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [A-Z][^\r\n]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+): ?([^\r\n]*)$/;

export const closes = ({ headers }: Answer) => headers.connection?.toLowerCase() === "close";

/**
 * Takes answers out of a stream of bytes, however it is cut, and throws at the first byte that does not belong to a
 * well-formed one. `methodOf` tells what the n-th answer is to: one to a HEAD has no body.
 */
export function createReader(methodOf: (number: number) => string | undefined, take: (answer: Answer) => void) {
  let chunks: Buffer[] = [];
  let size = 0;
  let count = 0;
  let head: Omit<Answer, "body"> | undefined;
  let length = 0;
  let last = false;

  const join = (): Buffer => {
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks = [all];
    return all;
  };
  const drop = (bytes: number) => {
    const rest = join().subarray(bytes);
    chunks = rest.length > 0 ? [rest] : [];
    size = rest.length;
  };

  function next(): boolean {
    if (!head) {
      const end = join().indexOf("\r\n\r\n");
      if (end < 0 && size > HEAD_LIMIT) throw new Error("an answer's head without an end");
      if (end < 0) return checkStart(join());
      const parsed = parseHead(join().toString("latin1", 0, end));
      drop(end + 4);
      if (parsed.status === 100) return size > 0;
      length = lengthOf(parsed, methodOf(count));
      head = parsed;
    }
    if (size < length) return false;
    const body = length === 0 ? Buffer.alloc(0) : join().subarray(0, length);
    if (length > 0) drop(length);
    const answer = { ...head, body };
    head = undefined;
    count += 1;
    last = closes(answer);
    take(answer);
    return size > 0;
  }

  return {
    feed(chunk: Buffer) {
      if (last) throw new Error(`bytes after the last answer: ${show(chunk)}`);
      chunks.push(chunk);
      size += chunk.length;
      while (next()) if (last && size > 0) throw new Error(`bytes after the last answer: ${show(join())}`);
    },
    /** Says where the bytes so far break off within an answer. */
    torn(): string | undefined {
      if (head) return `torn: ${size} of ${length} bytes of a body (${head.status})`;
      return size > 0 ? `torn: ${size} bytes of a head` : undefined;
    },
  };
}

const show = (bytes: Buffer) => JSON.stringify(bytes.toString("latin1", 0, 120));

/** Nonsense is said to be nonsense at once, not when it has an empty line somewhere. */
function checkStart(bytes: Buffer): false {
  const start = bytes.toString("latin1", 0, 9);
  if (!"HTTP/1.1 ".startsWith(start)) throw new Error(`not an answer: ${show(bytes)}`);
  return false;
}

function parseHead(text: string): Omit<Answer, "body"> {
  const [first = "", ...lines] = text.split("\r\n");
  const status = STATUS_LINE.exec(first)?.[1];
  if (!status) throw new Error(`not an answer: ${show(Buffer.from(text, "latin1"))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    if (name === "") throw new Error(`not a header: ${JSON.stringify(line)}`);
    const key = name.toLowerCase();
    if (key in headers) throw new Error(`the header ${key} twice`);
    headers[key] = value.trim();
  }
  return { status: Number(status), headers };
}

/** Bytes of the body that follows. The server says them of each. */
function lengthOf({ status, headers }: Omit<Answer, "body">, method: string | undefined): number {
  if (status < 200) throw new Error(`an answer ${status} that nobody asked for`);
  if (method === "HEAD" || status === 204 || status === 304) return 0;
  const { "content-length": length, "transfer-encoding": coding } = headers;
  if (coding !== undefined) throw new Error(`framed by ${coding} and by ${length}`);
  if (!/^\d{1,12}$/.test(length ?? "")) throw new Error(`an answer ${status} of the length ${length}`);
  return Number(length);
}
