import { isOfProxy } from "./proxy.ts";

interface Cause {
  /** What the detail of the failed request says. */
  says: (detail: string, url: URL) => boolean;
  hint: (url: URL) => string;
}

const CAUSES: readonly Cause[] = [
  {
    says: isOfProxy,
    hint: ({ hostname }) => `check that variable and that proxy, or exempt ${hostname} with NO_PROXY`,
  },
  {
    says: (detail, { protocol }) => protocol === "https:" && /ERR_SSL_/.test(detail),
    hint: ({ host, pathname }) => `that port speaks no TLS; did you mean http://${host}${pathname.replace(/\/$/, "")}?`,
  },
  {
    says: (detail) => /CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED|ERR_TLS_/.test(detail),
    hint: () =>
      "its certificate is not trusted here; a private authority is trusted with NODE_EXTRA_CA_CERTS=<file.pem>",
  },
  {
    says: (detail) => /ENOTFOUND|EAI_AGAIN/.test(detail),
    hint: ({ hostname }) => `no host of the name ${hostname} is known; check its spelling and the network`,
  },
  {
    says: (detail) => /ECONNREFUSED/.test(detail),
    hint: ({ protocol, port }) =>
      `nothing listens on port ${port || (protocol === "https:" ? 443 : 80)} there; check the port, or whether it runs`,
  },
];

/** What to do if nothing answered at a URL; undefined if the detail does not tell why. */
export const explainUnreachable = (url: URL, detail: string): string | undefined =>
  CAUSES.find(({ says }) => says(detail, url))?.hint(url);
