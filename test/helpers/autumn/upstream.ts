import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { type Announced, describeService, indexOf, ROBOTS } from "./documents.ts";
import type { Game, Slice } from "./game.ts";
import { type Form, findRefusal, isMeant, type Match, type Refusal, type Reply, replyIn } from "./refusals.ts";
import { parse, type Question, recordsOf } from "./routes.ts";
import { throughProxy } from "./texts.ts";

/** What a test may change at any time, also while a crawl asks. */
export interface Knobs extends Game {
  /** The first that fits counts. */
  refusals: Refusal[];
  /** Datasets that `/api/openapi.json` marks. */
  deprecated: readonly string[];
  /** What it says of the words of parameters that is not so. */
  announced: Announced;
  /** Called with each request of a night, counted from 1, before it is answered. */
  onRequest?: ((count: number, target: string) => void) | undefined;
}

/** One request. Documents, and what is no question of the service, have no slice. */
interface Logged {
  target: string;
  slice?: Slice;
  /** How it was refused; without it, it was answered. */
  form?: Form | undefined;
}

/** What the service answered: all records of a slice. */
interface Answered {
  day: number;
  records: unknown[];
}

export const FIRST_GAME: Game = { day: 1, heroes: 8, unresolved: [], patch: 0, pictures: "plain" };

const replacerOf = ({ pictures }: Game) => (pictures === "wsrv" ? throughProxy : undefined);

const json = (body: object, replacer?: typeof throughProxy): Reply => ({
  status: 200,
  type: "application/json",
  body: JSON.stringify(body, replacer),
});

/**
 * A game-data service of the tests, with numbers of its own that do not say that they are made up. It remembers what it was asked
 * on which day and what it answered.
 */
export async function startAutumn(first: Partial<Knobs> = {}, seed = 1) {
  const knobs: Knobs = { ...FIRST_GAME, refusals: [], deprecated: [], announced: {}, ...first };
  const nights = new Map<number, Logged[]>();
  /** By slice: the game as it was whenever an answer was given, the last of each day. */
  const given = new Map<string, Map<number, Game>>();
  let asks = new Map<string, number>();
  let game: Game = FIRST_GAME;

  /** One value as long as nothing changes, as each answer keeps its own. */
  function gameNow(): Game {
    const { day, heroes, unresolved, patch, pictures } = knobs;
    const now = { day, heroes, unresolved: [...unresolved], patch, pictures };
    if (!isDeepStrictEqual(now, game)) game = now;
    return game;
  }

  const logOf = (day: number) => nights.get(day) ?? [];

  function answer({ route, slice, size, index }: Question, all: readonly object[], now: Game): Reply {
    const days = given.get(JSON.stringify(slice)) ?? new Map<number, Game>();
    // Set anew, so that the last one comes last where an earlier day is played once more.
    days.delete(now.day);
    given.set(JSON.stringify(slice), days.set(now.day, now));
    const [only] = all;
    const records = all.slice((index - 1) * size, index * size);
    return json({ code: 0, message: "OK", data: route.paged ? { records, total: all.length } : only }, replacerOf(now));
  }

  function replyTo(target: string, logged: Logged, nth: number): Reply | "reset" {
    if (target === "/robots.txt") return { status: 200, type: "text/plain", body: ROBOTS };
    if (target === "/api" || target === "/api/") return json(indexOf(url));
    if (target === "/api/openapi.json") return json(describeService(knobs.deprecated, knobs.announced));
    const question = parse(target);
    if (question === "unknown path") return replyIn("detail", target);
    if (question === "invalid value") return replyIn(422, target);
    logged.slice = question.slice;
    const salt = `${seed} ${knobs.day} ${target} ${nth}`;
    const now = gameNow();
    const all = recordsOf(question, now);
    logged.form = findRefusal(knobs.refusals, question.slice, nth, salt);
    // A hero who is not in the index of the service is no valid value; a vote that is not there is not found.
    if (!all) logged.form ??= question.slice.subject === undefined ? 422 : "detail";
    return logged.form === undefined ? answer(question, all ?? [], now) : replyIn(logged.form, salt);
  }

  function respond(target: string, response: ServerResponse) {
    const logged: Logged = { target };
    const log = logOf(knobs.day);
    nights.set(knobs.day, log);
    log.push(logged);
    knobs.onRequest?.(log.length, target);
    const nth = (asks.get(target) ?? 0) + 1;
    asks.set(target, nth);
    const reply = replyTo(target, logged, nth);
    if (reply === "reset") return void response.destroy();
    const { status, type, body } = reply;
    response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
  }

  const server = createServer((request, response) => respond(request.url ?? "/", response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    knobs,
    /** A night begins: the numbers of another day, and each path has not been asked yet. */
    begin(day: number) {
      knobs.day = day;
      asks = new Map();
    },
    /** The requests of a night, documents included. */
    requests: (day = knobs.day) => logOf(day).map(({ target }) => target),
    /** How many of them asked for such a slice. */
    count: (match: Match, day = knobs.day) =>
      logOf(day).filter(({ slice }) => slice !== undefined && isMeant(match, slice)).length,
    /** How many of these were refused, or failed. */
    countRefused: (match: Match, day = knobs.day) =>
      logOf(day).filter(({ slice, form }) => slice !== undefined && form !== undefined && isMeant(match, slice)).length,
    /** What was last answered to such a path, on all its pages, until the end of a day. */
    lastAnswer(target: string, until = Number.POSITIVE_INFINITY): Answered | undefined {
      const question = parse(target);
      if (typeof question === "string") throw new Error(`${target}: ${question}`);
      const days = given.get(JSON.stringify(question.slice)) ?? new Map<number, Game>();
      const now = [...days.values()].findLast(({ day }) => day <= until);
      if (!now) return undefined;
      return { day: now.day, records: JSON.parse(JSON.stringify(recordsOf(question, now), replacerOf(now))) };
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export type Autumn = Awaited<ReturnType<typeof startAutumn>>;
