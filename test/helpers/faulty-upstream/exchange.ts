import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Knobs } from "./faults.ts";
import type { Answer, Target } from "./target.ts";

/** One request on its way to the target and back. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Path and query. */
  path: string;
  /** What the target answers, not compressed. Asked once, however often it is called. */
  fetch(path?: string): Promise<Answer>;
  /** What the target answers to the request as it is. */
  pass(): Promise<Answer>;
  /** The request is in flight no more. To be called before the last byte is sent: the client may follow on its heels. */
  leave(): void;
}

/** Sends the fault. */
export type Act = () => void;

/** Prepares a fault; nothing when it would change nothing in this exchange. */
export type Injector = (exchange: Exchange, knobs: Knobs) => Act | undefined | Promise<Act | undefined>;

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  leave: () => void,
): Exchange {
  const path = request.url ?? "/";
  const answers = new Map<string, Promise<Answer>>();
  function fetch(asked = path): Promise<Answer> {
    const answer = answers.get(asked) ?? target.ask(request, asked, false);
    answers.set(asked, answer);
    return answer;
  }
  return { request, response, path, leave, fetch, pass: () => answers.get(path) ?? target.ask(request, path, true) };
}

export function send({ response, leave }: Exchange, { status, text, headers, body }: Answer): void {
  leave();
  response.writeHead(status, text, headers).end(body);
}

/** An answer that owes nothing to the target. */
export function answerOf(status: number, type: string, body: string, headers: readonly string[] = []): Answer {
  const bytes = Buffer.from(body);
  const own = ["content-type", type, "content-length", String(bytes.length)];
  return { status, text: STATUS_CODES[status] ?? "", headers: [...own, ...headers], body: bytes };
}

/** The answer with other headers in place of those of the same name. */
export function withHeaders(answer: Answer, changes: Record<string, string>): Answer {
  const kept: string[] = [];
  for (let i = 0; i < answer.headers.length; i += 2) {
    const [name = "", value = ""] = answer.headers.slice(i, i + 2);
    if (!(name.toLowerCase() in changes)) kept.push(name, value);
  }
  return { ...answer, headers: [...kept, ...Object.entries(changes).flat()] };
}

export function withBody(answer: Answer, body: Buffer): Answer {
  return { ...withHeaders(answer, { "content-length": String(body.length) }), body };
}
