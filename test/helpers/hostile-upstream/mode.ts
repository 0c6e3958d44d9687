import type { Socket } from "node:net";
import type { Reason } from "../../../src/api/faults.ts";

/** One request and what is done to its answer. */
export interface Exchange {
  path: string;
  /** How often this path was asked for: 1, 2, … */
  nth: number;
  /** The body that an honest upstream sends. */
  honest: Buffer;
  socket: Socket;
  /** This upstream, and one that nobody may ever ask. */
  self: string;
  canary: string;
  /** A well-formed answer over a connection that stays open. */
  send(body: string | Buffer, headers?: Record<string, string>, status?: string): void;
  pass(): void;
}

export type Act = (exchange: Exchange) => void;

/** A way to be hostile, and how a crawl must end that meets it. */
export interface Mode {
  name: string;
  /** The requests that it happens to; all others are answered honestly. */
  at: RegExp;
  act: Act;
  code: number;
  /** The one line on stderr; nothing where the crawl is done. */
  says?: RegExp;
  /** A reason that attempts must have failed for. */
  reason?: Reason;
  /** Published with the same content as that of an honest upstream. */
  same?: boolean;
  args?: string[];
  /** Another address to crawl: of this upstream, or none at all. */
  address?: (self: string) => string;
  /** Most seconds and mebibytes; 8 and 330 where nothing is said. */
  seconds?: number;
  megabytes?: number;
}

export const STATS = /\/heroes\/\d+\/stats\?/;
export const LIST = /\/api\/heroes\?/;
export const RELATIONS = /\/relations\?/;
export const ALL = /./;

type More = Partial<Mode>;

/** Ends with this exit code and this line. */
export const ending = (name: string, code: number, says: RegExp, act: Act, more: More = {}): Mode => ({
  name,
  at: STATS,
  act,
  code,
  says,
  ...more,
});

/** The slices that it happens to are missing in the end, for this reason. */
export const failing = (name: string, reason: Reason, act: Act, more: More = {}): Mode =>
  ending(name, 3, /^\d+ of \d+ slices are missing/, act, { reason, ...more });

/** The service itself says no: the rest is published. */
export const refused = (name: string, act: Act): Mode => ({ name, at: STATS, act, code: 0, reason: "refused" });

/** There is no hero list to begin with. */
export const listless = (name: string, reason: Reason, act: Act, more: More = {}): Mode => ({
  ...failing(name, reason, act),
  at: LIST,
  says: new RegExp(`gave no hero list \\(${reason}: `),
  ...more,
});

/** Borne: the snapshot is that of an honest upstream. */
export const borne = (name: string, act: Act, more: More = {}): Mode => ({
  name,
  at: STATS,
  act,
  code: 0,
  same: true,
  ...more,
});

/** Taken as it came, and published whole. */
export const taken = (name: string, act: Act, more: More = {}): Mode => ({ name, at: STATS, act, code: 0, ...more });

export interface Page {
  code: number;
  data: { records: { data: Record<string, unknown> }[]; total: number };
}

/** Sends the page with a change in it. */
export const edit =
  (change: (page: Page, exchange: Exchange) => void): Act =>
  (exchange) => {
    const page = JSON.parse(exchange.honest.toString()) as Page;
    change(page, exchange);
    exchange.send(JSON.stringify(page));
  };

/** Sends the text of the page with a change in it. */
export const rewrite =
  (change: (text: string) => string): Act =>
  (exchange) =>
    exchange.send(change(exchange.honest.toString()));

/** Writes these bytes and nothing else. */
export const raw =
  (bytes: (body: Buffer) => string | Buffer, then: "close" | "stay" = "close"): Act =>
  ({ socket, honest }) => {
    const sent = bytes(honest);
    socket.write(typeof sent === "string" ? Buffer.from(sent, "latin1") : sent);
    if (then === "close") socket.end();
  };

export const JSON_TYPE = "content-type: application/json\r\n";
export const OK = `HTTP/1.1 200 OK\r\n${JSON_TYPE}`;
