import { randomBytes } from "node:crypto";
import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from "node:http";

const REQUEST_ID = "x-request-id";
const HARMLESS = /^[\w.-]{1,64}$/;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A reply that knows the id of its request and when that came. */
export interface Traced {
  readonly id: string;
  readonly startedAt: number;
}

export const requestId = (reply: object | undefined): string | undefined =>
  reply && "id" in reply ? String(reply.id) : undefined;

/**
 * The replies of one server: each carries the id of its request in `x-request-id`, and once the last word is said (`last`)
 * each is the last on its connection. Done here, where the head is written, because headers set any earlier make Node
 * merge them with those of the app one by one, which costs more than all the rest of a short answer.
 */
export function createReplies() {
  const prefix = `${randomBytes(6).toString("base64url")}-`;
  let count = 0;
  let closing = false;

  class Reply extends ServerResponse implements Traced {
    readonly startedAt = performance.now();
    #id: string | undefined;

    /** The client's own id, when it cannot do harm in a log. */
    get id(): string {
      if (this.#id === undefined) {
        const given = this.req.headers[REQUEST_ID];
        count += 1;
        this.#id = typeof given === "string" && HARMLESS.test(given) ? given : prefix + count.toString(36);
      }
      return this.#id;
    }

    override writeHead(status: number, text?: string | Headers, headers?: Headers): this {
      if (closing) this.shouldKeepAlive = false;
      const given = typeof text === "string" ? headers : text;
      const reason = typeof text === "string" ? text : (STATUS_CODES[status] ?? "");
      if (Array.isArray(given)) return super.writeHead(status, reason, [...given, REQUEST_ID, this.id]);
      return super.writeHead(status, reason, { ...given, [REQUEST_ID]: this.id });
    }
  }

  return {
    Reply: Reply as typeof ServerResponse<IncomingMessage>,
    last: () => {
      closing = true;
    },
  };
}
