import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../api/failure.ts";
import { isOfProxy } from "./proxy.ts";

interface Cause {
  /** Recognises the cause in the detail of the failed request. */
  says: (detail: string, url: URL) => boolean;
  hint: (url: URL) => string;
  /** True if it does not go away by itself. */
  lasts?: true;
}

/** The likely cause of a request without an answer, with a hint at what to do. */
export interface Unreachable extends Pick<Cause, "lasts"> {
  hint: string;
}

const CAUSES: readonly Cause[] = [
  {
    says: isOfProxy,
    hint: ({ hostname }) => `check that variable and that proxy, or exempt ${hostname} with NO_PROXY`,
  },
  {
    says: (detail, { protocol }) => protocol === "https:" && /ERR_SSL_/.test(detail),
    hint: ({ host, pathname }) => `that port speaks no TLS; did you mean http://${host}${pathname.replace(/\/$/, "")}?`,
    lasts: true,
  },
  {
    says: (detail) => /CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED|ERR_TLS_/.test(detail),
    hint: () =>
      "its certificate is not trusted here; a private authority is trusted with NODE_EXTRA_CA_CERTS=<file.pem>",
  },
  {
    says: isUnknownName,
    hint: ({ hostname }) => `no host named ${hostname} is known; check its spelling and the network`,
    lasts: true,
  },
  {
    says: (detail) => /EAI_AGAIN/.test(detail),
    hint: ({ hostname }) => `the name ${hostname} cannot be resolved at the moment; check the network`,
  },
  {
    says: (detail) => /ECONNREFUSED/.test(detail),
    hint: ({ protocol, port }) =>
      `nothing listens on port ${port || (protocol === "https:" ? 443 : 80)} there; check the port, and that the server runs`,
  },
];

/** The message of an error with its code, if it has one. */
export function describeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code && !message.includes(code) ? `${code} ${message}`.trim() : message || String(error);
}

/** Makes the failure of a command that got no answer from a host; `otherwise` is the hint if the cause is unknown. */
export const endUnreachable = (message: string, why: Unreachable | undefined, otherwise: string, cause?: unknown) =>
  new Failure(why?.lasts ? EXIT.usage : EXIT.unreachable, message, why?.hint ?? otherwise, cause);

/** Finds the likely cause why a URL gave no answer; undefined if the detail does not tell. */
export function whyUnreachable(url: URL, detail: string): Unreachable | undefined {
  const { hint, lasts } = CAUSES.find(({ says }) => says(detail, url)) ?? {};
  return hint && { hint: hint(url), ...(lasts && { lasts }) };
}

/** Tells whether a host name could not be resolved, from the detail of a failed request. */
export function isUnknownName(detail: string): boolean {
  return /ENOTFOUND/.test(detail) && !isOfProxy(detail);
}

const PAUSE_MS = 2000;

/**
 * Waits until a name that could not be resolved is known, at most this time, and tells whether it is: a machine that has just started may
 * have no network yet.
 */
export async function becomesKnown(hostname: string, patienceMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    await sleep(PAUSE_MS, undefined, { signal });
    const code = await lookup(hostname).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (code !== "ENOTFOUND") return true;
  }
  return false;
}

/** The URL without its query, which may hold a token. */
export const redactUrl = (url: URL): string => `${url.origin}${url.pathname}`;
