import { askTarget, type Seen, startServer } from "../server.ts";
import type { Encounter } from "./encounter.ts";
import { createChoices, type Rule } from "./rules.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "./table.ts";

interface MisbehavingOptions {
  seed?: number;
  rules?: readonly Rule[];
  /** A path and query is never made to fail by chance more often than this in a row. */
  maxConsecutive?: number;
  /** Called before the n-th request (1, 2, …, since the last reset) is handled: the moment to change the world behind. */
  onRequest?: (n: number) => void;
  /** The other host that it names; `.invalid` never resolves (RFC 2606). */
  elsewhere?: string;
}

/** The document that always goes through. The file says if it was read: two crawls that are to give the same bytes both read it. */
const ANNOUNCED = "/api/openapi.json";

/** Stands in front of an upstream, passes everything through and misbehaves by rules. */
export async function startMisbehaving(
  base: string,
  { seed = 1, rules = [], maxConsecutive = 3, onRequest, elsewhere = "http://backup.invalid" }: MisbehavingOptions = {},
) {
  const choices = createChoices(seed, maxConsecutive);
  const server = await startServer(async ({ socket }, res, seen): Promise<unknown> => {
    onRequest?.(server.seen.length);
    const { url: path } = seen;
    const honest = await askTarget(base, seen);
    const send: Encounter["send"] = (body, headers = {}, status = honest.status) => {
      const length = { "content-length": String(Buffer.byteLength(body)) };
      res.writeHead(status, { ...honest.headers, ...length, ...headers }).end(body);
    };
    if (path === ANNOUNCED) return send(honest.body);
    const choice = choices.open(path);
    const ask = (other: string) => askTarget(base, seen, other);
    const places = { self: server.url, elsewhere: upstream.elsewhere };
    const encounter: Encounter = { path, nth: choice.nth, honest, ask, socket, ...places, send };
    for (const [position, rule] of upstream.rules.entries()) {
      if (!choice.fires(rule, position)) continue;
      if ((await MISBEHAVIOURS[rule.name].act(encounter)) !== false) return fired.set(seen, rule.name);
      choice.spare(rule);
    }
    choice.pass();
    send(honest.body);
  });
  const fired = new WeakMap<Seen, MisbehaviourName>();

  const upstream = {
    url: server.url,
    /** The first that fires and has something to change wins. May be changed or replaced while running. */
    rules: [...rules],
    elsewhere,
    /** Every request, in the order of arrival. */
    log: server.seen,
    /** Returns the misbehaviour that a request met. */
    firedAt: (request: Seen) => fired.get(request),
    /** How often it misbehaved, by name. */
    counts(): Partial<Record<MisbehaviourName, number>> {
      const names = server.seen.flatMap((request) => fired.get(request) ?? []);
      return Object.fromEntries(
        Map.groupBy(names, (name) => name)
          .entries()
          .map(([name, { length }]) => [name, length]),
      );
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
