import { request } from "undici";
import { hashSlice } from "../../../src/api/body/canonical.ts";
import { unwrap } from "../../../src/api/body/wrapping.ts";
import type { Slice } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { slicePath } from "../../../src/crawl/plan.ts";
import { mixOf } from "../misbehaviours/rules.ts";
import type { MisbehaviourName } from "../misbehaviours/table.ts";
import { startMisbehaving } from "../misbehaviours/upstream.ts";
import { startUpstream } from "../upstream/upstream.ts";
import { type Game, rewrite } from "./game.ts";

/** What is over at once, and what a crawl gets over. */
const FAULTS: readonly MisbehaviourName[] = [
  "server-error",
  "bad-gateway",
  "html",
  "error-code",
  "not-found",
  "truncated",
  "truncated-json",
  "reset",
  "missing-field",
  "wrong-hero",
  "repeated-record",
  "no-records",
  "total-small",
  "invalid-utf8",
];

/** The sample upstream as the game is. */
async function startGame(first: Game) {
  let game = first;
  const upstream = await startUpstream(first.heroes, undefined, (path, body) => rewrite(game, path, body));
  return {
    url: upstream.url,
    show(next: Game) {
      if (next === game) return;
      game = next;
      upstream.sample.set({ day: next.day, heroes: next.heroes });
    },
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

/** An upstream that counts what each day asks and fails now and then, and beside it what it said on each day without failing. */
export async function startDays(first: Game, seed: number, faultShare: number) {
  const games = new Map<string, Game>();
  const counts = new Map<string, number>();
  let today = "";
  let onRequest = (_: number) => {};
  const live = await startGame(first);
  const past = await startGame(first);
  const front = await startMisbehaving(live.url, {
    seed,
    // Damage that comes twice running would be what the upstream says.
    maxConsecutive: 1,
    rules: mixOf(
      FAULTS.map((name) => ({ name })),
      faultShare,
    ),
    onRequest() {
      const count = (counts.get(today) ?? 0) + 1;
      counts.set(today, count);
      onRequest(count);
    },
  });

  return {
    url: front.url,
    begin(day: string, game: Game) {
      today = day;
      games.set(day, game);
      live.show(game);
    },
    /** To be called with the number of each request of the day. */
    watch(callback: (count: number) => void) {
      onRequest = callback;
    },
    counts: counts as ReadonlyMap<string, number>,
    faults: () => Object.values(front.counts()).reduce((sum, count) => sum + count, 0),
    /** The records of a slice as they were on a day, `lang` in another language than the slice's. */
    async recordsOf(slice: Slice, day: string): Promise<unknown[]> {
      const game = games.get(day);
      if (!game) throw new Error(`nothing was asked on ${day}`);
      past.show(game);
      const endpoint = endpointOf(slice.dataset);
      const { body } = await request(past.url + slicePath(endpoint, slice, 1));
      return unwrap(endpoint.wrapping, await body.json());
    },
    async hashOf(slice: Slice, day: string) {
      return hashSlice(await this.recordsOf(slice, day));
    },
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await live[Symbol.asyncDispose]();
      await past[Symbol.asyncDispose]();
    },
  };
}

export type Days = Awaited<ReturnType<typeof startDays>>;
