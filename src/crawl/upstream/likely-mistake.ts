import { userAgent } from "../../api/request/upstream-request.ts";
import type { Attempt } from "../../journal/report.ts";
import { viaProxy } from "../../network/proxy.ts";
import { type Unreachable, whyUnreachable } from "../../network/unreachable.ts";

type FailedAttempt = Pick<Attempt, "reason" | "detail">;

interface Asked {
  base: URL;
  /** The value of `--contact`. */
  contact: string | undefined;
}

interface Hint {
  when: (failed: FailedAttempt, asked: Asked) => boolean;
  hint: (asked: Asked) => string;
}

const SILENT = ["unreachable", "timeout", "not-http"];
const isPage = ({ reason, detail }: FailedAttempt) => reason === "wrong-type" && /html/i.test(detail);
const isStatus =
  (pattern: RegExp) =>
  ({ detail }: FailedAttempt) =>
    pattern.test(/^status (\d+)\b/.exec(detail)?.[1] ?? "");

/** Says who can let a program in that a firewall keeps out, and by what they find it. */
const letIn = ({ contact }: Asked) =>
  `and only whoever runs the upstream can let it in: write to them, and name its User-Agent, ${userAgent(contact)}${contact ? "" : " (--contact adds your address)"}`;

/** Hints for faults of an upstream that is there, at any time of a night. The first row that matches counts. */
const REASONS: readonly Hint[] = [
  {
    when: ({ reason }) => reason === "rate-limited",
    hint: () => "it is there, but was asked too often: run the same command again in a few hours, with a lower --rate",
  },
  {
    when: ({ reason }) => reason === "unavailable",
    hint: () => "it is there, but busy or in maintenance: run the same command again in a few hours",
  },
  {
    when: ({ reason, detail }) =>
      reason === "blocked" || (reason === "rejected" && /^status 40[135]\b|error code: \d/.test(detail)),
    hint: (asked) =>
      `it is there, but a firewall refuses this program, ${letIn(asked)}; if it was let in before, wait a few hours and lower --rate`,
  },
];

const AWAY = "check --upstream, or run the same command again when the upstream is back";

/**
 * Hints for an operator whose first question was not answered with a hero list: the most likely mistakes. The first row that matches
 * counts.
 */
const MISTAKES: readonly Hint[] = [
  {
    when: (failed, { base }) =>
      (failed.reason === "timeout" || isStatus(/^(401|403|407|50[234])$/)(failed)) && viaProxy(base) !== "",
    hint: ({ base }) => `if that was the proxy, check it, or exempt ${base.hostname} with NO_PROXY`,
  },
  {
    when: ({ reason, detail }, { base }) =>
      base.protocol === "http:" &&
      (/ECONNRESET|UND_ERR_SOCKET|HPE_/.test(detail) ||
        (reason === "rejected" && /^status 400\b.*https?/i.test(detail))),
    hint: ({ base }) => `if that port speaks TLS, it is https://${base.host}`,
  },
  ...REASONS,
  {
    when: isPage,
    hint: (asked) =>
      `that is a page for people, not an API; check the address with a browser, and if ${asked.base.origin}/api/heroes has data there, a firewall keeps this program out, ${letIn(asked)}`,
  },
  {
    when: ({ reason }) => reason === "redirected",
    hint: () =>
      "it is there and sends requests elsewhere; look there with a browser, and name the new address with --upstream",
  },
  {
    when: isStatus(/^404$/),
    hint: () => "something answers there, but it has no /api/heroes; check the address",
  },
  {
    when: ({ reason }) => reason === "server-error",
    hint: () => "it is there, but fails: run the same command again in a few hours",
  },
  {
    when: ({ reason }) => reason === "timeout",
    hint: () =>
      "it is slow, or not there: check --upstream, run the same command again in a few hours, or give it more time with --timeout",
  },
  {
    when: ({ reason }) => !SILENT.includes(reason),
    hint: () => "something answers there, but not as the upstream does: check the address, and ask whoever runs it",
  },
];

/** Explains what to do about an upstream that gave no hero list; `lasts`: repeating does not mend it. */
export function explainMistake(host: string, failed: FailedAttempt, contact?: string): Unreachable {
  const asked = { base: new URL(host), contact };
  const silent = SILENT.includes(failed.reason) ? whyUnreachable(asked.base, failed.detail) : undefined;
  return silent ?? { hint: MISTAKES.find(({ when }) => when(failed, asked))?.hint(asked) ?? AWAY };
}

/** Explains what to do about an upstream that gives no more; undefined if its faults do not tell. */
export function explainReason(host: string, failed: FailedAttempt, contact?: string): string | undefined {
  const asked = { base: new URL(host), contact };
  return REASONS.find(({ when }) => when(failed, asked))?.hint(asked);
}
