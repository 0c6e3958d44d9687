import { randomBytes } from "node:crypto";
import { type IncomingMessage, ServerResponse } from "node:http";

/** The route of requests that none takes. */
export const OTHER = "other";

const PREFIX = `${randomBytes(6).toString("base64url")}-`;
const HARMLESS = /^[\w.-]{1,64}$/;

let count = 0;

export function nextId(): string {
  count += 1;
  return PREFIX + count.toString(36);
}

/** A response that knows when its request came, which route took it and what it is called: for its head, log and metrics. */
export class Exchange extends ServerResponse<IncomingMessage> {
  readonly startedAt = performance.now();
  /** As it is written in the documents. */
  route = OTHER;
  /** Aborted once its server takes no further requests. */
  ending: AbortSignal | undefined;
  #id: string | undefined;

  /** What it is called, once its head is written. */
  get id(): string {
    this.#id ??= nextId();
    return this.#id;
  }

  /**
   * To be called when its head is written. Decides what it is called: the client's own name for it where that can do no harm,
   * and nothing stores the answer. What is stored goes to other clients too.
   */
  identify(isStored: boolean): string {
    if (this.ending?.aborted) this.shouldKeepAlive = false;
    const given = isStored ? undefined : this.req.headers["x-request-id"];
    if (typeof given === "string" && HARMLESS.test(given)) this.#id = given;
    return this.id;
  }
}
