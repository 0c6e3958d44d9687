import type { Option } from "commander";
import { isAsked } from "../../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { BASE_LANG, DAY_WINDOWS, LANG_CODES, RANK_CODES } from "../../../src/api/enumerations.ts";
import { EXIT, Failure } from "../../../src/api/failure.ts";
import { HERO_IDENTIFIER } from "../../../src/api/request/path-parameter.ts";
import { FULL_SELECTION, type Selection } from "../../../src/api/selection.ts";
import { type CrawlOptions, DEFAULTS } from "../../../src/crawl/run.ts";
import type { Policy } from "../../../src/journal/schema.ts";
import { readNewestTime } from "../../../src/snapshot/published/clock.ts";
import { findLastPublished } from "../../../src/snapshot/published/journals.ts";
import { readPointer } from "../../../src/snapshot/published/pointer.ts";
import { readProvenance } from "../../../src/snapshot/published/provenance.ts";
import { dataFolder, defineCommand, flag, number, option, upstreams, words } from "../command.ts";
import { endpointNames, findEndpoints } from "./endpoints.ts";
import { rare } from "./help.ts";
import { jsonFlag } from "./json.ts";
import { type SignerFlags, signingKey, validFor } from "./keys.ts";
import {
  allowPartialFlag,
  analystsFileFlag,
  type BuildPublishFlags,
  compressFlag,
  historyFileFlag,
  keepFlag,
  maxLossFlag,
} from "./publish.ts";
import { contact, formatTime, parseTime } from "./pull.ts";

export interface CrawlFlags extends BuildPublishFlags, SignerFlags {
  upstream?: string[];
  data: string;
  languages?: Selection["languages"];
  ranks?: Selection["ranks"];
  days?: Selection["days"];
  heroes?: string[];
  endpoints?: string[];
  without?: string[];
  maxMissing: number;
  closingPause: number;
  concurrency: number;
  rate: number;
  contact?: string;
  timeout: number;
  attempts: number;
  plan: boolean;
  fresh: boolean;
  maxTime?: number;
  reuse: boolean;
  budget?: number;
  allowGrowth: boolean;
  allowPartial: boolean;
  /** Undefined if not given: the output decides. */
  json?: boolean;
}

export const defineCrawl = () =>
  defineCommand("crawl", {
    Source: [upstreams("base URL of the upstream, without /api"), contact("upstream")],
    Selection: [
      words("--languages <codes>", "only these languages; English is always included", LANG_CODES),
      words("--ranks <codes>", "only these ranks", RANK_CODES),
      words("--days <windows>", "only these windows, in days", DAY_WINDOWS),
      words("--heroes <heroes>", "only these heroes, by id or English name"),
      endpointNames("--endpoints <names>", "only these endpoints, by dataset or path"),
      endpointNames(
        "--without <names>",
        "skip these endpoints, by dataset or path; keep their previous answers, and treat the snapshot as complete",
      ),
      rare(flag("--fresh", "drop unfinished journals and start over")),
    ],
    Pace: [
      number("--rate <n>", "maximum requests per second", [0.01, 100_000], false).default(8),
      maxTime(),
      number(
        "--budget <n>",
        "maximum requests per UTC day; request what is due, and reuse the rest from the latest snapshot",
        [1, 10_000_000],
      ),
      rare(flag("--reuse", "reuse empty slices and unchanged texts from the latest snapshot; request the rest")),
      rare(number("--concurrency <n>", "maximum requests at a time", [1, 256]).default(4)),
      rare(number("--timeout <seconds>", "time limit for one answer", [0.1, 600], false).default(15)),
      rare(number("--attempts <n>", "maximum attempts for one slice", [1, 100]).default(6)),
      rare(closingPause()),
    ],
    Gates: [
      number(
        "--max-missing <percent>",
        "refuse to publish if more than this percentage of the due slices is missing outside closed parts; 0: accept only what was closed before; 100: publish whatever could be had",
        [0, 100],
        false,
      ).default(DEFAULTS.maxMissing),
      maxLossFlag(),
      rare(flag("--allow-growth", "request all heroes, even if the roster has grown suspiciously")),
      rare(allowPartialFlag()),
    ],
    Publication: [
      dataFolder(),
      keepFlag(),
      signingKey(),
      rare(validFor()),
      rare(compressFlag()),
      rare(analystsFileFlag()),
      rare(historyFileFlag()),
    ],
    Output: [
      flag("--plan", "print the slices that a crawl would request; request only the lists of heroes and votes"),
      jsonFlag().default(undefined),
      rare(flag("--no-json", "print a bar and tables, even without a terminal").default(undefined)),
    ],
  });

function closingPause(): Option {
  const made = option(
    "--closing-pause <time>",
    "pause after the last failure, before everything missing is requested once more",
  );
  const parse = (text: string) => (/^0+[smh]?$/.test(text) ? 0 : parseTime(text));
  return made.argParser(parse).default(DEFAULTS.closingPauseMs, formatTime(DEFAULTS.closingPauseMs));
}

function maxTime(): Option {
  const made = option(
    "--max-time <time>",
    "stop after this time and end with 3; the same command resumes: 90s, 10m, 6h",
  );
  return made.argParser(parseTime);
}

/**
 * Turns the flags into options of a crawl, except for the snapshot that it builds on. `SOURCE_DATE_EPOCH` (seconds) is its start in place
 * of the clock, which is not checked then.
 */
export function toCrawlOptions(flags: CrawlFlags): CrawlOptions {
  const { upstream, data, concurrency, rate, timeout, attempts, fresh, maxTime, allowGrowth, budget } = flags;
  if (!upstream) throw new Failure(EXIT.usage, "--upstream: is missing", "give the base URL of the upstream");
  const told = readSourceDate();
  return {
    upstreams: upstream,
    data,
    selection: toSelection(flags),
    concurrency,
    rate,
    timeoutMs: timeout * 1000,
    attempts,
    fresh,
    policy: policyOf(flags),
    base: undefined,
    requestsPerDay: budget,
    maxTimeMs: maxTime,
    allowGrowth,
    knownHeroes: readPointer(data)?.counts.heroes,
    lastPublished: findLastPublished(data),
    sample: readProvenance(data),
    startedAt: told ?? new Date(),
    clock: told ? undefined : { newest: readNewestTime(data, fresh) },
    contact: flags.contact,
    without: toWithout(flags.without ?? []),
    maxMissing: flags.maxMissing,
    closingPauseMs: flags.closingPause,
  };
}

/** Adds the endpoints whose paths need words of a list that is left out. Throws a Failure for the list of heroes. */
function toWithout(names: readonly string[]): Set<string> {
  const named = findEndpoints(names);
  const derived = named.find((endpoint) => !isAsked(endpoint));
  if (derived)
    throw new Failure(EXIT.usage, `--without: ${derived.dataset} is never asked`, "leave out what it is made from");
  const without = new Set(named.map(({ dataset }) => dataset));
  if (without.has(HERO_IDENTIFIER.list))
    throw new Failure(EXIT.usage, "--without: no crawl can do without the hero list", "leave out other endpoints");
  for (const { dataset, identifier } of ENDPOINTS)
    if (identifier?.kind === "word" && without.has(identifier.list)) without.add(dataset);
  return without;
}

function policyOf({ reuse, budget }: CrawlFlags): Policy {
  return budget !== undefined ? "budget" : reuse ? "reuse" : "all";
}

function toSelection({ languages, ranks, days, heroes, endpoints }: CrawlFlags): Selection {
  return {
    languages: languages
      ? LANG_CODES.filter((code) => code === BASE_LANG || languages.includes(code))
      : FULL_SELECTION.languages,
    ranks: ranks ?? FULL_SELECTION.ranks,
    days: days ?? FULL_SELECTION.days,
    heroes: heroes ?? null,
    endpoints: endpoints ? findEndpoints(endpoints).map(({ dataset }) => dataset) : FULL_SELECTION.endpoints,
  };
}

function readSourceDate(): Date | undefined {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch === undefined || epoch === "") return undefined;
  if (/^\d{1,11}$/.test(epoch)) return new Date(Number(epoch) * 1000);
  throw new Failure(EXIT.usage, `SOURCE_DATE_EPOCH: ${epoch} is not a time`, "give whole seconds since 1970");
}
