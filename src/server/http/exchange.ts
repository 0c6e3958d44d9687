import { randomBytes } from "node:crypto";
import { type IncomingMessage, ServerResponse } from "node:http";

/** What logs and metrics call the route of a request that no route takes. */
export const UNMATCHED_ROUTE = "other";

const PREFIX = `${randomBytes(6).toString("base64url")}-`;
const SAFE_REQUEST_ID = /^[\w.-]{1,64}$/;

let count = 0;

export function nextRequestId(): string {
  count += 1;
  return PREFIX + count.toString(36);
}

/** A response that knows its route, its request id and when its request came: for head, log and metrics. */
export class Exchange extends ServerResponse<IncomingMessage> {
  readonly startedAt = performance.now();
  /** The template, as in the OpenAPI document. */
  route = UNMATCHED_ROUTE;
  /** Aborted once the server shuts down. */
  shutdown: AbortSignal | undefined;
  #id: string | undefined;

  /** Final once the head is written. */
  get requestId(): string {
    this.#id ??= nextRequestId();
    return this.#id;
  }

  /**
   * To be called when the head is written. Takes the client's own `X-Request-Id` if it is harmless and no cache stores the
   * response: a stored one goes to other clients too.
   */
  assignRequestId(isStored: boolean): string {
    if (this.shutdown?.aborted) this.shouldKeepAlive = false;
    const given = isStored ? undefined : this.req.headers["x-request-id"];
    if (typeof given === "string" && SAFE_REQUEST_ID.test(given)) this.#id = given;
    return this.requestId;
  }
}
