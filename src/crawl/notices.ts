import robotsParser from "robots-parser";
import { readPath } from "../api/body/path.ts";
import { faultOf, reasonOfStatus } from "../api/faults.ts";
import { PRODUCT } from "../api/request/upstream-request.ts";
import { isMadeUp } from "../api/sample-data.ts";
import { truncate } from "../base/words.ts";
import { readAnnounced } from "./announced.ts";
import { noteQuota } from "./ask/ask-page.ts";
import type { Run } from "./run.ts";
import type { TransportError, UpstreamRequest, UpstreamResponse } from "./upstream/upstream.ts";

/** The types of the package take it for another kind of module. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

type Reply = UpstreamResponse | TransportError;

/** The most bytes of a notice that are read; those of the service have a few thousand. */
const MAX_BYTES = 256 * 1024;
/** The most bytes of the service's OpenAPI document, which has many examples. */
const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
/** The number of notices: a day without so many requests left goes without. */
export const NOTICES = 3;
/** The longest wait for a notice, in milliseconds. */
const MAX_MS = 5000;

/**
 * Reads what the active host says about itself, its `/robots.txt` and `/api`, once each, and logs it in one line. The announcements of its
 * OpenAPI document are read once a journal. The crawl goes on whatever they say: the operator decides what follows from them.
 */
export async function readNotices(run: Run): Promise<void> {
  if (run.budget && run.budget.left() < NOTICES) return;
  const { host } = run.hosts.active();
  const [robots, index, document] = await Promise.all([
    ask(run, "/robots.txt", { accept: "text/plain" }),
    ask(run, "/api", {}),
    run.journal.getState("announced") ? undefined : ask(run, "/api/openapi.json", {}),
  ]);
  run.stop.throwIfAborted();
  run.clock.check([robots, index, ...(document ? [document] : [])]);
  if ("body" in robots || "body" in index)
    run.log("upstream", {
      host,
      robots: truncate(describeRobots(host, robots)),
      api: truncate(describeIndex(host, index)),
    });
  if (document && "body" in document && document.status === 200) noteAnnounced(run, document.body);
}

function noteAnnounced({ journal, log }: Run, body: Buffer) {
  const announced = readAnnounced(parse(body, MAX_DOCUMENT_BYTES));
  if (!announced) return;
  const { deprecated, onlyThere, onlyHere } = announced;
  journal.setState("announced", { deprecated });
  if (deprecated.length > 0) log("deprecated", { datasets: deprecated });
  if (onlyThere || onlyHere)
    log("enumerations", {
      ...(onlyThere && { only_there: truncate(onlyThere) }),
      ...(onlyHere && { only_here: truncate(onlyHere) }),
    });
}

async function ask({ limiter, hosts, options, budget }: Run, path: string, how: UpstreamRequest): Promise<Reply> {
  const permit = await limiter.acquire();
  const reply = await hosts.active().get(path, { ...how, timeoutMs: Math.min(MAX_MS, options.timeoutMs) });
  const isFine = !("body" in reply) || reply.status === 200 || reply.status === 404;
  const fault = isFine ? {} : faultOf(reasonOfStatus(reply.status, isHtml(reply.headers)));
  permit.release(fault.outcome ?? "error", path, noteQuota(reply, budget));
  return reply;
}

const isHtml = (headers: UpstreamResponse["headers"]) => /html/i.test(String(headers["content-type"]));

const noAnswer = ({ reason }: TransportError) => `no answer (${reason})`;

function describeRobots(host: string, reply: Reply): string {
  if (!("body" in reply)) return noAnswer(reply);
  const { status, headers, body } = reply;
  if (status !== 200) return status >= 400 && status < 500 ? `none (status ${status})` : `status ${status}`;
  // The parser would pass over its lines, as if it allowed everything.
  if (isHtml(headers) || /^\s*</.test(body.subarray(0, 256).toString())) return "none (a page)";
  const robots = parseRobots(new URL("/robots.txt", host).href, body.subarray(0, MAX_BYTES).toString());
  const isDisallowed = (agent: string) => robots.isDisallowed(`${host}/api/heroes`, agent);
  const delay = robots.getCrawlDelay(PRODUCT);
  const wish = delay ? `, asks for ${delay} seconds between requests` : "";
  if (!isDisallowed(PRODUCT)) return `allows /api/${wish}`;
  const whom = isDisallowed("*") ? "all crawlers" : PRODUCT;
  return `disallows /api/ for ${whom}: ask whoever runs it${wish}`;
}

/** Our words for the service's states. */
const STATES: Readonly<Record<string, string>> = {
  available: "available",
  maintenance: "in maintenance",
  limited: "high traffic",
};

function describeIndex(host: string, reply: Reply): string {
  if (!("body" in reply)) return noAnswer(reply);
  const { status, headers, body } = reply;
  const json = parse(body);
  const read = (path: string) => {
    const found = readPath(json, path);
    return typeof found === "string" && found !== "" ? found : undefined;
  };
  const state = read("meta.support.status");
  const [base, other] = ["meta.base_url", "details.alternative_endpoint"].map((path) => toBase(read(path)));
  const said = [
    status === 200 ? undefined : `status ${status}`,
    state && (STATES[state] ?? `says that it is ${state.slice(0, 40)}`),
    status === 200 ? undefined : read("message")?.slice(0, 120),
    base === undefined || base === toBase(host) ? undefined : `names another base address, ${base}`,
    other && `names another host, ${other}`,
    isMadeUp(headers) ? "its numbers are made up" : undefined,
  ].filter((one) => one !== undefined);
  return said.join(", ") || (json === undefined ? "no list of endpoints" : "answers");
}

function parse(body: Buffer, maxBytes = MAX_BYTES): unknown {
  if (body.length > maxBytes) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The most characters of an address; none is longer. In a text of slashes the end of the path would be searched for at each of them. */
const MAX_URL_CHARS = 2000;

/** Returns a URL in the form of `--upstream`: without `/api`, a query or a password. */
function toBase(url: string | undefined): string | undefined {
  const isAddress = url !== undefined && url.length <= MAX_URL_CHARS && URL.canParse(url);
  const { origin, pathname } = isAddress ? new URL(url) : {};
  return pathname === undefined ? undefined : `${origin}${pathname.replace(/(\/api)?\/*$/, "")}`;
}
