import type { Socket } from "node:net";
import type { Told } from "../server.ts";

/** One request, what its answer should be, and what can be done instead. */
export interface Encounter {
  /** Path and query. */
  path: string;
  /** How often this path was asked for: 1, 2, … */
  nth: number;
  /** The answer of the target. */
  honest: Told;
  /** Asks the target for another path. */
  ask(path: string): Promise<Told>;
  socket: Socket;
  /** This upstream, and another one. */
  self: string;
  elsewhere: string;
  /** A well-formed answer. Its status and headers are those of the target, unless others are given. */
  send(body: string | Buffer, headers?: Record<string, string>, status?: number): void;
}

/** Misbehaves; false if there is nothing to change in this encounter. */
export type Act = (encounter: Encounter) => unknown;

/** A list as the upstream sends it. */
interface Page {
  code: number;
  data: { records: Fields[]; total: number };
}
export type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Undefined if the body is no list. */
export function pageOf({ status, body }: Told): Page | undefined {
  if (status !== 200) return undefined;
  const page = JSON.parse(body.toString()) as Partial<Page> | null;
  return isFields(page?.data) && Array.isArray(page.data.records) ? (page as Page) : undefined;
}

/** Sends the page with a change in it, unless there is nothing to change: false. */
export const edit =
  (change: (page: Page, encounter: Encounter) => unknown): Act =>
  (encounter) => {
    const page = pageOf(encounter.honest);
    if (!page || change(page, encounter) === false) return false;
    encounter.send(JSON.stringify(page));
  };

/** The same with the first page, whatever page is asked for. */
export const editFirst =
  (change: (page: Page, index: number) => unknown): Act =>
  async ({ path, ask, send }) => {
    const page = pageOf(await ask(path.replace(/index=\d+/, "index=1")));
    if (!page) return false;
    change(page, Number(/index=(\d+)/.exec(path)?.[1] ?? 1));
    send(JSON.stringify(page));
  };

/** Sends the text of the body with something replaced in it, unless that changes nothing. */
export const replaceIn =
  (what: RegExp, by: string): Act =>
  ({ honest, send }) => {
    const text = honest.body.toString();
    const written = text.replace(what, by);
    return text === written ? false : send(written);
  };

export type Remake = (body: Buffer) => string | Buffer;

/** Sends what is made of the body under headers, unless there is no body. */
export const resend =
  (change: Remake, headers: Record<string, string> = {}): Act =>
  ({ honest, send }) =>
    honest.body.length === 0 ? false : send(change(honest.body), headers);

/** Answers so, whatever is asked. */
export const reply =
  (status: number, body = "{}", headers: Record<string, string> = {}): Act =>
  ({ send }) =>
    send(body, { "content-type": "application/json", ...headers }, status);

/** Writes these bytes, or those made of the body, and closes the connection. */
export const raw =
  (bytes: string | Remake): Act =>
  ({ socket, honest }) => {
    const sent = typeof bytes === "string" ? bytes : bytes(honest.body);
    socket.end(typeof sent === "string" ? Buffer.from(sent, "latin1") : sent);
  };

/** Writes a piece again and again as long as it is taken. */
export const pour =
  (head: string, piece: string): Act =>
  ({ socket }) => {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  };

/** Writes a piece every 20 milliseconds, without end. */
export const trickle =
  (head: string, piece: string): Act =>
  ({ socket }) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once("close", () => clearInterval(timer));
  };

export const half = (body: Buffer) => body.subarray(0, body.length >> 1);
export const same = (body: Buffer) => body;

export const OK = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
export const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

/** Finds the place at a path of keys, to be read, set and removed. */
export function placeOf(root: unknown, path: string) {
  const keys = path.split(".");
  const name = keys.pop() ?? "";
  let holder: unknown = root;
  for (const key of keys) holder = isFields(holder) ? holder[key] : undefined;
  return isFields(holder) && Object.hasOwn(holder, name) ? { holder, name } : undefined;
}
