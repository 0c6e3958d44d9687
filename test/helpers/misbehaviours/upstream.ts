import { askTarget, type Seen, startServer, TargetError, type Told } from "../server.ts";
import type { Exchange } from "./exchange.ts";
import { createChoices, type Rule } from "./rules.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "./table.ts";

interface MisbehavingOptions {
  seed?: number;
  rules?: readonly Rule[];
  /** A path and query is never made to fail by chance more often than this in a row. */
  maxConsecutive?: number;
  /** Called before the n-th request (1, 2, …, since the last reset) is handled: the moment to change the world behind. */
  onRequest?: (n: number, path: string) => void;
  /** The other host that it names; `.invalid` never resolves (RFC 2606). */
  elsewhere?: string;
}

/** A request, and what was done to its answer. */
export type LogEntry = Seen & { misbehaviour?: MisbehaviourName };

/** Whether it was read is in the file: two crawls that are to give the same bytes both read it. */
const ANNOUNCED = "/api/openapi.json";

export type MisbehavingUpstream = Awaited<ReturnType<typeof startMisbehaving>>;

/** Stands in front of an upstream, passes everything through and misbehaves by rules. */
export async function startMisbehaving(
  base: string,
  { seed = 1, rules = [], maxConsecutive = 3, onRequest, elsewhere = "http://backup.invalid" }: MisbehavingOptions = {},
) {
  const choices = createChoices(seed, maxConsecutive);
  const target = base.replace(/\/+$/, "");
  const server = await startServer(async (req, res, seen) => {
    const path = seen.url;
    onRequest?.(server.seen.length, path);
    const send: Exchange["send"] = (body, headers = {}, status = honest.status) => {
      const length = { "content-length": String(Buffer.byteLength(body)) };
      res.writeHead(status, { ...honest.headers, ...length, ...headers }).end(body);
    };
    let honest: Told;
    try {
      honest = await askTarget(target, seen);
    } catch (error) {
      res.destroy();
      // A dead target looks like one; a mistake in here must not pass for a fault of the upstream.
      if (error instanceof TargetError) return;
      throw error;
    }
    if (path === ANNOUNCED) return send(honest.body);
    const ask = (other: string) => askTarget(target, seen, other);
    const choice = choices.open(path);
    const { socket } = req;
    const exchange = {
      path,
      nth: choice.nth,
      honest,
      ask,
      socket,
      self: server.url,
      elsewhere: upstream.elsewhere,
      send,
    };
    for (const [position, rule] of upstream.rules.entries()) {
      if (!choice.fires(rule, position)) continue;
      if ((await MISBEHAVIOURS[rule.name].act(exchange)) !== false)
        return void Object.assign(seen, { misbehaviour: rule.name });
      choice.spare(rule);
    }
    choice.pass();
    send(honest.body);
  });

  const upstream = {
    url: server.url,
    /** The first that fires and has something to change wins. May be changed or replaced while running. */
    rules: [...rules],
    elsewhere,
    /** Every request seen, in the order of arrival. */
    log: server.seen as LogEntry[],
    /** How often it misbehaved, by name. */
    counts(): Partial<Record<MisbehaviourName, number>> {
      const counts: Partial<Record<MisbehaviourName, number>> = {};
      for (const { misbehaviour } of upstream.log)
        if (misbehaviour) counts[misbehaviour] = (counts[misbehaviour] ?? 0) + 1;
      return counts;
    },
    /** Forgets what was seen and chosen, so that the same requests meet the same again. */
    reset() {
      server.seen.length = 0;
      choices.reset();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return upstream;
}
