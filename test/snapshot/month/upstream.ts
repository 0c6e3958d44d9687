import type { ServerResponse } from "node:http";
import type { Lang } from "../../../src/api/enumerations.ts";
import { startUpstream } from "../../helpers/upstream/upstream.ts";

/** What the game is like; two nights of equal states hold the same data. */
export interface Game {
  day: number;
  heroes: number;
  /** Which wording a story has. */
  story: number;
  /** An item is in the game, or retired. */
  item: boolean;
  /** Which win rate the second hero has. */
  rate: number;
}

export const LANGUAGES: Lang[] = ["en", "de"];

/** Boots that nothing is built into. */
const ITEM = 3561;
const STORIES = ["", "Once more: ", "Einmal noch: "];
const RATES = [undefined, 0.61, 0.41];

/**
 * Answers that may fail, all of them of heroes that never leave: what a night lacks of them is a gap, and nothing of it is
 * gone at the same time.
 */
export const FRAGILE = [
  /^\/api\/heroes\/1\/counters\?(?:.*&)?lang=en\b/,
  /^\/api\/heroes\/2\/counters\?(?:.*&)?lang=en\b/,
  /^\/api\/heroes\/2\/compatibility\?(?:.*&)?lang=en\b/,
  /^\/api\/heroes\/1\?(?:.*&)?lang=de\b/,
  /^\/api\/heroes\/2\?(?:.*&)?lang=de\b/,
  /^\/api\/heroes\/1\/relations\?(?:.*&)?lang=en\b/,
];

/** The embedded upstream in a state that can be set, with answers that can be made to fail. */
export async function startGame(game: Game) {
  let failing: readonly RegExp[] = [];
  let state = game;
  const refused = new Set<string>();
  const refuse = (path: string, response: ServerResponse) => {
    if (!failing.some((pattern) => pattern.test(path))) return false;
    refused.add(path);
    response.writeHead(500, { "content-type": "application/json" }).end("{}");
    return true;
  };
  const upstream = await startUpstream(
    game.heroes,
    (req, res) => refuse(req.url ?? "", res),
    (path, body) => rewrite(state, path, body),
  );
  return {
    url: upstream.url,
    set(next: Game, patterns: readonly RegExp[] = []) {
      state = next;
      failing = patterns;
      refused.clear();
      upstream.sample.set({ day: next.day, heroes: next.heroes });
    },
    /** What was asked for and failed since then. */
    refused,
    [Symbol.asyncDispose]: () => upstream[Symbol.asyncDispose](),
  };
}

function rewrite({ story, item, rate }: Game, path: string, body: string): string {
  if (/^\/api\/heroes\/1\?/.test(path) && STORIES[story])
    return body.replaceAll(/"story":"(?!")/g, `"story":"${STORIES[story]}`);
  if (path.startsWith("/api/academy/equipment") && !item) return retire(body);
  if (path.startsWith("/api/heroes/rank") && RATES[rate] !== undefined) return setRate(body, RATES[rate]);
  return body;
}

function retire(body: string): string {
  const { data, ...rest } = JSON.parse(body) as { data: { total: number; records: { data: { equipid: number } }[] } };
  const records = data.records.filter((record) => record.data.equipid !== ITEM);
  return JSON.stringify({ ...rest, data: { ...data, records, total: data.total - 1 } });
}

function setRate(body: string, rate: number): string {
  const { data, ...rest } = JSON.parse(body) as { data: { records: { data: Record<string, number> }[] } };
  for (const { data: record } of data.records) if (record.main_heroid === 2) record.main_hero_win_rate = rate;
  return JSON.stringify({ ...rest, data });
}
