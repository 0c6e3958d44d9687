import type { Attempt } from "../journal/journal.ts";
import { isOfProxy, viaProxy } from "../network/proxy.ts";

type FailedAttempt = Pick<Attempt, "reason" | "detail">;

interface Mistake {
  when: (base: URL, failed: FailedAttempt) => boolean;
  hint: (base: URL) => string;
}

const isAnswer = ({ reason, detail }: FailedAttempt) => /^status \d/.test(detail) || /^(wrong|not-json)/.test(reason);

/** What an operator most likely mistook whose first question was not answered with a hero list. The first row counts. */
const MISTAKES: readonly Mistake[] = [
  {
    when: (_, { detail }) => isOfProxy(detail),
    hint: ({ hostname }) => `check that variable and that proxy, or exempt ${hostname} with NO_PROXY`,
  },
  {
    when: (base, { reason, detail }) =>
      (reason === "timeout" || /^status (401|403|407|50[234])\b/.test(detail)) && viaProxy(base) !== "",
    hint: ({ hostname }) => `if that was the proxy, check it, or exempt ${hostname} with NO_PROXY`,
  },
  {
    when: ({ pathname }, failed) => /\/api$/.test(pathname) && isAnswer(failed),
    hint: ({ origin, pathname }) =>
      `every path begins with /api, leave it out: --upstream ${origin}${pathname.slice(0, -"/api".length)}`,
  },
  {
    when: ({ protocol }, { detail }) => protocol === "https:" && /ERR_SSL_/.test(detail),
    hint: ({ host, pathname }) => `that port speaks no TLS; did you mean http://${host}${pathname.replace(/\/$/, "")}?`,
  },
  {
    when: (_, { detail }) => /CERT|UNABLE_TO_(VERIFY|GET_ISSUER)|SELF_SIGNED|ERR_TLS_/.test(detail),
    hint: () =>
      "its certificate is not trusted here; a private authority is trusted with NODE_EXTRA_CA_CERTS=<file.pem>",
  },
  {
    when: (_, { detail }) => /ENOTFOUND|EAI_AGAIN/.test(detail),
    hint: ({ hostname }) => `no host of the name ${hostname} is known; check its spelling and the network`,
  },
  {
    when: (_, { detail }) => /ECONNREFUSED/.test(detail),
    hint: ({ protocol, port }) =>
      `nothing listens on port ${port || (protocol === "https:" ? 443 : 80)} there; check the port, or whether it runs`,
  },
  {
    when: ({ protocol }, { reason, detail }) =>
      protocol === "http:" &&
      (/ECONNRESET|UND_ERR_SOCKET|HPE_/.test(detail) ||
        (reason === "rejected" && /^status 400\b.*https?/i.test(detail))),
    hint: ({ host, pathname }) => `if that port speaks TLS, it is https://${host}${pathname.replace(/\/$/, "")}`,
  },
  {
    when: (_, { reason, detail }) => reason === "wrong-type" && /html/i.test(detail),
    hint: () => "that is a page for people and no API; check the address, or look at the page with a browser",
  },
  {
    when: (_, { detail }) => /^status 404\b/.test(detail),
    hint: () => "something answers there, and it has no /api/heroes; check the address",
  },
];

/** What to do about an upstream that gave no hero list; nothing where it does not look like a mistake. */
export function explainMistake(host: string, failed: FailedAttempt): string | undefined {
  const base = new URL(host);
  return MISTAKES.find(({ when }) => when(base, failed))?.hint(base);
}
