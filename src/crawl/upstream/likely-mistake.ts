import type { Attempt } from "../../journal/report.ts";
import { viaProxy } from "../../network/proxy.ts";
import { explainUnreachable } from "../../network/unreachable.ts";

type FailedAttempt = Pick<Attempt, "reason" | "detail">;

interface Mistake {
  when: (base: URL, failed: FailedAttempt) => boolean;
  hint: (base: URL) => string;
}

const isAnswer = ({ reason, detail }: FailedAttempt) => /^status \d/.test(detail) || /^(wrong|not-json)/.test(reason);

/** What an operator most likely mistook whose first question was not answered with a hero list. The first row counts. */
const MISTAKES: readonly Mistake[] = [
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

/** What to do about an upstream that gave no hero list; nothing if it does not look like a mistake. */
export function explainMistake(host: string, failed: FailedAttempt): string | undefined {
  const base = new URL(host);
  const silent = isAnswer(failed) ? undefined : explainUnreachable(base, failed.detail);
  return silent ?? MISTAKES.find(({ when }) => when(base, failed))?.hint(base);
}
