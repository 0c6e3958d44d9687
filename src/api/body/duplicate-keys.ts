/**
 * Rewrites JSON so that each key of an object is there once, with its last value; everything else keeps its characters, so
 * that numbers keep their digits. The text must be JSON.
 */
export function keepLastKeys(text: string): string {
  let at = 0;

  function skipSpace() {
    while (text.charCodeAt(at) <= 0x20) at += 1;
  }

  /** From a quote to behind the closing one. */
  function readString(): string {
    const start = at;
    at += 1;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    return text.slice(start, at);
  }

  function readValue(): string {
    skipSpace();
    const first = text[at];
    if (first === '"') return readString();
    if (first === "{") return readObject();
    if (first === "[") return readArray();
    const start = at;
    while (at < text.length && !",]} \t\r\n".includes(text[at] ?? "")) at += 1;
    return text.slice(start, at);
  }

  /** Calls `read` for each member of what begins here, to behind its closing bracket. */
  function readMembers(close: string, read: () => void) {
    at += 1;
    skipSpace();
    while (text[at] !== close) {
      read();
      skipSpace();
      if (text[at] === ",") at += 1;
      skipSpace();
    }
    at += 1;
  }

  function readObject(): string {
    const members = new Map<string, string>();
    readMembers("}", () => {
      skipSpace();
      const key = readString();
      skipSpace();
      at += 1;
      // Two spellings of one key, one with escapes, are one key.
      members.set(JSON.parse(key) as string, `${key}:${readValue()}`);
    });
    return `{${[...members.values()].join(",")}}`;
  }

  function readArray(): string {
    const elements: string[] = [];
    readMembers("]", () => elements.push(readValue()));
    return `[${elements.join(",")}]`;
  }

  return readValue();
}
