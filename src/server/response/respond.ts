import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { ApiError } from "../../api/errors.ts";
import type { Admission } from "../http/admission.ts";
import { LINGER_MS } from "../http/client-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { LIMITS } from "../http/limits.ts";
import type { Edition } from "../query/snapshot-handle.ts";
import { internalError, named, type Reply, replyError } from "./reply.ts";

export type Respond = ReturnType<typeof createResponder>["respond"];

export interface ResponderDeps {
  current: () => Edition;
  /** Of answers, and of files: those are under way for long, and must not hold up the others. */
  admissions: Readonly<Record<"answer" | "file", Admission>>;
  /** Told about faults of our own; the answer never shows them. */
  onFault: (error: unknown, event: H3Event) => void;
}

export interface Route {
  /** As it is written in the documents. */
  route: string;
  /** The edition that a request means, opened where it is not; the current one where nothing is said. */
  editionOf?: (event: H3Event) => Edition | Promise<Edition>;
  /** What it sends; what is short need not wait for room. */
  sends?: "answer" | "file" | "short";
  /** Reads what it needs of the edition before it waits for anything: the next reload closes it. */
  answer: (event: H3Event, edition: Edition) => Reply | Promise<Reply>;
}

type MaybePromise<T> = T | Promise<T>;

/** What is there already is not waited for: most answers are made within one turn. */
export const after = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** The request as it came over a socket; nothing where there is none. */
export const exchangeOf = (event: H3Event) => event.runtime?.node?.res as Exchange | undefined;

/** Answered any sooner, a request whose body is still under way could not be told from the one behind it. */
const wholeRequest = ({ req }: Exchange) =>
  new Promise((resolve) => {
    req.resume().once("end", resolve).once("close", resolve);
  });

/**
 * The whole answer now, and the end of its connection a little later: ended at once, what is still under way to us would make
 * the client's system throw it away unread.
 */
function beforeRequestEnds(exchange: Exchange, reply: Reply): Reply {
  exchange.shouldKeepAlive = false;
  const late = sleep(LINGER_MS, undefined, { ref: false });
  async function* linger() {
    yield reply.body;
    await Promise.race([wholeRequest(exchange), late]);
  }
  return { ...reply, body: Readable.from(linger()) };
}

/** Turns what routes answer, and whatever they throw, into responses. */
export function createResponder({ current, admissions, onFault }: ResponderDeps) {
  function respond(event: H3Event, { route, editionOf = current, sends = "answer", answer }: Route) {
    const exchange = exchangeOf(event);
    if (exchange) exchange.route = route;
    let edition: Edition | undefined;
    const produce = (): MaybePromise<Response> => {
      const found = editionOf(event);
      // Asked for again once it is open: what is open may be closed before it is our turn.
      if (found instanceof Promise) return found.then(produce);
      edition = found;
      return after(answer(event, found), (reply) => send(event, reply));
    };
    try {
      const made = after(sends === "short" ? undefined : admissions[sends].admit(), produce);
      return made instanceof Promise ? made.catch((error: unknown) => explain(event, error, edition)) : made;
    } catch (error) {
      return explain(event, error, edition);
    }
  }

  async function explain(event: H3Event, error: unknown, edition?: Edition) {
    if (!(error instanceof ApiError)) onFault(error, event);
    const told = error instanceof ApiError ? error : internalError();
    const reply = replyError(told, edition ?? current());
    const exchange = exchangeOf(event);
    if (!exchange || exchange.req.complete) return send(event, reply);
    if (told.code === "PAYLOAD_TOO_LARGE" || !exchange.shouldKeepAlive)
      return send(event, beforeRequestEnds(exchange, reply));
    await wholeRequest(exchange);
    return send(event, reply);
  }

  function send(event: H3Event, { status, headers, body }: Reply) {
    const exchange = exchangeOf(event);
    if (exchange && !exchange.destroyed && body) {
      if (body instanceof Uint8Array) admissions.answer.trackUnsent(exchange, body.length);
      else admissions.file.trackUnsent(exchange, LIMITS.perFileBytes);
    }
    // Not h3's own response, which reads every header into an object. It hands streams through, which its type does not say.
    return new FastResponse((body ?? null) as Uint8Array<ArrayBuffer> | null, {
      status,
      statusText: STATUS_CODES[status] ?? "",
      headers: named(headers, exchange),
    });
  }

  return { respond, explain, send };
}
