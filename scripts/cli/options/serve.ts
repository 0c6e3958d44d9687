import { InvalidArgumentError } from "commander";
import { parseTrustedProxies, type TrustedProxies } from "../../../src/server/http/client-ip.ts";
import { LOG_LEVELS, type LogLevel } from "../../../src/server/operate/log.ts";
import { dataFolder, defineCommand, flag, number, option, upstreams } from "../command.ts";
import type { FollowFlags } from "../following.ts";
import { rare } from "./help.ts";
import { publicKeys } from "./keys.ts";
import { listeningHost, listeningPort } from "./listening.ts";
import { type MaxAges, maxAgeOf } from "./max-age-of.ts";
import { insteadOfLatest, keepFlag, maxLossFlag } from "./publish.ts";
import { allowOlder, contact, every, follow, frozenAfter, pullTime } from "./pull.ts";

export interface ServeFlags extends FollowFlags {
  snapshot?: string;
  port: number;
  host: string;
  cache: number;
  upstream?: string[];
  authRate: number;
  authTimeout: number;
  trustProxy?: TrustedProxies;
  maxAge?: number;
  maxAgeOf?: MaxAges;
  requestTimeout: number;
  grace: number;
  publicUrl?: string;
  pages: boolean;
  pictures: boolean;
  log: LogLevel;
}

export const defineServe = () =>
  defineCommand("serve", {
    Snapshots: [dataFolder(), insteadOfLatest(), publicKeys("; with --follow, refuse expired and older ones")],
    "Following a mirror": [
      follow(),
      every(),
      contact("source"),
      keepFlag(),
      rare(pullTime()),
      rare(frozenAfter()),
      rare(allowOlder()),
      rare(maxLossFlag()),
    ],
    Network: [
      listeningPort(3000),
      listeningHost(),
      publicUrl(),
      trustedProxies(),
      upstreams("base URL that receives login calls"),
    ],
    Limits: [
      number("--cache <MiB>", "memory for cached answers, lists and pages of files", [1, 65_536]).default(16),
      rare(number("--auth-rate <n>", "maximum login calls per minute from one client", [1, 100_000]).default(60)),
      rare(number("--auth-timeout <seconds>", "time limit for one login call", [0.1, 120], false).default(10)),
      rare(number("--request-timeout <seconds>", "time limit for a request to arrive", [1, 600], false).default(30)),
      rare(number("--grace <seconds>", "time to finish requests after a signal to stop", [0, 600], false).default(10)),
    ],
    Pages: [
      flag("--no-pages", "serve no pages for people").default(true),
      flag("--no-pictures", "show no pictures of heroes on the pages; they come from another host").default(true),
    ],
    Operation: [
      number("--max-age <hours>", "/ready fails when the snapshot is older than this", [0.001, 100_000], false),
      rare(maxAgeOf("/ready fails beyond it")),
      option("--log <level>", "level of the JSON lines on stderr; info has a line for each request")
        .choices(LOG_LEVELS)
        .default("error"),
      onePath(),
    ],
  });

function onePath() {
  return option("--get <path>", "print the answer to one request and exit").argParser((text) => {
    if (/^\/[^\s]*$/.test(text) && URL.canParse(text, "http://mirror")) return text;
    throw new InvalidArgumentError("It must be the path of a request, such as /api/heroes?size=3.");
  });
}

function publicUrl() {
  const made = option(
    "--public-url <url>",
    "public address of this mirror, for absolute links in feed, sitemap and pages",
  );
  return made.argParser((text) => {
    const url = /^https?:\/\/[^\s\\/?#@][^\s\\?#@]*$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
    if (url && !url.pathname.includes("//")) return `${url.origin}${url.pathname.replace(/\/$/, "")}`;
    throw new InvalidArgumentError(
      "It must be an http or https URL without a user name, query or fragment, such as https://mirror.example.",
    );
  });
}

function trustedProxies() {
  const made = option(
    "--trust-proxy <proxies>",
    "trust X-Forwarded-For from this number of proxies, or from these addresses",
  );
  return made.argParser((text) => {
    const trust = parseTrustedProxies(text);
    if (trust) return trust;
    throw new InvalidArgumentError("It must be a number of hops, or addresses and ranges such as 10.0.0.0/8,::1.");
  });
}
