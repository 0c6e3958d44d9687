import { lookup } from "node:dns/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../api/failure.ts";
import { isOfProxy } from "./proxy.ts";

interface Cause {
  /** What the detail of the failed request says. */
  says: (detail: string, url: URL) => boolean;
  hint: (url: URL) => string;
  /** It does not mend itself. */
  lasts?: true;
}

/** Why nothing answered, as what to do about it. */
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
    hint: ({ hostname }) => `no host of the name ${hostname} is known; check its spelling and the network`,
    lasts: true,
  },
  {
    says: (detail) => /EAI_AGAIN/.test(detail),
    hint: ({ hostname }) => `nobody can tell at the moment which host ${hostname} is; check the network`,
  },
  {
    says: (detail) => /ECONNREFUSED/.test(detail),
    hint: ({ protocol, port }) =>
      `nothing listens on port ${port || (protocol === "https:" ? 443 : 80)} there; check the port, or whether it runs`,
  },
];

/** The message of an error with its code, if it has one. */
export function describeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code && !message.includes(code) ? `${code} ${message}`.trim() : message || String(error);
}

/** How a command ends that got nothing from a host; `otherwise` is what to do where nobody knows why. */
export const endUnreachable = (message: string, why: Unreachable | undefined, otherwise: string, cause?: unknown) =>
  new Failure(why?.lasts ? EXIT.usage : EXIT.unreachable, message, why?.hint ?? otherwise, cause);

/** Why nothing answered at a URL; undefined if the detail does not tell. */
export function whyUnreachable(url: URL, detail: string): Unreachable | undefined {
  const { hint, lasts } = CAUSES.find(({ says }) => says(detail, url)) ?? {};
  return hint && { hint: hint(url), ...(lasts && { lasts }) };
}

/** Whether nobody knows the name of a host, as the detail of a failed request says. */
export function isUnknownName(detail: string): boolean {
  return /ENOTFOUND/.test(detail) && !isOfProxy(detail);
}

const PAUSE_MS = 2000;

/** Whether a name that nobody knew is known within this time: a machine that has just started may have no network yet. */
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
