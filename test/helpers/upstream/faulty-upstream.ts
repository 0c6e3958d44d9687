import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { BODIES } from "../faulty-upstream/bodies.ts";
import { createChoices } from "../faulty-upstream/choice.ts";
import { type Act, type Exchange, type Injector, openExchange, send } from "../faulty-upstream/exchange.ts";
import type { FaultName, FaultRule } from "../faulty-upstream/faults.ts";
import { REPLIES } from "../faulty-upstream/replies.ts";
import { openTarget, TargetError } from "../faulty-upstream/target.ts";
import { createTraffic, type LogEntry } from "../faulty-upstream/traffic.ts";
import { WIRE } from "../faulty-upstream/wire.ts";

export type { FaultName, FaultRule, LogEntry };

export interface FaultyOptions {
  seed?: number;
  rules?: readonly FaultRule[];
  port?: number;
  /** A path and query is never made to fail by chance more often than this in a row. */
  maxConsecutive?: number;
  /** Called before the n-th request (1, 2, …, since the last reset) is handled: the moment to change the world behind. */
  onRequest?: (n: number, path: string) => void;
}

export interface FaultyUpstream extends AsyncDisposable {
  url: string;
  /** The first that fires and has something to change wins. May be changed or replaced while running. */
  rules: FaultRule[];
  /** Every request seen, in the order of arrival. */
  log: readonly LogEntry[];
  /** As seen from this side; optionally only at arrivals between two times. */
  maxInFlight(from?: number, to?: number): number;
  /** Arrivals in the busiest sliding second, optionally only those between two times. */
  maxPerSecond(from?: number, to?: number): number;
  /** Faults injected, by name. */
  counts(): Record<string, number>;
  /** Forgets what was seen and chosen, so that the same requests meet the same faults again. */
  reset(): void;
  close(): Promise<void>;
}

const INJECTORS: Record<FaultName, Injector> = { ...REPLIES, ...WIRE, ...BODIES };

const ANNOUNCED = "/api/openapi.json";

async function passOn(exchange: Exchange): Promise<{ act: Act }> {
  const answer = await exchange.pass();
  return { act: () => send(exchange, answer) };
}

/** Stands in front of an upstream, passes everything through and lets things go wrong by the rules. */
export async function startFaultyUpstream(base: string, options: FaultyOptions = {}): Promise<FaultyUpstream> {
  const { seed = 1, rules = [], port = 0, maxConsecutive = 3, onRequest } = options;
  const target = openTarget(base);
  const traffic = createTraffic();
  const choices = createChoices(seed, maxConsecutive);
  const flights = new WeakMap<Socket, () => void>();

  /** The act that belongs to the first rule that has one. */
  async function decide(exchange: Exchange): Promise<{ act: Act; fault?: FaultName }> {
    // Whether it was read is in the file: two crawls that are to give the same bytes both read it.
    if (exchange.path === ANNOUNCED) return passOn(exchange);
    const choice = choices.open(exchange.path);
    for (const [position, rule] of upstream.rules.entries()) {
      if (!choice.fires(rule, position)) continue;
      const act = await INJECTORS[rule.fault](exchange, rule.with ?? {});
      if (act) return { act, fault: rule.fault };
      choice.spare(rule);
    }
    choice.pass();
    return passOn(exchange);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    const { entry, leave } = traffic.arrive(path);
    flights.set(request.socket, leave);
    response.once("close", leave);
    // The target dates its answers itself.
    response.sendDate = false;
    try {
      onRequest?.(traffic.log.length, path);
      const { act, fault } = await decide(openExchange(request, response, target, leave));
      if (response.destroyed) return;
      if (fault) entry.fault = fault;
      act();
    } catch (error) {
      response.destroy();
      // A dead target looks like one; a mistake in a rule or in here must not pass for a fault of the upstream.
      if (!(error instanceof TargetError)) throw error;
    }
  }

  // Idle connections stay open: one closed under a request would be a fault that no rule asked for.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void handle(request, response));
  server.on("connection", (socket) => socket.once("end", () => flights.get(socket)?.()));
  server.on("clientError", (_, socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  async function close() {
    server.close();
    server.closeAllConnections();
    await Promise.all([once(server, "close"), target.close()]);
  }

  const upstream: FaultyUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rules: [...rules],
    log: traffic.log,
    maxInFlight: traffic.maxInFlight,
    maxPerSecond: traffic.maxPerSecond,
    counts: traffic.counts,
    reset() {
      traffic.reset();
      choices.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return upstream;
}
